"""The published release's own file format."""

from causarium.contract.companions import Publication
from causarium.families.replayscm.formats.write_release import read_released, write_released
from causarium.families.replayscm.instance import ReplayPublic, ReplaySecret

PUBLICATION: Publication[ReplayPublic, ReplaySecret] = Publication(
    read_released=read_released,
    write_released=write_released,
)
