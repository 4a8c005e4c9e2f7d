"use strict";
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
