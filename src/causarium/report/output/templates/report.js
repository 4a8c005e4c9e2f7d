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

// The contents say where the reader is.
const links = new Map([...document.querySelectorAll(".bar nav a")].map((a) => [a.hash.slice(1), a]));
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    links.forEach((link) => link.removeAttribute("aria-current"));
    links.get(entry.target.id)?.setAttribute("aria-current", "true");
  }
}, { rootMargin: "-64px 0px -70% 0px" });
for (const id of links.keys()) {
  const part = document.getElementById(id);
  if (part) seen.observe(part);
}
