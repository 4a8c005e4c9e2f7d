"""The promises of the contract, one function each, in files by what they are about.

A promise is a generator of complaints: it takes a `Subject` and yields one sentence for each way
in which the family breaks it. Its name, with spaces, is the promise.
"""
