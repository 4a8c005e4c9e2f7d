"use strict";
(() => {
  const body = document.querySelector("#board tbody");
  const rows = [...body.rows];
  const entries = rows.filter((row) => row.classList.contains("entry"));
  const byId = (id) => document.getElementById(id);
  const chosen = (id) => byId(id)?.value ?? "";
  const filter = () => {
    const find = chosen("find").trim().toLowerCase();
    for (const row of entries) {
      const { name, decoding, trained } = row.dataset;
      row.hidden = !(
        name.includes(find) &&
        (!chosen("decoding") || decoding === chosen("decoding")) &&
        (!chosen("trained") || trained === chosen("trained"))
      );
    }
    const shown = entries.filter((row) => !row.hidden).length;
    byId("count").textContent = shown === entries.length ? `${shown} entries` : `${shown} of ${entries.length} entries`;
  };
  const form = document.querySelector(".tools");
  form.hidden = entries.length < 2;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  const heads = [...document.querySelectorAll("#board th[data-sort]")];
  const sort = (head) => {
    const turn = { ascending: "descending", descending: "ascending" }[head.ariaSort];
    const order = turn || (head.dataset.sort === "up" ? "ascending" : "descending");
    for (const other of heads) other.ariaSort = null;
    head.ariaSort = order;
    const value = (row) => Number(row.cells[head.cellIndex]?.dataset.value ?? -1e9);
    const sign = order === "ascending" ? 1 : -1;
    // What is not there comes last either way.
    const gone = (row) => value(row) < -1e6;
    const sorted = [...rows].sort((a, b) => gone(a) - gone(b) || sign * (value(a) - value(b)));
    for (const row of rows) if (row.classList.contains("part")) row.hidden = true;
    body.append(...sorted);
  };
  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head));
  }
})();
