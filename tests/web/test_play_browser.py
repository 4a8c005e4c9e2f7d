"""A newcomer finishes a game in each family: by pressing and typing words and numbers, no JSON."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from causarium import families
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_sets import generate_one
from causarium.families.causalgame.certified.mechanics.legs import find_best
from causarium.families.replayscm.paper.model.instance import gold_formulas
from causarium.scm.boolean.formula import parse_formula, value
from causarium.seeds import stream
from tests.web.browsing import MARKS, looks_right, open_page

pytestmark = MARKS


@pytest.fixture(
    params=[
        pytest.param((390, "dark"), id="phone", marks=pytest.mark.long),
        pytest.param((1280, "light"), id="desk"),
    ]
)
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    with open_page(browser, *request.param) as page:
        yield page


def start(
    page: Any,
    served: str,
    family: str,
    number: int = 0,
    *,
    set_name: str = "smoke",
    edition: Edition = "certified",
) -> Any:
    """Begin a case from its page; returns the instance."""
    page.goto(f"{served}/families/{family}/{edition}/{set_name}/{number}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/games/**")
    looks_right(page)
    return generate_one(families.get(family), edition, set_name, number)


def press(page: Any, name: str | re.Pattern[str]) -> None:
    """Press a button by the keyboard alone, and wait for the page that follows."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=isinstance(name, str)).press("Enter")


def see_problem(page: Any, words: str) -> None:
    page.locator("#alert", has_text=words).wait_for()
    assert "Nothing was spent." in page.locator("#alert").inner_text()
    box = page.locator("#alert").bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= page.viewport_size["height"] - box["height"]


def hear_result(page: Any, words: str, focused: str) -> None:
    """Assert that a move's result is spoken, and that focus is where one goes on."""
    page.locator("#said", has_text=words).wait_for(state="attached")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == focused or (
        page.evaluate("document.activeElement.textContent") == focused
    )


def see_end(page: Any, sentence: str) -> None:
    page.locator("h1", has_text=sentence).wait_for()
    page.locator("table.beside tr.you").wait_for()
    assert page.locator("table.beside tbody tr").count() >= 3
    looks_right(page)
    assert "{" not in page.locator("main").inner_text().partition("All that only")[0]


def draw_arrow(page: Any, cause: str, effect: str) -> None:
    canvas = page.locator(".arrow-canvas")
    for name in (cause, effect):
        canvas.get_by_role("button", name=name, exact=True).press("Enter")


def test_causallink(page: Any, served: str) -> None:
    instance = start(page, served, "causallink", 2)
    asked = instance.public.asked
    page.get_by_label(f"What to do with the {asked}").select_option("start")
    press(page, "Make this trial")
    assert "2 of 3 trials left" in page.locator(".meta").inner_text()
    assert page.locator("table.trials td.new").count() == len(instance.public.objects) + 1
    hear_result(page, "2 of 3 trials left", "Make this trial")
    press(page, "Yes, it does" if instance.secret.truth else "No")
    see_end(page, "Right")
    press(page, "Next case")
    assert "/games/" in page.url


def test_causalab(page: Any, served: str) -> None:
    """Keyboard alone, to the end: hold, read, go to the question, answer."""
    instance = start(page, served, "causalab", 4)
    public = instance.public
    page.get_by_role("button", name="Make this experiment").press("Enter")
    see_problem(page, "Choose what to hold")
    assert "5 of 5 experiments left" in page.locator(".meta").inner_text()
    page.get_by_label(f"Hold {public.holdable[0]}").select_option("up")
    press(page, "Make this experiment")
    assert "4 of 5 experiments left" in page.locator(".meta").inner_text()
    assert page.locator("table.read thead th").count() == 3
    press(page, "Go to the questions")
    page.get_by_role("heading", name=re.compile("^Your answer")).wait_for()
    looks_right(page)
    page.locator("#answer-0").select_option(instance.secret.answers[0])
    press(page, "Hand in")
    see_end(page, "Right")


def test_causalgame(page: Any, served: str) -> None:
    """Keyboard alone, to the end: a choice left out, then the decision."""
    instance = start(page, served, "causalgame")
    assert page.locator("figure svg").count() >= len(instance.public.legs)
    looks_right(page)
    page.get_by_role("button", name="Hand in").press("Enter")
    see_problem(page, "Choose fitted or bare.")
    legs = zip(instance.public.legs, instance.secret.legs, strict=True)
    for number, (leg, hidden) in enumerate(legs, 1):
        best = find_best(leg, hidden)
        page.locator(f'[name="choice {number}"][value="{best}"]').check()
    press(page, "Hand in")
    see_end(page, "Right on every leg.")


def test_replayscm(page: Any, served: str) -> None:
    instance = start(page, served, "replayscm", 4)
    answers = instance.secret.answers
    page.get_by_role("button", name="Hand in").press("Enter")
    see_problem(page, f"{next(iter(answers))} has no answer.")
    for name, answer in answers.items():
        page.locator("#i-" + name).fill(answer)
    assert page.locator("table.world").count() == len(instance.public.worlds)
    press(page, "Hand in")
    see_end(page, "Right: every item.")


def test_the_first_rung_of_replayscm_by_keyboard_alone(page: Any, served: str) -> None:
    instance = start(page, served, "replayscm", 0)
    ((name, answer),) = instance.secret.answers.items()
    page.locator("#i-" + name).focus()
    page.keyboard.type(answer)
    press(page, "Hand in")
    see_end(page, "Right: every item.")


def test_worlds_are_asked_for_in_replayscm(page: Any, served: str) -> None:
    instance = start(page, served, "replayscm", 54, set_name="standard")
    page.get_by_role("button", name="Read this world").press("Enter")
    see_problem(page, "0 variables are set in it; one or two can be")
    asking = instance.public.asking
    name = next(one for one in instance.public.names if one not in asking.gauges)
    page.locator(f'[name="set {name}"]').select_option("1")
    press(page, "Read this world")
    assert page.get_by_text(f"With {name} = 1: {asking.gauges[0]} = ").count() == 1
    budget = asking.budget
    assert f"{budget - 1} of {budget} questions" in page.locator(".meta").inner_text()
    press(page, "Give up and see the answer")
    see_end(page, "Nothing was handed in.")


def test_a_published_problem_of_replayscm(page: Any, served: str) -> None:
    instance = start(page, served, "replayscm", 2, edition="paper")
    gold = gold_formulas(instance)
    first, *others = gold
    page.locator("#f-" + first).fill("(and X1 X2")
    page.locator(f'[data-count="{first}"]', has_text="a bracket is open").wait_for()
    page.get_by_role("button", name="Hand in").press("Enter")
    see_problem(page, f"{others[0]} has no formula yet.")
    page.locator("#f-" + first).fill("")
    for key in ("not", "X1"):
        page.get_by_role("button", name=key, exact=True).press("Enter")
    assert page.locator("#f-" + first).input_value() == "not X1"
    for name in (first, *others):
        page.locator("#f-" + name).fill(gold[name])
    count = len(instance.public.train)
    page.locator("#exact", has_text=f"{count} of {count} worlds exact").wait_for()
    assert page.locator("table.world td.bad").count() == 0
    page.locator("tr[data-unit=u01]").first.hover()
    assert page.locator("tr.same").count() == count
    page.locator("#sort").focus()
    page.keyboard.type(first)
    column = page.locator(f"table.world >> nth=0 >> tbody td:nth-child({int(first[1:]) + 1})")
    assert column.all_inner_texts() == sorted(column.all_inner_texts())
    page.locator("#failing").press("Space")
    assert page.locator("table.world tbody tr:visible").count() == 0
    press(page, "Hand in")
    see_end(page, "Right: it holds in worlds you were not shown, too.")


def show_graph(page: Any) -> None:
    """Where text and graph stand behind tabs, bring the graph to the front."""
    tab = page.get_by_role("button", name="Graph", exact=True)
    if tab.is_visible():
        tab.press("Enter")


def test_recite_asks_questions_on_its_first_rung(page: Any, served: str) -> None:
    instance = start(page, served, "recite")
    page.get_by_role("button", name="Hand in").press("Enter")
    see_problem(page, "Choose one of the two arrows.")
    for number in range(1, len(instance.public.questions) + 1):
        page.locator(f'[name="q{number}"][value="a"]').check()
    press(page, "Hand in")
    see_end(page, " edges found, ")


def test_recite(page: Any, served: str) -> None:
    instance = start(page, served, "recite", 2)
    page.get_by_role("button", name="Hand in").press("Enter")
    see_problem(page, "Draw at least one arrow")
    names, edges = instance.public.names, instance.secret.edges
    draw_arrow(page, *edges[0])
    draw_arrow(page, *edges[1])
    assert page.locator(".arrow-list li").count() == 2
    draw_arrow(page, names[0], names[1])
    page.get_by_role("button", name=f"Remove {names[0]} → {names[1]}", exact=True).press("Enter")
    press(page, "Hand in")
    see_end(page, f"2 of {len(edges)} edges found, 0 invented.")


def test_names_in_a_text_of_recite_are_chosen_by_the_keyboard(page: Any, served: str) -> None:
    start(page, served, "recite", 2)
    page.locator("#text").focus()
    page.keyboard.press("Tab")
    cause = page.evaluate("document.activeElement.dataset.name")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.locator('[aria-pressed="true"][data-name]').count() == 0
    page.keyboard.press("Enter")
    effect = cause
    while effect == cause:
        page.keyboard.press("Tab")
        effect = page.evaluate("document.activeElement.dataset.name")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.name") == effect
    assert f"{cause} → {effect}" in page.locator(".arrow-list li").inner_text()
    assert page.locator(".arrow-canvas path.fresh").count() == 1
    looks_right(page)
    press(page, "Hand in")
    see_end(page, "")


def test_words_of_the_text_become_things_in_recite(page: Any, served: str) -> None:
    start(page, served, "recite", edition="paper")
    for place in (0, 1):
        page.evaluate(
            """(place) => {
              const words = document.querySelectorAll('#text p')[place].firstChild;
              getSelection().setBaseAndExtent(words, 0, words, 12);
            }""",
            place,
        )
        page.locator("#text").press("Enter")
    assert page.locator(".arrow-canvas button").count() == 2
    show_graph(page)
    first, second = page.locator(".arrow-canvas button").all_inner_texts()
    draw_arrow(page, first, second)
    assert page.locator(".arrow-canvas svg path").count() == 1
    press(page, "Hand in")
    see_end(page, "")


def test_a_board_works_without_a_script(browser: Any, served: str) -> None:
    # A page that was refused is an error to the console, and is meant to be one.
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{served}/families/causalab/certified/smoke/4")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Make this experiment").click()
    assert "Nothing was spent." in page.locator("#alert").inner_text()
    public = generate_one(families.get("causalab"), "certified", "smoke", 4).public
    page.get_by_label(f"Hold {public.holdable[0]}").select_option("up")
    page.get_by_role("button", name="Make this experiment").click()
    assert f"{public.budget - 1} of {public.budget}" in page.locator(".meta").inner_text()
    page.get_by_role("button", name="Go to the questions").click()
    page.locator("#answer-0").select_option("up")
    page.get_by_role("button", name="Hand in", exact=True).click()
    assert page.locator("h1").inner_text() in {"Right.", "Wrong."}
    page.close()


def test_the_formulas_of_the_browser_are_those_of_the_scorer(browser: Any, served: str) -> None:
    """Two hundred random formulas have the same value at every row, or are refused by both."""
    rng = stream(0, "formulas")
    names = ["X1", "X2", "X3", "X4"]

    def write(depth: int) -> str:
        if depth == 0 or rng.random() < 0.25:
            return rng.choice(names)
        operator = rng.choice(["not", "and", "or", "xor", "iff"])
        parts = 1 if operator == "not" else rng.randint(2, 4)
        return f"({operator} {' '.join(write(depth - 1) for _ in range(parts))})"

    texts = [write(4) for _ in range(200)]
    rows = [[bool(row >> place & 1) for place in range(4)] for row in range(16)]
    with open_page(browser, 1280, "light") as page:
        page.goto(served)
        found = page.evaluate(
            """async ([texts, names, rows]) => {
              const { readFormula, valueOf } =
                await import('/boards/replayscm/paper/formula.js');
              return texts.map((text) => {
                const { tree } = readFormula(text, names);
                const named = (row) => Object.fromEntries(row.map((v, i) => [names[i], v]));
                return rows.map((row) => valueOf(tree, named(row)));
              });
            }""",
            [texts, names, rows],
        )
        broken = page.evaluate(
            """async (texts) => {
              const { readFormula } = await import('/boards/replayscm/paper/formula.js');
              return texts.map((text) => readFormula(text, ['A', 'B']).problem);
            }""",
            ["(and A", "(nor A B)", "(not A B)", "(and A)", "A B", ")", "C", "(and A B))"],
        )
    assert all(broken)
    for text, values in zip(texts, found, strict=True):
        formula = parse_formula(text, names)
        expected = [
            bool(value(formula.tree, dict(zip(names, map(int, row), strict=True)), 1))
            for row in rows
        ]
        assert values == expected, text
