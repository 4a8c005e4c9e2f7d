// Each formula is held against all shown worlds as one types; keys insert at the cursor.
import { readFormula, valueOf } from "/boards/replayscm/formula.js";

const root = document.getElementById("replay");
const problem = JSON.parse(root.dataset.problemData);
const fields = [...root.querySelectorAll("input[data-name]")];
const tables = [...root.querySelectorAll("table[data-world]")];
const exact = document.getElementById("exact");

const hidden = document.getElementById("f-hidden");
const names = hidden ? [...problem.variables, "H"] : problem.variables;

function rowOf(world, at) {
  const row = Object.fromEntries(problem.variables.map((name) => [name, world.columns[name][at] === "1"]));
  if (hidden) row.H = hidden.value.replace(/\s/g, "")[at] === "1";
  return row;
}

function check(field) {
  const name = field.dataset.name;
  const column = problem.variables.indexOf(name);
  const { tree, problem: wrong } = readFormula(field.value, names);
  let [right, all] = [0, 0];
  const missed = new Set();
  problem.worlds.forEach((world, place) => {
    if (world.targets.includes(name)) return;
    const rows = tables[place].tBodies[0].rows;
    for (let at = 0; at < rows.length; at++) {
      const cell = rows[at].cells[column + 1]; // The unit's name stands first.
      if (tree === undefined) {
        cell.className = "";
        missed.add(place);
        continue;
      }
      const row = rowOf(world, at);
      const fits = valueOf(tree, row) === row[name];
      cell.className = fits ? "good" : "bad";
      all += 1;
      right += fits;
      if (!fits) missed.add(place);
    }
  });
  const count = root.querySelector(`[data-count="${name}"]`);
  count.textContent = tree === undefined ? wrong : `${right} of ${all}`;
  count.classList.toggle("warn", Boolean(wrong));
  // An empty field may be a root's where roots are to be found.
  return field.value.trim() || !root.querySelector("[data-problem=roots]") ? missed : new Set();
}

function show() {
  const missed = new Set(fields.flatMap((field) => [...check(field)]));
  exact.textContent = `${problem.worlds.length - missed.size} of ${problem.worlds.length} worlds exact`;
}

// A unit is the same in every world: pointing at one row marks it in all tables.
const rows = [...root.querySelectorAll("tr[data-unit]")];
for (const row of rows) {
  const mark = (on) => {
    for (const other of rows) other.classList.toggle("same", on && other.dataset.unit === row.dataset.unit);
  };
  row.addEventListener("pointerenter", () => mark(true));
  row.addEventListener("pointerleave", () => mark(false));
}
hidden?.addEventListener("input", show);

let last = fields[0];
for (const field of fields) {
  field.addEventListener("input", show);
  field.addEventListener("focus", () => (last = field));
}
const keys = document.getElementById("keys");
keys.hidden = !fields.length;
for (const key of keys.querySelectorAll("[data-insert]")) {
  key.addEventListener("click", () => {
    const text = key.dataset.insert;
    const [start, end] = [last.selectionStart ?? last.value.length, last.selectionEnd ?? last.value.length];
    const before = last.value.slice(0, start);
    const space = before && !/[\s(]$/.test(before) ? " " : "";
    last.setRangeText(space + text, start, end, "end");
    if (text.endsWith(")")) last.setSelectionRange(last.selectionStart - 1, last.selectionStart - 1);
    last.dispatchEvent(new Event("input", { bubbles: true }));
    last.focus();
  });
}
if (fields.length) show();
