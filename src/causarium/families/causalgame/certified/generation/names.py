"""Names of modules, columns and unrecorded causes; which one is drawn means nothing."""

MODULES = (
    "second antenna", "heater", "spare rotor", "gyroscope", "nose shield", "storage cell",
    "radio beacon", "tail fin", "wide lens", "cooling fan", "landing strut", "fuel filter",
)  # fmt: skip
COLUMNS = (
    ("oil pressure", "low", "high"),
    ("radio noise", "faint", "loud"),
    ("battery charge", "weak", "strong"),
    ("cabin humidity", "dry", "damp"),
    ("lens clarity", "dull", "sharp"),
    ("flying height", "low", "high"),
    ("engine heat", "cool", "hot"),
    ("rotor hum", "soft", "harsh"),
    ("load", "light", "heavy"),
    ("take-off hour", "early", "late"),
    ("signal strength", "poor", "good"),
    ("wing flex", "stiff", "slack"),
    ("fuel mix", "lean", "rich"),
    ("hull sheen", "matt", "glossy"),
)
CAUSES = (
    "the wind in the valley", "repairs the night before", "dust in the air", "icing on the pass",
    "the fuel batch", "the age of the frame", "the skill of the ground crew", "stray birds",
    "magnetic storms", "wear in the bearings", "the clouds at noon", "the maker's batch",
    "moisture in the hangar", "the length of storage", "paint from the factory", "static charge",
)  # fmt: skip
