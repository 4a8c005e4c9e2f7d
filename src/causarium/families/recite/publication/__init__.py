"""The published release: its own file format, and its own words."""

from causarium.contract.companions import Publication, Release
from causarium.families.recite.model.instance import RecitePublic, ReciteSecret
from causarium.families.recite.publication.dataset_files import read_released, write_released
from causarium.families.recite.publication.released_words import play_release

PUBLICATION: Publication[RecitePublic, ReciteSecret] = Publication(
    read_released=read_released,
    write_released=write_released,
    release=Release(play=play_release),
)
