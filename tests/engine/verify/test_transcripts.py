"""What is scored follows from what the model said: every reply of a log is read again."""

import re
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, EvalSample, EvalSampleLimit
from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentReasoning,
    ContentText,
    ContentToolUse,
    GenerateConfig,
    UrlCitation,
)
from inspect_ai.tool import ToolCallError

from causarium import families
from causarium.api.verify import verify_logs
from causarium.contract.episode import Episode, play
from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.texts.say_action import Unsayable, visible_fields
from causarium.contract.world import Program, Unparsed
from causarium.engine.play.inspect_episode import ASKED, begin_repair
from causarium.engine.record.episode_record import CALLS_KEY, METADATA_KEY, REPAIRS_KEY, TURNS_KEY
from causarium.engine.task.family_task import as_score
from tests.support.inspect_runs import run_task, task_of
from tests.support.scripted import in_turn, scripted_model
from tests.support.tampered_logs import samples_of, tamper

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
BAD = ["I cannot decide.", "{'a': (1,)}", "<think>{</think>", ""]
QUICK = {
    ("causallink", "json", "certified"),
    ("causallink", "tools", "certified"),
    ("causalab", "json", "certified"),
    ("recite", "json", "certified"),
    ("replayscm", "json", "certified"),
}


def list_seats():
    """Return every family, interface and edition that a model can play without a sandbox."""
    seats = []
    for name in families.names():
        family = families.get(name)
        for edition in ("certified", "paper"):
            for interface in family.for_edition(edition).rules.interfaces:
                rules = family.rules_for(edition, interface=interface)
                if rules.is_interface_installed():
                    seat = name, interface, edition
                    marks = () if seat in QUICK else pytest.mark.slow
                    seats.append(pytest.param(*seat, marks=marks))
    return seats


def play_model(folder, name, edition, says, turn_limit=60, **given) -> Path:
    """Let a scripted model play the first instance of the smoke set; returns the log."""
    task = task_of(families.get(name), edition=edition, **given)
    model = scripted_model(in_turn(says))
    log = run_task(task, folder, model, limit=1, turn_limit=turn_limit)
    return Path(log.location.removeprefix("file://"))


def write_replies(name: str, edition: str, interface: str, player: str, rung: int | None = None):
    """Return what a model would say that plays like a player, with some replies that are none.

    It plays the first instance of the smoke set, or of its `rung`.
    """
    family = families.get(name, edition)
    rules = family.rules_for(edition, interface=interface)
    rungs = None if rung is None else range(rung, rung + 1)
    instance = generate_set(family, edition, "smoke", rungs=rungs)[0]
    says = []
    for place, turn in enumerate(play(family, instance, rules, player).turns):
        move = turn.move(family.actions)
        if isinstance(move, Unparsed | Program):
            continue
        if place < 2:
            says.append(BAD[place])
        if interface in family.rules.tool_interfaces:
            says.append((move.kind, visible_fields(move)))
        else:
            try:
                says.append(family.replies.write(move, rules))
            except Unsayable:
                continue
    return says or [""]


@pytest.mark.parametrize(("name", "interface", "edition"), list_seats())
@pytest.mark.parametrize("player", ["random", "oracle"])
def test_honest_runs_of_every_interface_are_verified(tmp_path, name, interface, edition, player):
    says = write_replies(name, edition, interface, player)
    log = play_model(tmp_path, name, edition, says, interface=interface)
    (run,) = verify_logs(log)
    assert (run.verified, run.reasons) == (1, {})


def test_a_longer_opening_hides_no_reply(tmp_path):
    log = play_model(tmp_path, "replayscm", "certified", ["no", *["maybe"] * 9], interface="json")

    def hide(content: EvalLog) -> None:
        (sample,) = samples_of(content)
        sample.input = sample.messages[:3]
        del sample.store[TURNS_KEY][0]

    tamper(log, hide)
    assert not verify_logs(log)[0].verified


def add_hint(where):
    def hint(sample: EvalSample) -> None:
        sample.messages[where].content += " (Hint: X1 is (not X2).)"

    return hint


def add_message(sample: EvalSample) -> None:
    sample.messages.insert(1, ChatMessageSystem(content="The answer is always yes."))


def show_too_early(sample: EvalSample) -> None:
    sample.messages.insert(2, ChatMessageUser(content=sample.store[TURNS_KEY][-1]["observation"]))


def show_early_alone(sample: EvalSample) -> None:
    said = [one for one in sample.messages if one.role == "assistant"]
    *opening, last = [one for one in sample.messages if one.role != "assistant"]
    sample.messages = [*opening[:2], last, *said]


def drop_all(sample: EvalSample) -> None:
    sample.messages = [one for one in sample.messages if one.role == "assistant"]


def add_picture(sample: EvalSample) -> None:
    words = ContentText(text=sample.messages[1].text)
    sample.messages[1].content = [words, ContentImage(image="data:image/png;base64,iVBORw==")]


def turn_words(sample: EvalSample) -> None:
    sample.messages[3].content = " ".join(reversed(sample.messages[3].text.split()))


def reply_before_all(sample: EvalSample) -> None:
    sample.messages.insert(0, sample.messages.pop(2))


def swap_roles(sample: EvalSample) -> None:
    system, user, *others = sample.messages
    turned = [ChatMessageUser(content=system.text), ChatMessageSystem(content=user.text)]
    sample.messages = [*turned, *others]


def answer_as_system(sample: EvalSample) -> None:
    sample.messages[3] = ChatMessageSystem(content=sample.messages[3].text)


def show_an_old_answer(sample: EvalSample) -> None:
    sample.messages[5].content = sample.messages[3].text


def draw_with_commas(sample: EvalSample) -> None:
    sample.messages[1].content += "\r,   , ,,,,\r , ,  ,"


def hide_in_a_part(sample: EvalSample) -> None:
    words = ContentText(text=sample.messages[1].text)
    sample.messages[1].content = [words, ContentReasoning(reasoning="It is yes.")]


def cite(sample: EvalSample) -> None:
    said = sample.messages[2].text
    found = UrlCitation(cited_text="It is yes.", url="https://example.org")
    sample.messages[2].content = [ContentText(text=said, citations=[found])]


def answer_as_tool(sample: EvalSample) -> None:
    sample.messages[3] = ChatMessageTool(content=sample.messages[3].text)


def hide_behind_a_refusal(sample: EvalSample) -> None:
    text = sample.messages[3].text
    error = ToolCallError("unknown", f"{text[-9:]}{' ' * 600}It is yes.")
    sample.messages[3] = ChatMessageTool(content=text[:-9], error=error)


def find_it_elsewhere(sample: EvalSample) -> None:
    found = ContentToolUse(
        tool_type="web_search", id="1", name="search", arguments="", result="It is yes."
    )
    sample.messages[2].content = [found, ContentText(text=sample.messages[2].text)]


@pytest.mark.parametrize(
    "edit",
    [
        *map(add_hint, (0, 1, 3)),
        add_message,
        show_too_early,
        show_early_alone,
        drop_all,
        add_picture,
        turn_words,
        reply_before_all,
        swap_roles,
        answer_as_system,
        show_an_old_answer,
        draw_with_commas,
        find_it_elsewhere,
        hide_in_a_part,
        cite,
        answer_as_tool,
        hide_behind_a_refusal,
    ],
)
def test_a_hint_in_what_the_model_was_shown_is_seen(tmp_path, edit):
    says = write_replies("causallink", "certified", "json", "oracle", rung=2)
    log = play_model(tmp_path, "causallink", "certified", says, interface="json", rungs="2")
    assert verify_logs(log)[0].verified
    tamper(log, lambda content: edit(samples_of(content)[0]))
    (reason,) = verify_logs(log)[0].reasons
    assert reason.startswith("turns: the model was shown")


def test_each_call_of_a_reply_is_shown_its_own_answer(tmp_path):
    said = write_replies("causallink", "certified", "tools", "exact", rung=2)
    first, second, *later = [call for call in said if isinstance(call, tuple)]
    says = [[first, second], *later]
    log = play_model(tmp_path, "causallink", "certified", says, interface="tools", rungs="2")
    assert verify_logs(log)[0].verified

    def repeat(content: EvalLog) -> None:
        shown = [one for one in samples_of(content)[0].messages if one.role == "tool"]
        assert shown[0].text != shown[1].text
        shown[1].content = shown[0].text

    tamper(log, repeat)
    assert not verify_logs(log)[0].verified


def test_a_hint_that_was_never_sent_is_seen(tmp_path):
    log = play_model(tmp_path, "recite", "certified", [""], interface="json", context=500)
    assert verify_logs(log)[0].verified
    tamper(log, lambda content: add_hint(1)(samples_of(content)[0]))
    assert not verify_logs(log)[0].verified


def test_a_limit_right_after_the_check_is_no_flaw(tmp_path):
    says = write_replies("replayscm", "certified", "json", "oracle")[-1:]
    rules = {"interface": "json", "recheck": True, "turn_limit": 1}
    log = play_model(tmp_path, "replayscm", "certified", says, **rules)
    assert verify_logs(log)[0].verified


def drop_answers(sample: EvalSample) -> None:
    sample.messages = [one for n, one in enumerate(sample.messages) if n < 2 or n % 2 == 0]


def drop_the_check(sample: EvalSample) -> None:
    sample.messages = [one for one in sample.messages if one.text != ASKED]


def play_with_a_check(folder) -> Path:
    says = write_replies("causallink", "certified", "json", "oracle")
    says.append(says[-1])
    log = play_model(folder, "causallink", "certified", says, interface="json", recheck=True)
    assert verify_logs(log)[0].verified
    return log


@pytest.mark.parametrize("edit", [drop_answers, drop_the_check])
def test_answers_that_the_model_was_not_shown_are_noticed(tmp_path, edit):
    log = play_with_a_check(tmp_path)
    tamper(log, lambda content: edit(samples_of(content)[0]))
    (reason,) = verify_logs(log)[0].reasons
    assert reason.startswith("turns: the model was not shown what its reply")


def test_the_check_before_an_answer_is_not_shown_sooner(tmp_path):
    log = play_with_a_check(tmp_path)

    def show(content: EvalLog) -> None:
        samples_of(content)[0].messages[3].content = ASKED

    tamper(log, show)
    wrong = "turns: the model was shown words that are not the family's"
    assert list(verify_logs(log)[0].reasons) == [wrong]


def test_a_release_hides_nothing_in_the_certified_edition(tmp_path):
    log = play_model(tmp_path, "causallink", "certified", ["no"], interface="json")

    def claim(content: EvalLog) -> None:
        (sample,) = samples_of(content)
        for holder in (content.eval.metadata["card"], sample.metadata["causarium"]):
            holder["rules"]["release"] = "/nowhere"
        content.eval.metadata["card"]["changed"] = ["release"]
        add_hint(1)(sample)

    tamper(log, claim)
    assert list(verify_logs(log)[0].reasons) == ["turns: a release belongs to the paper edition"]


@pytest.mark.parametrize(
    "settings", [{"system_message": "Say yes."}, {"extra_body": {"messages": []}}]
)
def test_words_of_a_users_own_are_named(tmp_path, settings):
    log = play_model(tmp_path, "causallink", "certified", ["no"], interface="json")

    def add(content: EvalLog) -> None:
        content.eval.model_generate_config = GenerateConfig(**settings)

    tamper(log, add)
    (run,) = verify_logs(log)
    (name,) = settings
    assert run.notes == (f"words other than the family's were sent, and are not checked: {name}",)


def test_a_hint_in_the_error_of_a_call_is_seen(tmp_path):
    says = [("run", {"move": []}), ("answer", {"answer": "yes"})]
    log = play_model(tmp_path, "causallink", "certified", says, interface="tools")

    def hint(content: EvalLog) -> None:
        (sample,) = samples_of(content)
        told = next(one for one in sample.messages if one.role == "tool")
        told.error = ToolCallError("unknown", "The answer is yes.")

    assert verify_logs(log)[0].verified
    tamper(log, hint)
    assert not verify_logs(log)[0].verified


@pytest.mark.parametrize("name", families.names())
def test_calls_that_inspect_refuses_are_no_foreign_words(tmp_path, name):
    says = [("nonsense", {"a": 1}), ("answer", {"nonsense": 2}), *[""] * 8]
    log = play_model(tmp_path, name, "certified", says, interface="tools")
    (run,) = verify_logs(log)
    assert (run.verified, run.reasons) == (1, {})


def test_a_limit_that_the_run_does_not_have_hides_no_reply(tmp_path):
    log = play_model(tmp_path, "replayscm", "certified", ["no", *["maybe"] * 9], interface="json")

    def hide(content: EvalLog) -> None:
        (sample,) = samples_of(content)
        sample.limit = EvalSampleLimit(type="message", limit=3)
        del sample.store[TURNS_KEY][-1]

    tamper(log, hide)
    assert list(verify_logs(log)[0].reasons) == [
        "turns: a limit ended it that its run does not have (message)"
    ]


def paste_oracle(log: Path, name: str, edition: str, interface: str) -> None:
    """Put an oracle's turns and score into a log, and leave the model's replies as they are."""
    family = families.get(name)
    rules = family.rules_for(edition, interface=interface)
    instance = generate_set(family, edition, "smoke", limit=1)[0]
    episode = play(family, instance, rules, "oracle")

    tamper(log, lambda content: forge(samples_of(content)[0], episode))


def forge(sample: EvalSample, episode: Episode) -> None:
    """Put the turns and the score of an episode into a sample."""
    sample.store[TURNS_KEY] = [turn.model_dump(mode="json") for turn in episode.turns]
    for score in (sample.scores or {}).values():
        forged = as_score(episode.score())
        score.value, score.metadata = forged.value, forged.metadata


@pytest.mark.parametrize(("name", "interface", "edition"), list_seats())
def test_turns_that_the_model_never_said_are_flagged(tmp_path, name, interface, edition):
    log = play_model(tmp_path, name, edition, [""], interface=interface)
    assert verify_logs(log)[0].is_verified or verify_logs(log)[0].verified == 1
    paste_oracle(log, name, edition, interface)
    (run,) = verify_logs(log)
    assert run.verified == 0
    assert all(reason.startswith("turns: ") for reason in run.reasons)


def test_a_check_before_the_answer_is_followed(tmp_path):
    says = write_replies("causallink", "certified", "tools", "oracle")
    log = play_model(
        tmp_path, "causallink", "certified", [*says, says[-1]], interface="tools", recheck="true"
    )
    assert verify_logs(log)[0].reasons == {}


def test_agents_of_ones_own_are_followed_by_their_calls(tmp_path):
    says = write_replies("causallink", "certified", "tools", "oracle")
    says = [call for call in says if isinstance(call, tuple)]
    own = {"agent": f"{EXAMPLES / 'react_agent.py'}@react_agent", "agent_boundary": "none"}
    log = play_model(tmp_path, "causallink", "certified", says, **own)
    (run,) = verify_logs(log)
    assert run.reasons == {}
    assert "what the agent called is as it passed its wall" in run.notes

    def change(content: EvalLog) -> None:
        (sample,) = samples_of(content)
        sample.store["causarium:calls"] = []

    tamper(log, change)
    assert verify_logs(log)[0].verified == 0


def test_a_log_without_what_was_said_is_not_verified(tmp_path):
    says = write_replies("causallink", "certified", "json", "oracle")
    log = play_model(tmp_path, "causallink", "certified", says, interface="json")

    def change(content: EvalLog) -> None:
        (sample,) = samples_of(content)
        sample.messages = sample.messages[:2]

    tamper(log, change)
    (run,) = verify_logs(log)
    assert run.reasons == {"turns: turn 1 is none that the model said": 1}


def paste_calls(content: EvalLog) -> None:
    """Say that an agent without a name made the calls that the pasted turns would follow from."""
    (sample,) = samples_of(content)
    sample.metadata[METADATA_KEY]["agent"] = ""
    made = [dict(turn["action"]) for turn in sample.store[TURNS_KEY]]
    sample.store[CALLS_KEY] = [[call.pop("kind"), call, 0] for call in made]


def test_an_agent_without_a_name_makes_no_calls_of_its_own(tmp_path):
    log = play_model(tmp_path, "causallink", "certified", [""], interface="tools")
    paste_oracle(log, "causallink", "certified", "tools")
    tamper(log, paste_calls)
    assert list(verify_logs(log)[0].reasons) == ["turns: turn 1 is not what the model said"]


@pytest.mark.parametrize("kind", ["operator", "custom", "context"])
def test_no_kind_of_limit_hides_the_last_reply(tmp_path, kind):
    log = play_model(tmp_path, "replayscm", "certified", ["no", *["maybe"] * 9], interface="json")

    def hide(content: EvalLog) -> None:
        (sample,) = samples_of(content)
        sample.limit = EvalSampleLimit(type=kind, limit=3)
        del sample.store[TURNS_KEY][-1]

    tamper(log, hide)
    assert verify_logs(log)[0].verified == 0


def test_a_helper_that_the_run_does_not_have_mends_nothing(tmp_path):
    family = families.get("recite")
    (oracle,) = write_replies("recite", "paper", "json", "oracle")[-1:]
    # Prose that names every node, so that a helper could make the whole graph of it.
    said = "I see " + ", ".join(sorted(set(re.findall(r'"([^"]+)"', oracle))))
    log = play_model(tmp_path, "recite", "paper", [said], interface="json")
    assert verify_logs(log)[0].verified == 1
    rules = family.rules_for("paper", interface="json")
    instance = generate_set(family, "paper", "smoke", limit=1)[0]
    episode = Episode(family, instance, rules)
    consultation, _ = begin_repair(episode, episode.parse_reply(said))
    with pytest.raises(StopIteration) as end:
        consultation.send(oracle)
    episode.take(end.value.value)

    def mend(content: EvalLog) -> None:
        (sample,) = samples_of(content)
        first = next(n for n, each in enumerate(sample.messages) if each.role == "assistant")
        sample.messages = sample.messages[: first + 1]
        sample.store[REPAIRS_KEY] = [{"turn": 0, "replies": [oracle]}]
        forge(sample, episode)

    tamper(log, mend)
    assert list(verify_logs(log)[0].reasons) == ["turns: turn 1 is not what the model said"]
