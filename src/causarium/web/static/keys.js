"use strict";
// A key makes the move of the form that names it, unless somebody is typing.
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
  const form = document.querySelector(`form[data-key="${CSS.escape(event.key)}"]`);
  if (!form || event.repeat) return;
  event.preventDefault();
  form.requestSubmit();
});
