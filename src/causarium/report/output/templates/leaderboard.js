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
  const figures = document.querySelectorAll("#efforts figure");
  const choose = () => figures.forEach((one, place) => { one.hidden = place !== byId("task").selectedIndex; });
  byId("task")?.addEventListener("input", choose);
  choose();
  for (const box of document.querySelectorAll("[data-entry]")) {
    box.addEventListener("input", () => {
      for (const one of document.querySelectorAll(`#curves .e${box.dataset.entry}`)) one.classList.toggle("off", !box.checked);
    });
  }
  if (!byId("pairs")) return;
  const pairs = JSON.parse(byId("pairs").dataset.pairs);
  const drawCounts = (counts, words) => {
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", counts.map((count, place) => `${count} ${words[place]}`).join(", "));
    counts.forEach((count, place) => {
      if (!count) return;
      const part = document.createElement("span");
      part.className = `d${place}`;
      part.style.flexGrow = count;
      part.textContent = count;
      bar.append(part);
    });
    return bar;
  };
  const fight = () => {
    const [ours, theirs] = [byId("ours").value, byId("theirs").value];
    const forth = pairs[`${ours}\n${theirs}`], back = pairs[`${theirs}\n${ours}`];
    const turn = ([mine, both, neither, other]) => [other, both, neither, mine];
    const lines = forth || (back || []).map(([t, v, low, high, counts]) => [t, -v, -high, -low, turn(counts)]);
    for (const side of ["ours", "theirs"]) document.querySelector(`[data-side=${side}]`).textContent = byId(side).value;
    byId("none").hidden = lines.length > 0;
    document.querySelector("#duels tbody").replaceChildren(...lines.map(([task, value, low, high, counts]) => {
      const row = document.createElement("tr");
      const verdict = low > 0 ? "first leads" : high < 0 ? "second leads" : "not told apart";
      const shown = [value, low, high].map((one) => one.toFixed(2).replace(/^-0\.00$/, "0.00").replace("-", "−"));
      row.insertCell().textContent = task;
      row.insertCell().append(drawCounts(counts, [`${ours} only`, "both", "neither", `${theirs} only`]));
      row.insertCell().append(verdict, document.createElement("br"), `${shown[0]}, ${shown[1]} to ${shown[2]}`);
      return row;
    }));
  };
  const order = [...document.querySelectorAll("#board tbody:first-of-type tr")];
  ["ours", "theirs"].forEach((id, place) => { byId(id).selectedIndex = rows.indexOf(order[place]); });
  for (const id of ["ours", "theirs"]) byId(id).addEventListener("input", fight);
  fight();
})();
