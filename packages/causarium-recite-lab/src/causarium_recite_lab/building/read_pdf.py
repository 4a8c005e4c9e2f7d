"""A PDF as plain text, page by page, by PyMuPDF (the extra `recite`)."""

from importlib import import_module
from pathlib import Path

from causarium.errors import UsageError
from causarium_recite_lab.building.paper_folder import StepFailed

LEAST_CHARS = 200
"""With less text than this, a PDF is pictures of pages."""


def pdf_text(path: Path) -> str:
    """Return the text of a PDF, pages apart by form feeds.

    Raises:
        UsageError: PyMuPDF is not installed.
        StepFailed: It is no PDF, is locked, or has no text.
    """
    try:
        pymupdf = import_module("pymupdf")
    except ImportError as missing:
        raise UsageError(
            f"reading {path.name} needs PyMuPDF: pip install 'causarium[recite]'"
        ) from missing
    try:
        with pymupdf.open(path, filetype="pdf") as document:
            locked = bool(document.needs_pass)
            pages = [] if locked else [str(page.get_text("text")) for page in document]
    except Exception as wrong:
        # What PyMuPDF raises for a damaged file has no common base.
        raise StepFailed(f"{path} cannot be read as a PDF ({wrong}); get it again") from wrong
    if locked:
        raise StepFailed(f"{path} is locked by a password; put an open copy in its place")
    text = "\f".join(pages)
    if len("".join(text.split())) < LEAST_CHARS:
        raise StepFailed(
            f"{path} has {len(pages)} pages and no text to speak of: they are pictures; run it "
            "through text recognition, or put a source.txt beside it and take the PDF away"
        )
    return text
