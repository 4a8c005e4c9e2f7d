"""A newcomer finishes a game in each family: by pressing and typing words and numbers, no JSON."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from causarium import families
from causarium.contract.sets.instance_sets import generate_one
from causarium.families.replayscm.model.instance import gold_formulas
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


def start(page: Any, served: str, family: str, number: int = 0, *, set_name: str = "smoke") -> Any:
    """Begin a case from its page; returns the instance."""
    page.goto(f"{served}/families/{family}/certified/{set_name}/{number}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/games/**")
    looks_right(page)
    return generate_one(families.get(family), "certified", set_name, number)


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
    """Keyboard alone, to the end: hold, read, lock, answer."""
    instance = start(page, served, "causalab")
    public, rest = instance.public, instance.public.manipulator[0]
    page.locator("#setting").fill("fifty")
    page.get_by_role("button", name="Run experiment").press("Enter")
    see_problem(page, "“fifty” is no")
    page.locator("#setting").fill(str(rest + public.limit + 1))
    page.get_by_role("button", name="Run experiment").press("Enter")
    see_problem(page, "hold it between")
    assert "3 of 3 experiments left" in page.locator(".meta").inner_text()
    page.locator("#setting").fill(str(rest + 1))
    press(page, "Run experiment")
    assert "2 of 3 experiments left" in page.locator(".meta").inner_text()
    held = f"Last: {public.holdable[0]} held +1 from rest moved"
    page.locator("#said", has_text=held).wait_for(state="attached")
    hear_result(page, "2 of 3 experiments left", "Run experiment")
    assert page.locator("table.read tbody tr").count() == 2
    assert page.locator("table.read td.held").count() == 1
    assert page.locator("#setting").input_value() == ""
    press(page, "Go to the questions")
    page.get_by_role("heading", name=re.compile("^Questions")).wait_for()
    looks_right(page)
    for place, answer in enumerate(instance.secret.answers):
        page.locator(f"#answer{place}").fill(str(answer))
    press(page, "Answer")
    see_end(page, "is right; your experiments")
    assert page.locator("section", has_text="What was true").get_by_text("its base").count()


def test_causalgame(page: Any, served: str) -> None:
    """Keyboard alone, to the end: order, cut the flights, commit, answer."""
    instance = start(page, served, "causalgame")
    leg = next(leg for leg in instance.public.legs if leg.kind == "dial")
    form = page.locator("form", has=page.locator(f'input[name="leg"][value="{leg.name}"]'))
    form.locator('[name="count"]').fill("many")
    form.get_by_role("button", name="Fly").press("Enter")
    see_problem(page, "“many” is no number.")
    form.locator('[name="count"]').fill("21")
    form.get_by_role("button", name="Fly").press("Enter")
    see_problem(page, "Send 1 to 20 drones in an order.")
    form.locator('[name="count"]').fill("10")
    with page.expect_navigation():
        form.get_by_role("button", name="Fly").press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Fly"
    form.locator('[name="set"]').focus()
    page.keyboard.press("ArrowDown")
    with page.expect_navigation():
        form.get_by_role("button", name="Fly").press("Enter")
    card = page.locator("section", has=form)
    rows = card.locator("table.tests tbody tr")
    shown = rows.count()
    assert shown >= 2
    assert 1 <= card.locator("tr.changed").count() < shown
    card.locator('.cuts [data-by="set"]').focus()
    page.keyboard.press("ArrowDown")
    card.get_by_role("status").filter(has_text=re.compile(r"Rows with set .* of 10\.$")).wait_for()
    assert card.locator("table.tests tbody tr:visible").count() < shown
    assert " of 10" in card.locator("table.tests tfoot").inner_text()
    page.reload()
    assert card.locator("table.tests tbody tr:visible").count() < shown
    looks_right(page)
    page.get_by_role("button", name="Commit").press("Enter")
    see_problem(page, "Choose a design for leg")
    for each in instance.public.legs:
        page.locator(f'[name="design {each.name}"]').focus()
        page.keyboard.press("ArrowDown")
    press(page, "Commit")
    page.locator("#answered", has_text="0 of 4 answered").wait_for()
    page.locator("details", has_text=f"What you know of leg {leg.name}").locator("summary").click()
    assert page.locator("details[open] table.tests tbody tr").count() == shown
    page.get_by_label("no change").first.press("Space")
    page.locator("#answered", has_text="1 of 4 answered").wait_for()
    page.get_by_role("button", name="Hand in").press("Enter")
    see_problem(page, "3 of 4 questions are open.")
    looks_right(page)
    page.get_by_label("no change").nth(1).press("Space")
    page.locator("#alert").wait_for(state="hidden")
    page.get_by_label("leave the rest open").press("Space")
    press(page, "Hand in")
    see_end(page, "a test that can tell")
    assert page.locator("section", has_text="What was true").get_by_text("left open").count() == 2


def test_replayscm(page: Any, served: str) -> None:
    instance = start(page, served, "replayscm", 4)
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
    # The trait may be left out: it is what fits the formulas best.
    page.locator("#exact", has_text=f"{count} of {count} worlds exact").wait_for()
    traits = instance.secret.traits
    assert page.locator("#f-hidden").get_attribute("placeholder") == f"left out: {traits} fits best"
    page.locator("#f-hidden").fill(traits.translate(str.maketrans("01", "10")))
    page.locator("table.world td.bad").first.wait_for()
    page.locator("#f-hidden").fill(traits)
    page.locator("#exact", has_text=f"{count} of {count} worlds exact").wait_for()
    assert page.locator("table.world td.bad").count() == 0
    page.locator("tr[data-unit=u1]").first.hover()
    assert page.locator("tr.same").count() == count
    press(page, "Hand in")
    see_end(page, "Right: this is the one model that fits.")


def test_replayscm_by_keyboard_alone(page: Any, served: str) -> None:
    instance = start(page, served, "replayscm", 8)
    gold = gold_formulas(instance)
    first = next(iter(gold))
    page.locator("#f-" + first).focus()
    page.keyboard.type(f"{instance.public.roots[0]} or {instance.public.roots[1]}")
    page.locator("#fails", has_text=f"{first} f").wait_for()
    page.keyboard.press("ControlOrMeta+a")
    worlds = instance.secret.touched
    for text in (*gold.values(), *map(" ".join, worlds)):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    count = len(instance.public.train)
    page.locator("#exact", has_text=f"{count} of {count} worlds exact").wait_for()
    # Set by hand is what was written, in every row of the world.
    assert page.locator("table.world td.set").count() == 2 * len(worlds) * 8
    page.locator("#mark").focus()
    page.keyboard.type("u1")
    assert page.locator("tr.same").count() == count
    page.locator("#sort").focus()
    page.keyboard.type(first)
    column = page.locator(f"table.world >> nth=0 >> tbody td:nth-child({int(first[1:]) + 1})")
    assert column.all_inner_texts() == sorted(column.all_inner_texts())
    page.locator(f"[data-column='{first[1:]}']").press("Space")
    assert not page.locator(f"table.world th:nth-child({int(first[1:]) + 1})").first.is_visible()
    page.locator("#failing").press("Space")
    assert page.locator("table.world tbody tr:visible").count() == 0
    press(page, "Hand in")
    see_end(page, "Right: this is the one model that fits.")


def test_worlds_are_asked_for_in_replayscm(page: Any, served: str) -> None:
    instance = start(page, served, "replayscm", 13)
    page.locator('[name="set X1"]').fill("2")
    page.get_by_role("button", name="Show this world").press("Enter")
    see_problem(page, "X1 can be set to 0 or 1.")
    page.locator('[name="set X1"]').fill("1")
    press(page, "Show this world")
    assert page.locator("table.world").count() == 2
    budget = instance.public.budget
    assert f"{budget - 1} of {budget} worlds" in page.locator(".meta").inner_text()
    press(page, "Give up and see the answer")
    see_end(page, "Nothing was handed in.")


def show_graph(page: Any) -> None:
    """Where text and graph stand behind tabs, bring the graph to the front."""
    tab = page.get_by_role("button", name="Graph", exact=True)
    if tab.is_visible():
        tab.press("Enter")


def test_recite(page: Any, served: str) -> None:
    instance = start(page, served, "recite")
    show_graph(page)
    page.get_by_role("button", name="Hand in").press("Enter")
    see_problem(page, "Draw at least one arrow")
    names = instance.public.names
    pairs = instance.secret.pairs
    draw_arrow(page, *pairs[0])
    page.locator("#cause").fill(pairs[1][0])
    page.locator("#effect").fill(pairs[1][1])
    page.get_by_role("button", name="Add", exact=True).press("Enter")
    assert page.locator(".arrow-list li").count() == 2
    draw_arrow(page, names[0], names[1])
    page.get_by_role("button", name=f"Remove {names[0]} → {names[1]}", exact=True).press("Enter")
    press(page, "Hand in")
    see_end(page, f"2 of your 2 arrows hold, and {len(pairs) - 2} are missing.")


def test_names_in_a_text_of_recite_are_chosen_by_the_keyboard(page: Any, served: str) -> None:
    start(page, served, "recite")
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
    show_graph(page)
    assert f"{cause} → {effect}" in page.locator(".arrow-list li").inner_text()
    assert page.locator(".arrow-list q").inner_text()
    assert page.locator("#text .taken").count() == 1
    assert page.locator(".arrow-canvas path.fresh").count() == 1
    looks_right(page)
    press(page, "Hand in")
    see_end(page, "")


def test_words_of_the_text_become_things_in_recite(page: Any, served: str) -> None:
    start(page, served, "recite", set_name="free")
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
    page.goto(f"{served}/families/causalab/certified/smoke/1")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("#setting").fill("fifty")
    page.get_by_role("button", name="Run experiment").click()
    assert "Nothing was spent." in page.locator("#alert").inner_text()
    assert page.locator("#setting").input_value() == "fifty"
    public = generate_one(families.get("causalab"), "certified", "smoke", 1).public
    page.locator("#setting").fill(str(public.manipulator[0] + 1))
    page.get_by_role("button", name="Run experiment").click()
    assert f"{public.budget - 1} of {public.budget}" in page.locator(".meta").inner_text()
    page.get_by_role("button", name="Go to the questions").click()
    page.get_by_text("Name the arrows as well").click()
    page.locator("textarea[name=arrows]").fill(f"{public.names[0]} -> {public.names[1]}")
    page.locator("#answer0").fill("100")
    page.get_by_role("button", name="Answer", exact=True).click()
    assert "questions that count" in page.locator("h1").inner_text()
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
                await import('/boards/replayscm/certified/formula.js');
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
              const { readFormula } = await import('/boards/replayscm/certified/formula.js');
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
