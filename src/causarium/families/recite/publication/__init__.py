"""The published release's own file format."""

from causarium.contract.companions import Publication
from causarium.families.recite.model.instance import RecitePublic, ReciteSecret
from causarium.families.recite.publication.dataset_files import read_released, write_released

PUBLICATION: Publication[RecitePublic, ReciteSecret] = Publication(
    read_released=read_released,
    write_released=write_released,
)
