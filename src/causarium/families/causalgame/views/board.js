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

// On an expedition: show the flights with one reading set, or with none, that show the same.
const filters = [...document.querySelectorAll("select.filter")];
for (const filter of filters) {
  filter.addEventListener("change", () => {
    const same = filters.filter((other) => other.dataset.leg === filter.dataset.leg);
    for (const row of document.querySelectorAll(`#${filter.dataset.leg} tbody tr`)) {
      row.hidden = same.some((one) => one.value && row.dataset[one.dataset.by] !== one.value);
    }
  });
}
