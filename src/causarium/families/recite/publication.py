"""The published release's own file format."""

from causarium.contract.companions import Publication
from causarium.families.recite.formats.dataset_files import read_released, write_released
from causarium.families.recite.instance import RecitePublic, ReciteSecret

PUBLICATION: Publication[RecitePublic, ReciteSecret] = Publication(
    read_released=read_released,
    write_released=write_released,
)
