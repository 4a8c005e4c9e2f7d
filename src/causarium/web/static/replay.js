"use strict";
// The scrubber asks for one step at a time; arrow keys move it from anywhere on the page.
const form = document.querySelector("form.steps");
const range = form.querySelector("input[type=range]");
const output = form.querySelector("output");
const place = document.getElementById("turn");
let asked = 0;

async function show() {
  output.textContent = range.value;
  const query = new URLSearchParams(new FormData(form));
  const mine = ++asked;
  const open = [...place.querySelectorAll("details")].map((part) => part.open);
  const reply = await fetch(`${form.dataset.fragment}?${query}`);
  const text = await reply.text();
  // Replies may overtake each other; only the last one asked for is shown.
  if (mine !== asked) return;
  place.innerHTML = reply.ok ? text : "";
  if (!reply.ok) place.textContent = "This step cannot be shown; reload the page.";
  const parts = [...place.querySelectorAll("details")];
  if (parts.length === open.length) parts.forEach((part, at) => { part.open = open[at]; });
  history.replaceState(null, "", `${form.getAttribute("action")}?${query}`);
}

function go(step) {
  const before = range.value;
  range.value = Number(range.value) + step;
  if (range.value !== before) show();
  return range.value !== before;
}

range.addEventListener("input", show);
for (const button of form.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => go(Number(button.dataset.step)));
}
form.querySelector("select").addEventListener("change", () => form.submit());
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select, pre") || event.altKey || event.ctrlKey) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) go(step);
});

// Play moves on once a second; people who asked for little motion are not offered it.
const player = form.querySelector("[data-play]");
let timer = 0;
function stop() {
  clearInterval(timer);
  timer = 0;
  player.textContent = "Play";
  player.setAttribute("aria-pressed", "false");
}
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.hidden = false;
player.addEventListener("click", () => {
  if (timer) {
    stop();
    return;
  }
  if (range.value === range.max) range.value = 0;
  show();
  player.textContent = "Pause";
  player.setAttribute("aria-pressed", "true");
  timer = setInterval(() => {
    if (!go(1)) stop();
  }, 1000);
});
