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
