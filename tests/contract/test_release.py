"""Releases: recognised by content, file by file, and read without running anything."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.release import (
    ModelRules,
    Protocol,
    ReleaseCard,
    ReleaseFile,
    inspect_release,
    make_template,
    open_release,
)
from causarium.errors import BadFile, UnknownName, UsageError

OLD = {"words.py": "WORDS = {'ask': 'Old {}?'}\n", "more/rubric.md": "Be kind.\n"}
NEW = {"words.py": "WORDS = {'ask': 'New {}?'}\n", "more/rubric.md": "Be strict.\n"}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


CARD = ReleaseCard(
    name="Lamps",
    url="https://example.org/lamps",
    licence="MIT",
    commits={"bbbbbbbbbb": "2026-02-01", "aaaaaaaaaa": "2026-01-01"},
    files=(
        *(
            ReleaseFile(
                path=path,
                role="prompts",
                says="words",
                known={"bbbbbbbbbb": _hash(NEW[path]), "aaaaaaaaaa": _hash(OLD[path])},
            )
            for path in OLD
        ),
        ReleaseFile(
            path="data.csv",
            role="instances",
            says="rows",
            known={"bbbbbbbbbb": _hash("1\n")},
            optional=True,
        ),
    ),
    protocol=Protocol(
        says="as published",
        rules={"continuations": 1},
        models=(ModelRules(named=("mistral",), rules={"join_system": True}),),
    ),
)


def _write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@pytest.mark.parametrize(("files", "commit"), [(OLD, "aaaaaaaaaa"), (NEW, "bbbbbbbbbb")])
def test_a_known_state_is_named_by_its_commit(tmp_path, files, commit):
    found = open_release(CARD, _write(tmp_path, files))
    assert (found.commit, found.flaws) == (commit, ())
    assert found.describe() == f"Lamps {commit[:7]}"
    assert found.read("more/rubric.md") == files["more/rubric.md"]
    assert found.read_constant("words.py", "WORDS")["ask"] in files["words.py"]


@pytest.mark.parametrize(
    ("files", "flaws"),
    [
        ({**NEW, "words.py": "WORDS = {}"}, ("words.py is changed",)),
        ({"words.py": NEW["words.py"]}, ("more/rubric.md is missing",)),
        ({**NEW, "words.py": OLD["words.py"]}, ("its files are of different commits",)),
        ({**NEW, "data.csv": "2\n"}, ("data.csv is changed",)),
        (
            {"words.py": "x", "more/rubric.md": "y"},
            ("words.py is changed", "more/rubric.md is changed"),
        ),
    ],
)
def test_an_unknown_state_is_named_file_by_file_and_refused_unless_asked_for(
    tmp_path, files, flaws
):
    root = _write(tmp_path, files)
    with pytest.raises(UsageError, match="not in a known state") as refused:
        open_release(CARD, root)
    assert all(flaw in str(refused.value) for flaw in flaws)
    assert "--release-anyway" in str(refused.value)
    found = open_release(CARD, root, anyway=True)
    assert (found.commit, found.flaws) == (None, flaws)
    assert found.describe() == f"Lamps, unknown state: {'; '.join(flaws)}"


def test_a_changed_byte_is_another_digest(tmp_path):
    first = open_release(CARD, _write(tmp_path / "a", NEW)).digest
    changed = {**NEW, "words.py": NEW["words.py"] + "#"}
    assert inspect_release(CARD, _write(tmp_path / "b", changed)).digest != first
    assert open_release(CARD, _write(tmp_path / "c", NEW)).digest == first


def test_a_folder_that_is_no_release_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"is not a release of Lamps: .*clone https://example"):
        inspect_release(CARD, _write(tmp_path, {"README.md": "x"}))
    with pytest.raises(UsageError, match="is not a folder"):
        inspect_release(CARD, tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"WORDS = (", "is not Python"),
        (b"\xff\xfe", "cannot read words.py"),
        (b"WORDS = open('x')", "assigns no plain value to WORDS"),
        (b"OTHER = 1", "assigns no plain value to WORDS"),
    ],
)
def test_a_broken_file_is_named(tmp_path, text, message):
    _write(tmp_path, NEW)
    (tmp_path / "words.py").write_bytes(text)
    found = open_release(CARD, tmp_path, anyway=True)
    with pytest.raises(BadFile, match=message):
        found.read_constant("words.py", "WORDS")


def test_a_missing_file_is_named_when_it_is_read(tmp_path):
    found = inspect_release(CARD, _write(tmp_path, {"words.py": NEW["words.py"]}))
    with pytest.raises(BadFile, match=r"cannot read more/rubric.md .*No such file"):
        found.read("more/rubric.md")


def test_the_protocol_knows_its_name_and_its_models():
    assert CARD.find_protocol("published").rules_for("openai/gpt-5") == {"continuations": 1}
    assert CARD.protocol.rules_for("hf/Mistral-7B") == {"continuations": 1, "join_system": True}
    assert CARD.protocol.rules_for(None) == {"continuations": 1}
    with pytest.raises(UnknownName, match="did you mean 'published'"):
        CARD.find_protocol("publish")


PIECES = st.lists(st.one_of(st.none(), st.text("ab ${}\n", max_size=8)), max_size=6)


@given(PIECES, st.data())
def test_a_format_becomes_a_template_that_says_the_same(pieces, data):
    text = "".join(
        "{}" if piece is None else piece.replace("{", "{{").replace("}", "}}") for piece in pieces
    )
    slots = [f"slot{place}" for place in range(pieces.count(None))]
    values = data.draw(st.lists(st.text(max_size=5), min_size=len(slots), max_size=len(slots)))
    filled = make_template(text, slots).substitute(dict(zip(slots, values, strict=True)))
    assert filled == text.format(*values)


@pytest.mark.parametrize("text", ["{", "{} {}", "{name}", "none"])
def test_a_format_with_other_fields_is_refused(text):
    with pytest.raises(BadFile, match="a text of the release"):
        make_template(text, ["one"])


@pytest.mark.parametrize("text", ["name = ", "name = 3"])
def test_a_card_that_is_none_is_told(tmp_path, text):
    (tmp_path / "release.toml").write_text(text)
    with pytest.raises(BadFile, match="is not a release card"):
        ReleaseCard.load(tmp_path)
