// Words selected in the text become things; arrows join things; typing is a second way.
import { arrowEditor, readArrows } from "/static/arrows.js";

const root = document.getElementById("recite");
const form = root.querySelector("form");
const text = document.getElementById("text");
const counts = document.getElementById("counts");
const given = root.dataset.given === "yes";
const wanted = root.dataset.wanted;
const names = new Set(JSON.parse(root.dataset.names));
for (const pair of readArrows(form.elements.arrows.value)) for (const name of pair) names.add(name);

function tell(arrows) {
  const have = new Set(arrows.flat());
  const things = given ? `${have.size} of ${names.size} things are on arrows` : `${names.size}${wanted ? ` of ${wanted}` : ""} things`;
  counts.textContent = `${things}; ${arrows.length} arrow${arrows.length === 1 ? "" : "s"}.`;
  document.getElementById("known").replaceChildren(...[...names].map((name) => new Option(name)));
}

const editor = arrowEditor(form.elements.arrows, { nodes: [...names], cycles: true, changed: tell });

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
      button.hidden = !button.dataset.name.toLowerCase().includes(wordsLooked) && button.getAttribute("aria-pressed") !== "true";
    }
  });
  find.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
}
