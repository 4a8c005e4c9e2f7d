// Names in the text are buttons; arrows join them.
import { arrowEditor } from "/static/arrows.js";

const root = document.getElementById("recite");
const field = root.querySelector("form").elements.arrows;
const text = document.getElementById("text");
const names = JSON.parse(root.dataset.names);
const escape = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const longestFirst = [...names].sort((a, b) => b.length - a.length).map(escape);
const NAME = new RegExp(`(?<![\\p{L}\\d])(?:${longestFirst.join("|")})(?![\\p{L}\\d])`, "giu");
const inLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));

function markNames(paragraph, press) {
  const words = paragraph.textContent;
  let at = 0;
  paragraph.replaceChildren();
  for (const found of words.matchAll(NAME)) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "term", textContent: found[0] });
    button.dataset.name = inLowerCase.get(found[0].toLowerCase());
    button.addEventListener("click", () => press(button.dataset.name));
    paragraph.append(words.slice(at, found.index), button);
    at = found.index + found[0].length;
  }
  paragraph.append(words.slice(at));
}

function show(arrows, chosen = null) {
  const used = new Set(arrows.flat());
  for (const term of text.querySelectorAll(".term")) {
    term.classList.toggle("used", used.has(term.dataset.name));
    term.setAttribute("aria-pressed", String(term.dataset.name === chosen));
  }
}

if (field) {
  let editor = null;
  for (const paragraph of text.querySelectorAll("p")) markNames(paragraph, (name) => editor.press(name));
  editor = arrowEditor(field, { nodes: names, changed: show });
}
