// One budget over all sliders: beyond it nothing can be sent, and the words say by how much.
const root = document.getElementById("game");
if (root) {
  const form = root.querySelector("form");
  const sliders = [...form.querySelectorAll("input[type=range]")];
  const meter = document.getElementById("budget");
  const words = form.querySelector("[data-problem=total]");
  const [test, commit, count] = ["test", "commit", "count"].map((id) => document.getElementById(id));
  const total = Number(root.dataset.total);
  const show = () => {
    let used = 0;
    for (const slider of sliders) {
      used += Number(slider.value);
      slider.nextElementSibling.textContent = slider.value;
    }
    const over = used - total;
    if (meter) {
      meter.value = used;
      meter.classList.toggle("over", over > 0);
      document.getElementById("used").textContent = used;
      words.hidden = over <= 0;
      words.textContent = `${over} points over the budget. Take some off before you send.`;
    }
    for (const button of [test, commit]) if (button) button.disabled = Boolean(meter) && over > 0;
    if (test) test.textContent = /^\s*\d+\s*$/.test(count.value) ? `Test ${Number(count.value)} drones` : "Test this design";
  };
  form.addEventListener("input", show);
  count?.addEventListener("input", show);
  show();
}

// On an expedition flights are cut by design, by what was set and by what was shown.
for (const cuts of document.querySelectorAll(".cuts")) {
  const rows = [...document.querySelectorAll(`#${cuts.dataset.rows} tbody tr`)];
  const says = document.getElementById(cuts.dataset.rows.replace("rows", "says"));
  cuts.addEventListener("change", () => {
    const chosen = [...cuts.querySelectorAll("select")].filter((one) => one.value);
    for (const row of rows) {
      const cut = JSON.parse(row.dataset.cut);
      row.hidden = chosen.some((one) => cut[one.dataset.by] !== one.value);
    }
    const kept = rows.filter((row) => !row.hidden);
    const flights = kept.reduce((sum, row) => sum + Number(row.dataset.flights), 0);
    const words = chosen.map((one) => `${one.dataset.by} ${one.value}`).join(", ");
    says.textContent = `${kept.length} of ${rows.length} rows, ${flights} flights${words ? ` with ${words}` : ""}.`;
  });
}

// After an order one goes on where one was: the page is new, the place is not.
const PLACE = `place ${location.pathname}`;
for (const form of document.querySelectorAll("form.move")) {
  form.addEventListener("submit", () => sessionStorage.setItem(PLACE, form.id));
}
document.getElementById(sessionStorage.getItem(PLACE) ?? "")?.querySelector("button.main")?.focus();

// Questions: how many are answered.
const answered = document.getElementById("answered");
if (answered) {
  const questions = [...document.querySelectorAll(".questions li")];
  const tell = () => {
    const done = questions.filter((one) => one.querySelector("input:checked")).length;
    answered.textContent = `${done} of ${questions.length} answered`;
  };
  document.querySelector(".questions").addEventListener("change", tell);
  tell();
}
