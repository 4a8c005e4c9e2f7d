"""The published release's own file format."""

from causarium.contract.companions import Publication
from causarium.families.causalab.formats.read_suite import read_suite
from causarium.families.causalab.formats.write_suite import write_suite
from causarium.families.causalab.instance import LabPublic, LabSecret

PUBLICATION: Publication[LabPublic, LabSecret] = Publication(
    read_released=read_suite,
    write_released=write_suite,
)
