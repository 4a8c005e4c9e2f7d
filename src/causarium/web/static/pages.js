"use strict";
// Replay: the scrubber asks for one turn at a time; arrow keys move it from anywhere on the page.
const scrubber = document.querySelector("form.scrubber");
if (scrubber) {
  const range = scrubber.querySelector("input[type=range]");
  const output = scrubber.querySelector("output");
  const place = document.getElementById("turn");
  let asked = 0;
  const show = async () => {
    output.textContent = range.value;
    const query = new URLSearchParams(new FormData(scrubber));
    const mine = ++asked;
    const reply = await fetch(`${scrubber.dataset.fragment}?${query}`);
    const text = await reply.text();
    // Replies may overtake each other; only the last one asked for is shown.
    if (mine !== asked) return;
    place.innerHTML = reply.ok ? text : "";
    if (!reply.ok) place.textContent = "This turn cannot be shown; reload the page.";
    history.replaceState(null, "", `${scrubber.getAttribute("action")}?${query}`);
  };
  range.addEventListener("input", show);
  for (const button of scrubber.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => {
      range.value = Number(range.value) + Number(button.dataset.step);
      show();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, textarea, select, pre") || event.altKey || event.ctrlKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    range.value = Number(range.value) + step;
    show();
  });
}

// Parts that cost something are loaded when asked for, or at once where the page says so.
for (const part of document.querySelectorAll("[data-load]")) {
  const load = async () => {
    part.textContent = "Working…";
    const reply = await fetch(part.dataset.load);
    if (reply.ok) part.innerHTML = await reply.text();
    else part.textContent = "This cannot be shown.";
  };
  part.querySelector("a")?.addEventListener("click", (event) => {
    event.preventDefault();
    load();
  });
  if ("now" in part.dataset) load();
}

// Annotation: checked as one types; arrows can be added and removed without typing syntax.
const annotation = document.querySelector("form.annotate");
if (annotation) {
  const edges = annotation.elements.edges;
  const list = annotation.querySelector(".editor");
  const names = document.getElementById("names");
  const lines = () => edges.value.split("\n").filter((line) => line.trim());
  const refresh = async () => {
    list.replaceChildren(...lines().map((line, at) => item(line, at)));
    const known = new Set(lines().flatMap((line) => line.split("->").map(bare)));
    names.replaceChildren(...[...known].map((name) => new Option(name, name)));
    const body = new URLSearchParams(new FormData(annotation));
    body.set("part", "1");
    const reply = await fetch(annotation.dataset.check, { method: "POST", body });
    if (reply.ok) document.getElementById("found").innerHTML = await reply.text();
  };
  const bare = (name) => name.trim().replace(/^"|"$/g, "");
  const item = (line, at) => {
    const entry = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Remove";
    button.setAttribute("aria-label", `Remove ${line}`);
    button.addEventListener("click", () => {
      edges.value = lines().filter((_, other) => other !== at).join("\n");
      refresh();
    });
    entry.append(document.createTextNode(line), button);
    return entry;
  };
  annotation.querySelector(".adder").hidden = false;
  document.getElementById("add").addEventListener("click", () => {
    const [cause, effect] = ["cause", "effect"].map((id) => document.getElementById(id));
    if (!cause.value.trim() || !effect.value.trim()) return;
    edges.value = [...lines(), `"${bare(cause.value)}" -> "${bare(effect.value)}"`].join("\n");
    cause.value = effect.value = "";
    cause.focus();
    refresh();
  });
  let waiting;
  annotation.addEventListener("input", (event) => {
    if (!["edges", "second"].includes(event.target.name)) return;
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 300);
  });
  refresh();
}
