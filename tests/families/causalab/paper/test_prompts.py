"""The words that open an episode: true to the instance and the rules, and replaceable."""

import re
import shutil
from pathlib import Path

import pytest

from causarium.errors import BadFile, UnknownName
from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import Hidden, LabConfig, LabRules
from causarium.families.causalab.paper.model.actions import BODY_ACTIONS, PAGE_ACTIONS
from causarium.families.causalab.paper.model.instance import FREQUENCY
from causarium.families.causalab.paper.play import prompts
from causarium.families.causalab.paper.play.dialog import DialogWorld
from causarium.families.causalab.paper.play.prompts import prompt
from causarium.families.causalab.paper.play.world import LabWorld

OURS = Path(prompts.__file__).parent / "prompts"
QUIRKY = LabRules(**dict.fromkeys(LabRules.quirks, True))


def draw(**config):
    return generate(LabConfig(level="test", **config), 0, 0)


def words(instance, **rules):
    return prompt(instance.public, LabRules(**rules)).user


PLAIN = draw(nodes=5)
READING = {"nodes": 4, "interventions": 0, "records": 6}


@pytest.mark.parametrize("interface", LabRules.interfaces)
@pytest.mark.parametrize("verification", ["none", "offered", "required"])
@pytest.mark.parametrize(
    "config",
    [
        {"nodes": 4},
        {"nodes": 4, "form": "quadratic"},
        {"nodes": 4, "golden": True},
        {"nodes": 4, "hidden": Hidden(count=2, frequency=True)},
        {"nodes": 4, "frequency_parent": True},
        {"nodes": 4, "records": 0},
        READING,
        {"nodes": 4, "edition": "paper", "golden": True, "hidden": Hidden()},
    ],
)
def test_every_slot_is_filled_and_nothing_stands_twice(interface, verification, config):
    instance = draw(**config)
    got = prompt(instance.public, LabRules(interface=interface, verification=verification))
    assert "$" not in got.system + got.user
    assert "\n\n\n" not in got.user
    paragraphs = [p for p in got.user.split("\n\n") if len(p) > 40]
    assert len(paragraphs) == len(set(paragraphs))


def test_all_readings_are_printed_in_listing_order():
    text = words(PLAIN)
    header = next(line for line in text.split("\n") if FREQUENCY in line.split())
    assert tuple(header.split()) == PLAIN.public.nodes
    for number, record in enumerate(PLAIN.public.records, 1):
        row = next(line for line in text.split("\n") if line.startswith(f"record {number}"))
        assert [float(cell) for cell in row.split()[2:]] == [*record.values, record.frequency]
    reactor = next(line for line in text.split("\n") if line.startswith("reactor"))
    assert reactor.split()[1:] == [*(f"{v:.2f}" for v in PLAIN.public.reactor), "?"]


def test_the_columns_of_a_table_are_aligned():
    lines = [line for line in words(PLAIN).split("\n") if line.startswith(("record", "manip"))]
    header = next(line for line in words(PLAIN).split("\n") if FREQUENCY in line.split())
    ends = [m.end() for m in re.finditer(r"\S+", header)]
    for line in lines[:2]:
        assert [m.end() for m in re.finditer(r"\d+\.\d\d", line)] == ends


def test_the_order_leak_prints_the_published_order_and_only_then():
    instance = draw(nodes=6, edition="paper")
    leaking, silent = words(instance, order_leak=True), words(instance)
    for text, order in ((leaking, instance.public.printed_order), (silent, instance.public.nodes)):
        header = next(line for line in text.split("\n") if FREQUENCY in line.split())
        assert tuple(header.split()) == order


def test_the_type_leak_prints_whole_values_bare():
    instance = draw(nodes=4, edition="paper")
    row = next(x for x in words(instance, type_leak=True).split("\n") if x.startswith("record 1"))
    assert "." not in row
    row = next(line for line in words(instance).split("\n") if line.startswith("record 1"))
    assert row.count(".") == 4


@pytest.mark.parametrize("interface", LabRules.interfaces)
def test_the_actions_that_are_described_are_those_the_world_takes(interface):
    for config in ({}, {"golden": True}):
        instance = draw(nodes=4, **config)
        for verification in ("none", "offered"):
            rules = LabRules(interface=interface, verification=verification)
            text = prompt(instance.public, rules).user
            described = set(re.findall(r"^- (\w+):", text, flags=re.MULTILINE))
            if interface == "dialog":
                assert described == {"go", "talk", "choose", "enter"}
                assert ('"desk"' in text) == (verification == "offered")
            elif rules.has_body:
                assert described == {kind.kind for kind in (*BODY_ACTIONS, *PAGE_ACTIONS)}
                assert ("notebook [4]" in text) == (verification == "offered")
            else:
                expected = {kind.kind for kind in LabWorld(instance, rules).allowed_actions}
                assert described == expected


@pytest.mark.parametrize("interface", LabRules.interfaces)
def test_the_stated_turns_are_the_worlds(interface):
    rules = LabRules(interface=interface)
    world = (DialogWorld if rules.has_dialogs else LabWorld)(PLAIN, rules)
    assert f"after {world.max_turns} turns" in prompt(PLAIN.public, rules).user


def test_the_plain_interface_asks_for_no_hypothesis():
    text = prompt(PLAIN.public, LabRules(interface="plain"))
    assert "hypothesis" not in text.user + text.system
    assert '"edges"' in words(PLAIN, interface="plain", verification="required")


def test_a_chain_says_where_each_entry_goes_on_unless_it_must_not():
    instance = draw(nodes=4, golden=True, edition="paper")
    first = next(i for i, s in enumerate(instance.public.chain) if s.property)
    start = instance.public.chain[first].continues
    assert start == 0
    assert first == 2
    assert f"entry {first}: goes on from entry {start}," in words(instance)
    unstated = words(instance, unstated_chain_start=True)
    assert "goes on from" not in unstated
    assert f"entry {first}: {instance.public.chain[first].property} put to" in unstated


def test_notices_are_given_where_they_apply_and_nowhere_else():
    hidden = words(draw(nodes=4, hidden=Hidden(span=50)))
    assert "not on the frequency itself" in hidden
    assert "disturbed" not in words(PLAIN)
    assert "may itself act on properties" in words(draw(nodes=4, frequency_parent=True))
    assert "acts on nothing" in words(PLAIN)
    assert "c2_NAME*NAME^2" in words(draw(nodes=4, form="hard-quadratic"))
    assert "No interventions can be made" in words(draw(**READING))
    assert "no records" in words(draw(nodes=4, records=0))


def test_the_paper_edition_says_how_many_submissions_there_are():
    assert "3 submissions" in prompt(PLAIN.public, QUIRKY).user
    assert "You can do so once" in words(PLAIN)


def test_nothing_of_the_secret_is_said():
    for interface in LabRules.interfaces:
        text = words(PLAIN, interface=interface)
        assert f"{PLAIN.secret.target:.2f}" not in text
        for edge in PLAIN.secret.edges:
            assert f"{edge.cause} ->" not in text


def own_folder(tmp_path):
    for name in ("system", "task", "reply_json"):
        shutil.copy(OURS / f"{name}.md", tmp_path)
    return LabRules(prompts=str(tmp_path))


def test_a_folder_of_ones_own_replaces_the_texts_it_holds(tmp_path):
    rules = own_folder(tmp_path)
    (tmp_path / "system.md").write_text("Mind the $frequency.", encoding="utf-8")
    (tmp_path / "semantics_set.md").write_text("Twiddle.", encoding="utf-8")
    got = prompt(PLAIN.public, rules)
    assert got.system == "Mind the resonanceFreq."
    assert "Twiddle." in got.user


def spoil(text, folder, name="task"):
    (folder / f"{name}.md").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Nothing.", r"task\.md lacks the slots \$chain, \$crystals"),
        ("A $ sign.", r"write \$\$ for a dollar sign"),
    ],
)
def test_a_task_text_with_wrong_slots_is_refused(tmp_path, text, said):
    rules = own_folder(tmp_path)
    spoil(text, tmp_path)
    with pytest.raises(BadFile, match=said):
        prompt(PLAIN.public, rules)


def test_an_unknown_slot_is_refused_with_those_that_exist(tmp_path):
    rules = own_folder(tmp_path)
    spoil("Hello $nobody.", tmp_path, "system")
    with pytest.raises(BadFile, match=r"unknown slots \$nobody; it may use .*\$frequency"):
        prompt(PLAIN.public, rules)


def test_a_folder_without_a_needed_text_is_refused(tmp_path):
    rules = own_folder(tmp_path)
    (tmp_path / "reply_json.md").unlink()
    with pytest.raises(BadFile, match=r"lacks reply_json\.md; this interface needs system\.md"):
        prompt(PLAIN.public, rules)


def test_a_text_with_a_misspelt_name_is_refused_with_the_nearest(tmp_path):
    rules = own_folder(tmp_path)
    spoil("x", tmp_path, "semantic_set")
    with pytest.raises(UnknownName, match="did you mean 'semantics_set'"):
        prompt(PLAIN.public, rules)


def test_a_text_that_is_not_utf8_is_refused(tmp_path):
    rules = own_folder(tmp_path)
    (tmp_path / "system.md").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(BadFile, match="cannot read the prompt text"):
        prompt(PLAIN.public, rules)


@pytest.mark.parametrize("interface", LabRules.interfaces)
def test_nobody_without_a_budget_is_told_to_experiment(interface):
    for config in ({"nodes": 4, "golden": True}, READING):
        text = words(draw(**config), interface=interface)
        assert "No interventions can be made" in text
        assert "you can experiment" not in text.lower()
        assert "can be read in full" in text
    assert "you can experiment" in words(PLAIN, interface=interface).lower()


def test_a_chain_prints_every_digit_of_a_value_and_no_negative_zero():
    public = draw(nodes=4, golden=True).public
    number = next(i for i, step in enumerate(public.chain) if step.property)
    reading = public.chain[number].reading.model_copy(update={"frequency": -0.0})
    step = public.chain[number].model_copy(update={"value": 9999.999, "reading": reading})
    chain = (*public.chain[:number], step, *public.chain[number + 1 :])
    text = prompt(public.model_copy(update={"chain": chain}), LabRules()).user
    row = next(line for line in text.split("\n") if line.startswith(f"entry {number}:"))
    assert f"{step.property} put to 9999.999 " in row
    assert row.split()[-1] == "0.00"
