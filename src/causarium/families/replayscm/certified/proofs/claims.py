"""The claims on an instance, in the words that every proof of them uses."""

FITS = "the true system is one of those that fit"
OPEN = "each rule asked for is open before questions"
SETTLED = "every item has one answer in all systems that no allowed question tells apart"
FEWEST = "the questions allowed settle every item whatever is true, and one fewer does not"
PLAN = "of the questions offered for a rule exactly one settles it, and two rules are left"
KEY = "the stored answers are those of the true system"
