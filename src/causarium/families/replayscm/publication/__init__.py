"""The published release's own file format, and its sets by name."""

from causarium.contract.companions import Publication, Release
from causarium.families.replayscm.model.instance import ReplayPublic, ReplaySecret
from causarium.families.replayscm.publication.write_release import read_released, write_released

PUBLICATION: Publication[ReplayPublic, ReplaySecret] = Publication(
    read_released=read_released,
    write_released=write_released,
    release=Release(),
)
