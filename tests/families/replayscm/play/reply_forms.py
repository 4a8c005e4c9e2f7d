"""Forms in which an answer may be written: those that the reader was made for, and twenty more."""

import json
from collections.abc import Callable, Mapping

from causarium.scm.boolean.formula import Formula, Tree

Trees = Mapping[str, Tree]
Form = Callable[[Trees], str]

_STRENGTH = {"iff": 0, "or": 1, "xor": 2, "and": 3}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
WORDS = {name: name for name in ("not", "and", "or", "xor", "iff")}


def signs(spelt: str) -> dict[str, str]:
    return dict(zip(WORDS, spelt.split(), strict=True))


def prefix(tree: Tree, opening: str = "(", comma: str = " ") -> str:
    if isinstance(tree, str):
        return tree
    inner = comma.join((str(tree[0]), *(prefix(part, opening, comma) for part in tree[1:])))
    return f"{opening}{inner}{_CLOSING[opening]}"


def call(tree: Tree, spelt: Mapping[str, str] = WORDS) -> str:
    if isinstance(tree, str):
        return tree
    return f"{spelt[str(tree[0])]}({', '.join(call(part, spelt) for part in tree[1:])})"


def infix(
    tree: Tree, spelt: Mapping[str, str] = WORDS, outside: int = -1, *, bare: bool = False
) -> str:
    """Write between its parts; `bare` leaves out the brackets that the order makes needless."""
    if isinstance(tree, str):
        return tree
    name = str(tree[0])
    if name == "not":
        inner = infix(tree[1], spelt, 4, bare=bare)
        return spelt["not"].format(inner) if "{}" in spelt["not"] else f"{spelt['not']} {inner}"
    text = f" {spelt[name]} ".join(
        infix(part, spelt, _STRENGTH[name], bare=bare) for part in tree[1:]
    )
    needed = outside >= (_STRENGTH[name] if bare else 0)
    return f"({text})" if needed else text


def nest(tree: Tree) -> object:
    return tree if isinstance(tree, str) else [str(tree[0]), *map(nest, tree[1:])]


def branch(tree: Tree) -> object:
    return (
        tree
        if isinstance(tree, str)
        else {"op": str(tree[0]).upper(), "args": [*map(branch, tree[1:])]}
    )


def texts(trees: Trees, write: Callable[[Tree], str] = prefix) -> dict[str, str]:
    return {name: write(tree) for name, tree in trees.items()}


def spelt(write: Callable[[Tree], str]) -> Form:
    return lambda trees: json.dumps({"mechanisms": texts(trees, write)}, ensure_ascii=False)


def lines(pattern: str, write: Callable[[Tree], str] = infix) -> Form:
    return lambda trees: "\n".join(
        pattern.format(name=name, text=write(tree)) for name, tree in trees.items()
    )


def plain(trees: Trees) -> str:
    return json.dumps({"mechanisms": texts(trees)})


PYTHON, C = signs("~ & | ^ =="), signs("! && || != ==")
LOGIC, RINGS = signs("¬ ∧ ∨ ⊕ ↔"), signs("¬ ∧ ∨ ⊻ ≡")
LATEX = signs(r"\lnot \land \lor \oplus \leftrightarrow")
WEDGE = signs(r"\overline{{{}}} \wedge \vee \oplus \equiv")
ALGEBRA, STARS = signs("({})' · + ⊕ ⊙"), signs("! * + ^ <=>")
TITLES, CAPITALS = signs("Not And Or Xor Equivalent"), signs("NOT AND OR XOR XNOR")

KNOWN: dict[str, Form] = {
    "s-expressions": plain,
    "calls": spelt(call),
    "calls in capitals": spelt(lambda tree: call(tree, CAPITALS)),
    "calls of a library": spelt(lambda tree: call(tree, TITLES)),
    "words between": spelt(infix),
    "words in capitals": spelt(lambda tree: infix(tree, CAPITALS)),
    "words, few brackets": spelt(lambda tree: infix(tree, bare=True)),
    "signs of Python": spelt(lambda tree: infix(tree, PYTHON)),
    "signs of C": spelt(lambda tree: infix(tree, C)),
    "signs of logic": spelt(lambda tree: infix(tree, LOGIC)),
    "signs of logic, few brackets": spelt(lambda tree: infix(tree, LOGIC, bare=True)),
    "other signs of logic": spelt(lambda tree: infix(tree, RINGS)),
    "LaTeX": spelt(lambda tree: infix(tree, LATEX)),
    "LaTeX between dollars": spelt(lambda tree: f"${infix(tree, LATEX)}$"),
    "LaTeX with bars": spelt(lambda tree: infix(tree, WEDGE)),
    "LaTeX with tall brackets": spelt(
        lambda tree: infix(tree, LATEX).replace("(", r"\left(").replace(")", r"\right)")
    ),
    "LaTeX words": spelt(lambda tree: call(tree, {k: rf"\text{{{v}}}" for k, v in WORDS.items()})),
    "algebra": spelt(lambda tree: infix(tree, ALGEBRA)),
    "stars": spelt(lambda tree: infix(tree, STARS)),
    "square brackets": spelt(lambda tree: prefix(tree, "[")),
    "curly brackets": spelt(lambda tree: prefix(tree, "{")),
    "tuples": spelt(lambda tree: prefix(tree, "(", ", ")),
    "no outer brackets": spelt(lambda tree: prefix(tree)[1:-1] if prefix(tree)[0] == "(" else tree),
    "nested lists": lambda trees: json.dumps(
        {"mechanisms": {k: nest(v) for k, v in trees.items()}}
    ),
    "records of formulas": lambda trees: json.dumps(
        {"mechanisms": {k: {"formula": v} for k, v in texts(trees).items()}}
    ),
    "low line": spelt(lambda tree: prefix(tree).replace("X", "X_")),
    "subscript": spelt(lambda tree: subscript_digits(prefix(tree))),
    "small names": spelt(lambda tree: prefix(tree).replace("X", "x")),
    "backticks": spelt(lambda tree: f"`{infix(tree)}`"),
    "semicolons": spelt(lambda tree: f"{infix(tree)};"),
    "heads": lambda trees: json.dumps(
        {"mechanisms": {k: f"{k} = {v}" for k, v in texts(trees).items()}}
    ),
    "heads of Pascal": lambda trees: json.dumps(
        {"mechanisms": {k: f"{k} := {v}" for k, v in texts(trees, infix).items()}}
    ),
    "line breaks": spelt(lambda tree: prefix(tree).replace(" ", "\n  ")),
    "fence": lambda trees: f"```json\n{plain(trees)}\n```",
    "fence and prose": lambda trees: (
        f"I set {{X1}} first.\n\n```json\n{plain(trees)}\n```\nThat is all."
    ),
    "prose": lambda trees: f"The model is {plain(trees)} as far as I can see.",
    "thinking": lambda trees: f"<think>{plain(dict.fromkeys(trees, 'X1'))}</think>{plain(trees)}",
    "indented": lambda trees: json.dumps({"mechanisms": texts(trees)}, indent=4),
    "smart quotes": lambda trees: plain(trees).replace('"', "”"),
    "single quotes": lambda trees: str({"mechanisms": texts(trees)}),
    "no quotes around keys": lambda trees: plain(trees).replace('"mechanisms"', "mechanisms"),
    "trailing comma": lambda trees: plain(trees)[:-2] + ",}}",
    "comments": lambda trees: plain(trees).replace(", ", ", // next\n", 1),
    "one brace missing": lambda trees: plain(trees)[:-1],
    "two braces missing": lambda trees: plain(trees)[:-2],
    "wrapped as answer": lambda trees: json.dumps({"answer": {"mechanisms": texts(trees)}}),
    "wrapped twice": lambda trees: json.dumps({"result": {"Answer": {"mechanisms": texts(trees)}}}),
    "bare map": lambda trees: json.dumps(texts(trees)),
    "list of pairs": lambda trees: json.dumps({"mechanisms": [*map(list, texts(trees).items())]}),
    "bare list of pairs": lambda trees: json.dumps([*map(list, texts(trees).items())]),
    "list of records": lambda trees: json.dumps(
        {"mechanisms": [{"variable": k, "formula": v} for k, v in texts(trees).items()]}
    ),
    "list of small maps": lambda trees: json.dumps(
        {"mechanisms": [{k: v} for k, v in texts(trees).items()]}
    ),
    "list of equations": lambda trees: json.dumps(
        {"mechanisms": [f"{k} = {v}" for k, v in texts(trees).items()]}
    ),
    "capital key": lambda trees: json.dumps({"Mechanisms": texts(trees)}),
    "other key": lambda trees: json.dumps({"formulas": texts(trees)}),
    "small keys": lambda trees: json.dumps(
        {"mechanisms": {k.lower(): v for k, v in texts(trees).items()}}
    ),
    "lines": lines("{name} = {text}"),
    "lines of Pascal": lines("{name} := {text};"),
    "bullets": lines("- {name}: {text}"),
    "bold bullets": lines("* **{name}** = `{text}`"),
    "numbered": lambda trees: "\n".join(
        f"{i}. {k} = {v}" for i, (k, v) in enumerate(texts(trees, infix).items(), 1)
    ),
    "table": lambda trees: (
        "| variable | formula |\n|---|---|\n" + lines("| {name} | {text} |")(trees)
    ),
    "YAML": lambda trees: "mechanisms:\n" + lines('  {name}: "{text}"', prefix)(trees),
}
"""The forms that the reader was made for."""


def subscript_digits(text: str) -> str:
    return "".join(f"_{{{c}}}" if c.isdigit() else c for c in text)


def lower_digits(text: str) -> str:
    return text.translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def names_of(tree: Tree) -> str:
    return ", ".join(Formula(tree).names)


MENDED: dict[str, Form] = {
    "arrows": lines("{name} ← {text}", lambda tree: infix(tree, LOGIC)),
    "lower digits": lambda trees: lower_digits(
        lines("{name} = {text}", lambda t: infix(t, LOGIC))(trees)
    ),
    "functions": lambda trees: "\n".join(
        f"{k}({names_of(v)}) = {infix(v)}" for k, v in trees.items()
    ),
    "named functions": lambda trees: json.dumps(
        {"mechanisms": {k: f"f_{k}({names_of(v)}) = {infix(v)}" for k, v in trees.items()}}
    ),
    "lambdas": lambda trees: json.dumps(
        {"mechanisms": {k: f"lambda {names_of(v)}: {infix(v)}" for k, v in trees.items()}}
    ),
    "aligned": lambda trees: (
        "\\begin{aligned}\n"
        + lines("{name} &= {text} \\\\", lambda tree: infix(tree, LATEX))(trees)
        + "\n\\end{aligned}"
    ),
    "a tag": lambda trees: f"<answer>\n{plain(trees)}\n</answer>",
    "an object in a text": lambda trees: json.dumps({"answer": plain(trees)}),
    "code": lambda trees: "```python\n" + lines("{name} = {text}  # found in w1")(trees) + "\n```",
    "one text": lambda trees: json.dumps(
        {"mechanisms": "; ".join(f"{k} = {v}" for k, v in texts(trees, infix).items())}
    ),
    "trees": lambda trees: json.dumps({"mechanisms": {k: branch(v) for k, v in trees.items()}}),
    "records with causes": lambda trees: json.dumps(
        {
            "mechanisms": {
                k: {"parents": list(Formula(v).names), "formula": prefix(v)}
                for k, v in trees.items()
            }
        }
    ),
    "TOML": lambda trees: "[mechanisms]\n" + lines('{name} = "{text}"')(trees),
    "wide brackets": spelt(lambda tree: infix(tree, LOGIC).replace("(", "（").replace(")", "）")),
    "singular key": lambda trees: json.dumps({"mechanism": texts(trees)}),
    "boxed": lambda trees: f"\\boxed{{{plain(trees)}}}",
    "sentences": lines("{name} is {text}."),
    "headings": lines("### {name}\n{text}\n"),
    "quoted lines": lines("> {name} = {text}", lambda tree: infix(tree, PYTHON)),
    "dict call": lambda trees: (
        "mechanisms = dict(\n" + lines('    {name}="{text}",')(trees) + "\n)"
    ),
    "arithmetic signs, no spaces": spelt(lambda tree: infix(tree, STARS).replace(" ", "")),
    "signs of logic, no spaces": spelt(lambda tree: infix(tree, LOGIC).replace(" ", "")),
    "double brackets": spelt(lambda tree: f"(({infix(tree)}))"),
    "brackets of all kinds": spelt(lambda tree: "[" + infix(tree, PYTHON) + "]"),
    "capital calls of Python": spelt(lambda tree: call(tree, signs("Not And Or XOR Iff"))),
    "doubled negations": spelt(lambda tree: f"not not ({infix(tree)})"),
    "wide arrows": spelt(lambda tree: infix(tree, signs("~ /\\ \\/ ^ <=>"))),
    "words of LaTeX in text": spelt(
        lambda tree: infix(tree, {k: rf"\text{{ {k} }}" for k in WORDS})
    ),
    "display": lines("$$ {name} = {text} $$", lambda tree: infix(tree, LATEX)),
    "bold names in a table": lambda trees: (
        "|Variable|Formula|\n|:-:|:--|\n" + lines("|**{name}**|`{text}`|")(trees)
    ),
    "numbered with brackets": lambda trees: "\n".join(
        f"{i}) {k}: {v}" for i, (k, v) in enumerate(texts(trees, infix).items(), 1)
    ),
    "lines after a heading": lambda trees: "## Final answer\n\n" + lines("{name} = {text}")(trees),
    "lines with an end": lines("{name} = {text},"),
    "maps within records": lambda trees: json.dumps(
        {"variables": {k: {"mechanism": v} for k, v in texts(trees).items()}}
    ),
    "output of a tool": lambda trees: json.dumps(
        {"name": "explain", "arguments": {"mechanisms": texts(trees)}}
    ),
    "a list of one": lambda trees: json.dumps([{"mechanisms": texts(trees)}]),
    "key with a space": lambda trees: json.dumps(
        {"final answer": {"The Mechanisms": texts(trees)}}
    ),
    "text before each": lines("Mechanism of {name}: {text}"),
    "indented prefix": lines("{name}:\n    {text}", prefix),
    "assignments in JavaScript": lines("const {name} = {text};", lambda tree: infix(tree, C)),
    "plus in a ring": spelt(lambda tree: infix(tree, signs("¬ & ∥ ⊕ ⟺"))),
    "equals in words": spelt(lambda tree: infix(tree, signs("NOT AND OR XOR EQUIV"))),
    "double tildes": spelt(lambda tree: infix(tree, signs("~ && || ^ <->"))),
    "tight negation": spelt(lambda tree: infix(tree, signs("!{} & | ^ ==")).replace("! ", "!")),
    "a dot between": spelt(lambda tree: infix(tree, signs("~{} . + ⊕ ≡"))),
    "mixed case words": spelt(lambda tree: infix(tree, signs("Not And Or Xor Iff"))),
    "code in a fence of no language": lambda trees: (
        "```\n" + lines("{name} = {text}")(trees) + "\n```"
    ),
    "asterisks around all": lines("**{name} = {text}**"),
    "arrows to the name": lines("{name} <- {text}", lambda tree: infix(tree, PYTHON)),
    "a return": lines("def {name}(): return {text}"),
    "a dash between": lines("{name} - {text}"),
    "en dashes": lines("– {name} = {text}"),
    "letters as numbers": lambda trees: "\n".join(
        f"({chr(97 + i)}) {k} = {v}" for i, (k, v) in enumerate(texts(trees, infix).items())
    ),
    "JSON lines": lambda trees: "\n".join(
        json.dumps({"variable": k, "formula": v}) for k, v in texts(trees).items()
    ),
    "JSON lines of small maps": lambda trees: "\n".join(
        json.dumps({k: v}) for k, v in texts(trees).items()
    ),
    "a preface in the object": lambda trees: json.dumps(
        {"reasoning": "X1 = X2 at first", "mechanisms": texts(trees)}
    ),
    "one fence a formula": lines("{name}:\n```\n{text}\n```"),
    "a wrapper in a list": lambda trees: json.dumps({"answers": [{"mechanisms": texts(trees)}]}),
    "inline code pairs": lines("- `{name}` → `{text}`"),
    "let it be": lines("Let {name} := {text}."),
}
"""Sixty forms that the reader was tried on and then mended for, as far as one thing is meant."""

UNSEEN: dict[str, Form] = {
    "gates": spelt(lambda tree: call(tree, signs("NOT AND OR XOR IFF"))),
    "signs of Julia": spelt(lambda tree: infix(tree, signs("! && || ⊻ =="))),
    "signs of Go, tight": spelt(lambda tree: infix(tree, C).replace("! ", "!")),
    "LaTeX with neg": spelt(
        lambda tree: infix(tree, signs(r"\neg \wedge \vee \oplus \Leftrightarrow"))
    ),
    "LaTeX in dollars, with subscripts": lines(
        "$X_{{{name[1]}}} = {text}$", lambda tree: subscript_digits(infix(tree, LATEX))
    ),
    "two dollars and a head": lambda trees: json.dumps(
        {"mechanisms": {k: f"$${k} = {v}$$" for k, v in texts(trees, infix).items()}}
    ),
    "primes": spelt(lambda tree: infix(tree, signs("({})' & | ^ ≡"))),
    "prefix in capitals": spelt(
        lambda tree: prefix(tree).replace("(and", "(AND").replace("(or", "(OR")
    ),
    "prefix with few spaces": spelt(lambda tree: prefix(tree).replace(" (", "(")),
    "extra spaces": spelt(lambda tree: f"  {prefix(tree).replace(' ', '   ')}  "),
    "an end with a full stop": spelt(lambda tree: f"{infix(tree)}."),
    "a table with three columns": lambda trees: (
        "| # | Variable | Formula |\n|---|---|---|\n"
        + "\n".join(f"| {i} | {k} | {v} |" for i, (k, v) in enumerate(texts(trees, infix).items()))
    ),
    "final answer in bold": lambda trees: f"**Final answer:**\n\n{plain(trees)}",
    "answer after reasoning": lambda trees: (
        "First X1 looks free. In w1 it is 0.\nSo:\n\n" + lines("- {name} = {text}")(trees)
    ),
    "the empty answer, then the right one": lambda trees: '{"mechanisms": {}}\n' + plain(trees),
    "compact": lambda trees: json.dumps({"mechanisms": texts(trees)}, separators=(",", ":")),
    "notes beside": lambda trees: json.dumps({"mechanisms": texts(trees), "confidence": 0.7}),
    "notes in each record": lambda trees: json.dumps(
        {
            "mechanisms": [
                {"name": k, "expression": v, "note": "sure"} for k, v in texts(trees).items()
            ]
        }
    ),
    "Python with types": lines("{name}: bool = {text}"),
    "answer key and lines": lambda trees: json.dumps({"answer": lines("{name} = {text}")(trees)}),
}
"""Twenty forms on which the reader was tried once, and not mended for."""
