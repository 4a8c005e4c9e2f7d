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
    if (test) test.textContent = /^\s*\d+\s*$/.test(count.value) ? `Test ${Number(count.value)} ${Number(count.value) === 1 ? "drone" : "drones"}` : "Test this design";
  };
  form.addEventListener("input", show);
  count?.addEventListener("input", show);
  show();
}
