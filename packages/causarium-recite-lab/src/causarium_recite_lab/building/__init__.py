"""Building a dataset: from papers with diagrams to rows of the published schema.

`paper_folder` says what a paper's folder holds, `build_steps` in which order it is filled. Each
step is a consultation: it asks a model where one is needed, checks the replies by code, and returns
a file.
"""
