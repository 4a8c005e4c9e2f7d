"use strict";
// Tables sort by a column when its heading is pressed; a second press turns the order.
for (const table of document.querySelectorAll("table")) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, heads, column));
  });
}

function sort(table, heads, column) {
  const rising = heads[column].getAttribute("aria-sort") === "descending";
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", rising ? "ascending" : "descending");
  const body = table.tBodies[0];
  // Rows are sorted within their group: a model and a published value are not one list.
  const groups = [[]];
  for (const row of [...body.rows]) {
    if (row.classList.contains("group")) groups.push([row]);
    else groups[groups.length - 1].push(row);
  }
  for (const group of groups) {
    const fixed = group.filter((row) => row.classList.contains("group"));
    const moved = group.filter((row) => !row.classList.contains("group"));
    moved.sort((a, b) => compare(key(a.cells[column]), key(b.cells[column])) * (rising ? 1 : -1));
    body.append(...fixed, ...moved);
  }
}

function key(cell) {
  const text = (cell?.firstChild?.textContent ?? "").trim() || (cell?.textContent ?? "").trim();
  const number = parseFloat(text.replaceAll(",", "").replace("\u2212", "-"));
  return Number.isNaN(number) ? text : number;
}

function compare(a, b) {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "number" ? 1 : -1;
}

// Marks of charts say what they stand for when pointed at or focused.
const tip = document.createElement("div");
tip.className = "tip";
tip.setAttribute("role", "status");
tip.hidden = true;
document.body.append(tip);
for (const mark of document.querySelectorAll("figure svg [aria-roledescription][aria-label]")) {
  const kind = mark.getAttribute("aria-roledescription");
  if (["axis", "legend", "title", "rule mark"].includes(kind)) continue;
  mark.classList.add("mark");
  mark.addEventListener("pointerenter", (event) => show(mark, event.clientX, event.clientY));
  mark.addEventListener("pointerleave", () => (tip.hidden = true));
}

function show(mark, x, y) {
  tip.textContent = mark.getAttribute("aria-label").split("; ").join("\n");
  tip.hidden = false;
  const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
  tip.style.left = `${Math.max(8, Math.min(x + 12, room))}px`;
  tip.style.top = `${y + 14}px`;
}
