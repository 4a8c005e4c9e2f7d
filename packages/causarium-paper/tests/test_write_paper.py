"""The kit for papers: LaTeX that holds together, numbers that agree, the same bytes twice."""

import json
import re
import shutil
import subprocess
from math import nan

import pytest
from causarium_paper.commands import paper
from causarium_paper.write_paper import escape_tex, name_macro, write_paper

from causarium.errors import UsageError
from causarium.report.data.build_report import build_report
from tests.report.rows import facts_of_five, five_families

DOCUMENT = r"""
\documentclass{article}
\usepackage{booktabs,graphicx}
\begin{document}
\input{numbers}
\begin{table}\input{table}\caption{\CausariumCaption}\end{table}
\begin{figure}FIGURES\end{figure}
\input{appendix}
\nocite{*}\bibliographystyle{plain}\bibliography{refs}
\end{document}
"""


@pytest.fixture(scope="module")
def report():
    return build_report(five_families(3), facts=facts_of_five())


def read(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_report_gives_the_same_bytes(report, tmp_path):
    write_paper(report, tmp_path / "one")
    write_paper(report, tmp_path / "two")
    one = read(tmp_path / "one")
    assert one == read(tmp_path / "two")
    assert {"figure.svg", "table.tex", "numbers.tex", "caption.txt", "refs.bib"} <= one.keys()
    listed = json.loads(one.pop("MANIFEST.json"))["files"]
    assert listed.keys() == one.keys()


def test_every_number_of_the_table_is_defined_once(report, tmp_path):
    write_paper(report, tmp_path)
    used = re.findall(r"\\([A-Z][A-Za-z]+)", (tmp_path / "table.tex").read_text())
    defined = re.findall(r"\\newcommand\{\\(\w+)\}", (tmp_path / "numbers.tex").read_text())
    assert used
    assert sorted(used) == sorted(defined)
    assert len(set(defined)) == len(defined)


def test_the_table_has_the_scores_of_the_report(report, tmp_path):
    write_paper(report, tmp_path)
    numbers = (tmp_path / "numbers.tex").read_text()
    for section in report.sections:
        for agent in report.models:
            if score := section.find_score(agent):
                name = name_macro(agent, section.name or section.facts.title)
                shown = f"{score.value:.2f}".replace("-0.00", "0.00").replace("-", "$-$")
                assert f"{{\\{name}}}{{{shown}" in numbers


def test_braces_and_environments_are_closed(report, tmp_path):
    write_paper(report, tmp_path)
    for path in tmp_path.glob("*.tex"):
        words = path.read_text()
        assert words.count("{") - words.count(r"\{") == words.count("}") - words.count(r"\}")
        begun = re.findall(r"\\begin\{(\w+)\}", words)
        assert begun == re.findall(r"\\end\{(\w+)\}", words)[::-1]
    rows = [line for line in (tmp_path / "table.tex").read_text().splitlines() if "&" in line]
    assert len({row.count("&") - row.count(r"\&") for row in rows}) == 1


def test_names_of_agents_do_no_harm():
    assert escape_tex(r"a_b\c{50%}&$#^~") == (
        r"a\_b\textbackslash{}c\{50\%\}\&\$\#\textasciicircum{}\textasciitilde{}"
    )
    assert name_macro("9x_y", "Set-2") == "NineXYSetTwo"


@pytest.mark.parametrize("unscored", ["broken", None])
def test_without_scores_nothing_is_written(tmp_path, unscored):
    rows = [
        row.model_copy(update={"unscored": unscored, "numbers": dict.fromkeys(row.numbers, nan)})
        for row in five_families(1)
    ]
    with pytest.raises(UsageError, match="no scored row"):
        write_paper(build_report(rows, facts=facts_of_five()), tmp_path / "paper")
    assert not (tmp_path / "paper").exists()


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX here")
def test_latex_compiles_and_fits_a_page_of_one_column(tmp_path):
    long = "org/coder-2.5-instruct (constrained=default)"
    rows = [
        row.model_copy(update={"agent": row.agent.replace("provider/model-0", long)})
        for row in five_families(3)
    ]
    write_paper(build_report(rows, facts=facts_of_five()), tmp_path)
    figures = "".join(
        rf"\includegraphics[width=\linewidth]{{{path.name}}}\par" for path in tmp_path.glob("*.pdf")
    )
    (tmp_path / "main.tex").write_text(DOCUMENT.replace("FIGURES", figures))
    compile_main = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "main.tex"]
    for command in (compile_main, ["bibtex", "main"], compile_main):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
    wide = re.findall(r"Overfull \\hbox \(([\d.]+)pt", (tmp_path / "main.log").read_text())
    assert not [points for points in wide if float(points) > 2]


def test_a_folder_that_cannot_be_written_is_refused_before_logs_are_read(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot write to"):
        paper([str(tmp_path / "none")], out=tmp_path / "file" / "folder")


def test_no_log_writes_a_command(tmp_path):
    bad = {"family": "\\x", "version": "\\input{x}", "set": "\\x", "agent": "\\input{x}"}
    rows = [row.model_copy(update=bad) for row in five_families(1)[:20]]
    write_paper(build_report(rows), tmp_path)
    for path in tmp_path.glob("*.tex"):
        assert "\\input" not in path.read_text()
        assert "\\x" not in path.read_text()
