"use strict";
(() => {
  const rows = [...document.querySelectorAll("#board tbody:first-of-type tr")];
  const byId = (id) => document.getElementById(id);
  const filter = () => {
    let shown = 0;
    for (const row of rows) {
      const data = row.dataset;
      row.hidden = !(
        data.name.includes(byId("find").value.trim().toLowerCase()) &&
        (!byId("kind").value || data.kind === byId("kind").value) &&
        (!byId("signed").checked || data.signed === "1") &&
        (!byId("reproduced").checked || data.reproduced === "1")
      );
      shown += row.hidden ? 0 : 1;
    }
    byId("count").textContent = `${shown} of ${rows.length} entries`;
  };
  for (const id of ["find", "kind", "signed", "reproduced"]) byId(id).addEventListener("input", filter);
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  const buttons = [...document.querySelectorAll(".sort")];
  const sort = (button) => {
    const value = (row) => Number(row.querySelectorAll("td")[button.dataset.column].dataset.value);
    for (const row of [...rows].sort((a, b) => value(b) - value(a))) row.parentNode.append(row);
    for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
  };
  for (const button of buttons) button.addEventListener("click", () => sort(button));
  if (buttons.length) sort(buttons[0]);
  if (!byId("pairs")) return;
  const pairs = JSON.parse(byId("pairs").dataset.pairs);
  const fight = () => {
    const [ours, theirs] = [byId("ours").value, byId("theirs").value];
    const forth = pairs[`${ours}\n${theirs}`], back = pairs[`${theirs}\n${ours}`];
    const lines = forth || (back || []).map(([t, v, low, high, n]) => [t, -v, -high, -low, n]);
    const body = document.querySelector("#duels tbody");
    body.replaceChildren(...lines.map((line) => {
      const row = document.createElement("tr");
      line.forEach((cell, place) => {
        const td = document.createElement("td");
        td.textContent = place && place < 4 ? cell.toFixed(2) : cell;
        row.append(td);
      });
      return row;
    }));
  };
  for (const id of ["ours", "theirs"]) byId(id).addEventListener("input", fight);
  fight();
})();
