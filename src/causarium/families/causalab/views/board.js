// Number and slider tied; arrows by pressing; the equation held against the readings as one types.
import { arrowEditor, readArrows } from "/static/arrows.js";

// The bench has plain forms alone.
const root = document.getElementById("lab");
if (root) start(root);

function start(root) {
  const lab = JSON.parse(root.dataset.lab);

  const setting = document.getElementById("setting");
  if (setting) {
    const slider = document.getElementById("slider");
    slider.closest("label").hidden = false;
    const chosen = () => root.querySelector("input[name=property]:checked");
    const tie = () => {
      slider.min = chosen()?.dataset.low ?? -100;
      slider.max = chosen()?.dataset.high ?? 100;
      const value = Number(setting.value.replace(",", ".").replace("−", "-"));
      if (Number.isFinite(value)) slider.value = value;
    };
    slider.addEventListener("input", () => {
      setting.value = slider.value;
      setting.dispatchEvent(new Event("input", { bubbles: true }));
    });
    setting.addEventListener("input", tie);
    for (const choice of root.querySelectorAll("input[name=property]")) choice.addEventListener("change", tie);
    tie();
  }

  const form = root.querySelector("form[data-part=answer]");
  const fit = document.getElementById("fit");
  const use = document.getElementById("use");
  const read = (field) => {
    const text = (field?.value ?? "").trim().replace("−", "-").replace(",", ".");
    return text === "" ? NaN : Number(text);
  };
  let predicted = NaN;

  function predict(values, causes) {
    let total = read(form.elements.base);
    for (const at of causes) {
      total += read(form.elements[`linear${at}`]) * values[at];
      if (lab.square) total += read(form.elements[`square${at}`]) * values[at] ** 2;
    }
    return total;
  }

  function show() {
    const arrows = readArrows(form.elements.arrows.value);
    const direct = new Set(arrows.filter(([, effect]) => effect === lab.frequency).map(([cause]) => cause));
    const causes = lab.names.flatMap((name, at) => (direct.has(name) ? [at] : []));
    for (const term of form.querySelectorAll("[data-cause]")) term.hidden = !direct.has(term.dataset.cause);
    predicted = predict(lab.reactor, causes);
    const known = Number.isFinite(predicted);
    fit.hidden = false;
    use.hidden = !known;
    if (!known) {
      fit.textContent = direct.size
        ? "Fill in every number, and see how many of your readings the equation fits."
        : `Draw an arrow into ${lab.frequency} for each of its direct causes; each gets a number here.`;
      return;
    }
    const fitting = lab.readings.filter((row) => Math.abs(predict(row, causes) - row.at(-1)) <= lab.tolerance);
    fit.textContent = `This fits ${fitting.length} of ${lab.readings.length} readings of your crystal. For the locked crystal it says ${predicted.toFixed(2)} Hz.`;
    use.textContent = `Use ${predicted.toFixed(2)} Hz`;
  }

  arrowEditor(form.elements.arrows, {
    nodes: [...lab.names, lab.frequency],
    refuse: (cause) => (cause === lab.frequency && !lab.frequencyMayCause ? "Here the frequency causes nothing." : ""),
    changed: show,
  });
  form.addEventListener("input", show);
  use.addEventListener("click", () => {
    form.elements.value.value = predicted.toFixed(2);
    form.elements.value.dispatchEvent(new Event("input", { bubbles: true }));
    form.elements.value.focus();
  });
}
