// Names in the text are buttons, or words selected there become things; arrows join things.
import { arrowEditor, readArrows } from "/static/arrows.js";

const root = document.getElementById("recite");
const form = root.querySelector("form");
const text = document.getElementById("text");
const counts = document.getElementById("counts");
const given = root.dataset.given === "yes";
const wanted = root.dataset.wanted;
const names = new Set(JSON.parse(root.dataset.names));
for (const pair of readArrows(form.elements.arrows.value)) for (const name of pair) names.add(name);

const escape = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const byLength = [...names].sort((a, b) => b.length - a.length).map(escape);
const NAME = given && byLength.length ? new RegExp(`(?<![\\p{L}\\d])(?:${byLength.join("|")})(?![\\p{L}\\d])`, "giu") : null;
const inLowerCase = new Map([...names].map((name) => [name.toLowerCase(), name]));
const SENTENCE = /[^.!?]+(?:[.!?]+["”’)]*(?:\s+|$)|$)/gu;
const taken = new Map(); // The sentence from which each arrow was taken.
let last = null; // The sentence in which a name was pressed last.

/** Make a button of each listed name in a sentence; other words for it stay words. */
function markNames(words, sentence) {
  let at = 0;
  for (const found of NAME ? words.matchAll(NAME) : []) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "term";
    button.textContent = found[0];
    button.dataset.name = inLowerCase.get(found[0].toLowerCase());
    button.addEventListener("click", () => {
      last = sentence;
      editor.press(button.dataset.name);
    });
    sentence.append(words.slice(at, found.index), button);
    at = found.index + found[0].length;
  }
  sentence.append(words.slice(at));
}

for (const paragraph of given ? text.querySelectorAll("p") : []) {
  const words = paragraph.textContent;
  paragraph.replaceChildren(...(words.match(SENTENCE) ?? [words]).map((one) => {
    const sentence = document.createElement("span");
    markNames(one, sentence);
    return sentence;
  }));
}

const nameIn = (sentence) => new Set([...sentence.querySelectorAll(".term")].map((one) => one.dataset.name));

/** Return the sentence of an arrow: where it was taken from, else the first that names both. */
function findSentence(cause, effect) {
  const key = `${cause} -> ${effect}`;
  if (!taken.has(key)) {
    const both = [...text.querySelectorAll("p > span")].find((one) => [cause, effect].every((name) => nameIn(one).has(name)));
    taken.set(key, last ?? both ?? null);
    last = null;
  }
  return taken.get(key);
}

function tell(arrows, chosen = null) {
  const have = new Set(arrows.flat());
  const things = given ? `${have.size} of ${names.size} things are on arrows` : `${names.size}${wanted ? ` of ${wanted}` : ""} things`;
  counts.textContent = `${things}; ${arrows.length} arrow${arrows.length === 1 ? "" : "s"}.`;
  document.getElementById("known").replaceChildren(...[...names].map((name) => new Option(name)));
  const drawn = new Set(arrows.map(([cause, effect]) => findSentence(cause, effect)));
  for (const sentence of text.querySelectorAll("p > span")) sentence.classList.toggle("taken", drawn.has(sentence));
  const keys = new Set(arrows.map((pair) => pair.join(" -> ")));
  for (const key of taken.keys()) if (!keys.has(key)) taken.delete(key);
  if (chosen === null) last = null;
  for (const term of text.querySelectorAll(".term")) {
    term.classList.toggle("used", have.has(term.dataset.name));
    term.setAttribute("aria-pressed", String(term.dataset.name === chosen));
  }
}

const quote = (cause, effect) => findSentence(cause, effect)?.textContent.trim() ?? "";
const editor = arrowEditor(form.elements.arrows, { nodes: [...names], quote, changed: tell });

function addThing(words) {
  const name = words.trim().replace(/\s+/g, " ").replaceAll("->", "→").slice(0, 200);
  if (!name) return;
  names.add(name);
  editor.setNodes([...names]);
  tell(editor.arrows());
}

const take = document.getElementById("take");
if (take) {
  take.hidden = false;
  document.getElementById("take-hint").hidden = false;
  const takeSelection = () => {
    const selection = getSelection();
    if (selection.rangeCount && text.contains(selection.anchorNode)) addThing(String(selection));
  };
  // A press must not clear the selection that it is about.
  take.addEventListener("pointerdown", (event) => event.preventDefault());
  take.addEventListener("click", takeSelection);
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    takeSelection();
  });
}

document.getElementById("by-typing").hidden = false;
const [cause, effect] = ["cause", "effect"].map((id) => document.getElementById(id));
function addTyped() {
  const pair = [cause.value, effect.value].map((words) => words.trim().replace(/\s+/g, " "));
  if (!pair[0] || !pair[1]) return;
  if (given && !pair.every((name) => names.has(name))) {
    counts.textContent = "Take the things from the list: others are not asked for.";
    return;
  }
  pair.forEach(addThing);
  editor.add(...pair);
  cause.value = effect.value = "";
  cause.focus();
}
document.getElementById("add").addEventListener("click", addTyped);
for (const field of [cause, effect]) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    addTyped();
  });
}

const finder = document.getElementById("finder");
if (finder) {
  finder.hidden = false;
  const find = document.getElementById("find");
  find.addEventListener("input", () => {
    const wordsLooked = find.value.trim().toLowerCase();
    for (const button of root.querySelectorAll(".arrow-canvas button")) {
      const found = button.dataset.name.toLowerCase().includes(wordsLooked);
      button.classList.toggle("found", found && wordsLooked !== "");
    }
  });
  find.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
}

const tabs = document.querySelector(".tabs");
tabs.hidden = false;
for (const tab of tabs.querySelectorAll("button")) {
  tab.addEventListener("click", () => {
    root.dataset.tab = tab.dataset.tab;
    for (const one of tabs.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one === tab));
  });
}
