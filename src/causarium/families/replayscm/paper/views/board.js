// Each formula is checked against all shown worlds as one types; keys insert at the cursor.
import { readFormula, valueOf } from "./formula.js";

const root = document.getElementById("replay");
const problem = JSON.parse(root.dataset.problemData);
const fields = [...root.querySelectorAll("input[data-name]")];
const tables = [...root.querySelectorAll("table[data-world]")];
const rowsOf = tables.map((table) => [...table.tBodies[0].rows]); // As listed, however they are sorted.
const allRows = rowsOf.flat();
const exact = document.getElementById("exact");
const fails = document.getElementById("fails");
const names = problem.variables;
let last = fields[0];

function rowOf(world, at) {
  return Object.fromEntries(names.map((name) => [name, world.columns[name][at] === "1"]));
}

function check(field) {
  const name = field.dataset.name;
  const column = names.indexOf(name) + 1; // The unit's name stands first.
  const { tree, problem: wrong } = readFormula(field.value, names);
  let [right, all] = [0, 0];
  const missed = new Map();
  problem.worlds.forEach((world, place) => {
    const isSet = world.targets.includes(name);
    rowsOf[place].forEach((line, at) => {
      const cell = line.cells[column];
      cell.className = isSet ? "set" : "";
      if (isSet) return;
      const row = rowOf(world, at);
      const fits = tree !== undefined && valueOf(tree, row) === row[name];
      if (tree !== undefined) cell.className = fits ? "good" : "bad";
      all += 1;
      right += fits;
      if (!fits) missed.set(place, [...(missed.get(place) ?? []), line.dataset.unit]);
    });
  });
  const count = root.querySelector(`[data-count="${name}"]`);
  count.textContent = tree === undefined ? wrong : right === all ? `✓ all ${all}` : `${right} of ${all}`;
  count.classList.toggle("warn", Boolean(wrong));
  if (field === last) {
    const where = [...missed].map(([place, units]) => `${problem.worlds[place].id} (${units.join(", ")})`);
    fails.textContent = tree === undefined ? "" : where.length ? `${name} fails in ${where.join("; ")}.` : `${name} fits every row.`;
  }
  // An empty field may be a root's where roots are to be found.
  return field.value.trim() || !root.querySelector("[data-problem=roots]") ? missed.keys() : [];
}

/** Mark the roots that were set: they have no formula to check. */
function markRoots() {
  const roots = names.filter((name) => !fields.some((field) => field.dataset.name === name));
  problem.worlds.forEach((world, place) => {
    for (const name of roots) {
      const isSet = world.targets.includes(name);
      for (const line of rowsOf[place]) line.cells[names.indexOf(name) + 1].className = isSet ? "set" : "";
    }
  });
}

function show() {
  markRoots();
  const missed = new Set(fields.flatMap((field) => [...check(field)]));
  exact.textContent = `${problem.worlds.length - missed.size} of ${problem.worlds.length} worlds exact`;
  arrange();
}

// Tables are sorted alike, and columns hidden in all of them.
const tools = document.getElementById("tools");
const [sort, mark, failing] = ["sort", "mark", "failing"].map((id) => document.getElementById(id));
function arrange() {
  const column = names.indexOf(sort.value) + 1;
  const keyOf = (row) => (sort.value === "fails" ? !row.querySelector(".bad") : column ? row.cells[column].textContent : "");
  rowsOf.forEach((rows, place) => {
    const keyed = rows.map((row) => [String(keyOf(row)), row]);
    keyed.sort(([one], [other]) => one.localeCompare(other));
    tables[place].tBodies[0].append(...keyed.map(([, row]) => row));
  });
  for (const row of allRows) row.hidden = failing.checked && !row.querySelector(".bad");
}
tools.hidden = !fields.length;
sort.addEventListener("change", arrange);
failing.addEventListener("change", arrange);
for (const box of tools.querySelectorAll("[data-column]")) {
  box.addEventListener("change", () => {
    for (const table of tables) for (const row of table.rows) row.cells[box.dataset.column].hidden = !box.checked;
  });
}

// A unit is the same in every world: pointing at one row, or choosing it, marks it in all tables.
const markUnit = (unit) => {
  for (const row of allRows) row.classList.toggle("same", row.dataset.unit === unit);
};
for (const row of allRows) {
  row.addEventListener("pointerenter", () => markUnit(row.dataset.unit));
  row.addEventListener("pointerleave", () => markUnit(mark.value));
}
mark.addEventListener("change", () => markUnit(mark.value));
for (const field of fields) {
  field.addEventListener("input", show);
  field.addEventListener("focus", () => {
    last = field;
    check(field);
  });
}
// What was wrong is no longer said once one writes.
root.addEventListener("input", ({ target }) => {
  target.removeAttribute("aria-invalid");
  for (const words of target.form?.querySelectorAll("[data-problem]") ?? []) words.hidden = true;
  document.getElementById("alert").hidden = true;
});
const keys = document.getElementById("keys");
keys.hidden = !fields.length;
for (const key of keys.querySelectorAll("[data-insert]")) {
  key.addEventListener("click", () => {
    const text = key.dataset.insert;
    const [start, end] = [last.selectionStart ?? last.value.length, last.selectionEnd ?? last.value.length];
    const before = last.value.slice(0, start);
    const space = before && !/[\s(]$/.test(before) && text !== ")" ? " " : "";
    last.setRangeText(space + text, start, end, "end");
    last.dispatchEvent(new Event("input", { bubbles: true }));
    last.focus();
  });
}
if (fields.length) show();
