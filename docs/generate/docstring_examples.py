"""Docstrings say `Example:`; the reader of docstrings knows examples as `Examples:`."""

from typing import Any

import griffe


class DocstringExamples(griffe.Extension):  # type: ignore[misc, unused-ignore]
    """Has examples shown as sessions, not as words."""

    def on_object(self, *, obj: Any, **_: Any) -> None:  # noqa: ANN401
        """Rename the section of one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = obj.docstring.value.replace("Example:\n", "Examples:\n")
