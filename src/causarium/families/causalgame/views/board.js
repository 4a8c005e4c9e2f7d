// On an expedition flights are cut by design, by what was set and by what was shown.
for (const cuts of document.querySelectorAll(".cuts")) {
  const rows = [...document.querySelectorAll(`#${cuts.dataset.rows} tbody tr`)];
  const [says, total] = ["says", "total"].map((id) => document.getElementById(cuts.dataset.rows.replace("rows", id)));
  const menus = [...cuts.querySelectorAll("select")];
  const last = says.textContent;
  // A cut outlives the next order.
  const key = (menu) => `cut ${location.pathname} ${cuts.dataset.rows} ${menu.dataset.by}`;
  for (const menu of menus) menu.value = sessionStorage.getItem(key(menu)) ?? "";
  const show = () => {
    for (const menu of menus) sessionStorage.setItem(key(menu), menu.value);
    const chosen = menus.filter((one) => one.value);
    for (const row of rows) {
      const cut = JSON.parse(row.dataset.cut);
      row.hidden = chosen.some((one) => cut[one.dataset.by] !== one.value);
    }
    const kept = rows.filter((row) => !row.hidden);
    const add = (name) => kept.reduce((sum, row) => sum + Number(row.dataset[name]), 0);
    const [flights, unseen] = [add("flights"), add("unseen")];
    const counts = [flights && `${add("back")} of ${flights}`, unseen && `${unseen}, losses unseen`];
    total.textContent = counts.filter(Boolean).join("; ") || "none";
    const words = chosen.map((one) => `${one.dataset.by} ${one.value}`).join(", ");
    says.textContent = words ? `${last} Rows with ${words}: ${kept.length} of ${rows.length}; returned: ${total.textContent}.` : last;
  };
  cuts.addEventListener("change", show);
  show();
}

// Questions: how many are answered, and which are open once one has tried to hand in.
const answered = document.getElementById("answered");
if (answered) {
  const questions = [...document.querySelectorAll(".questions li")];
  const tell = () => {
    const open = questions.filter((one) => !one.querySelector("input:checked"));
    answered.textContent = `${questions.length - open.length} of ${questions.length} answered`;
    return open[0]?.querySelector("input");
  };
  answered.closest("form").addEventListener("submit", ({ target }) => {
    if (target.elements.open.checked) return;
    target.classList.add("tried");
    tell()?.focus();
  });
  document.querySelector(".questions").addEventListener("change", tell);
  tell();
}
