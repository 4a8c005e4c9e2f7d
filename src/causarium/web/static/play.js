// A draft is checked before it is sent: a slip shows its words at its field and costs nothing.
// What was entered survives a reload, until the move is made.
const alertBox = document.getElementById("alert");

function clearProblems() {
  alertBox.hidden = true;
  for (const words of document.querySelectorAll("[data-problem]")) words.hidden = true;
  for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

function showProblems(form, reply) {
  const [first] = reply.problems;
  for (const { field, words } of reply.problems) {
    const wanted = `[data-problem="${CSS.escape(field)}"]`;
    const place = form.querySelector(wanted) ?? document.querySelector(wanted);
    if (place) {
      place.textContent = words;
      place.hidden = false;
    }
    const input = field && form.elements[field];
    if (input instanceof HTMLElement && input.type !== "hidden") input.setAttribute("aria-invalid", "true");
  }
  alertBox.textContent = `${reply.problems.map((one) => one.words).join(" ")} ${reply.spent}`;
  alertBox.hidden = false;
  const input = first.field && form.elements[first.field];
  if (input instanceof HTMLElement && input.type !== "hidden") input.focus();
}

// The end of a first game takes some seconds: the button says that it was pressed.
function startWaiting(form, button) {
  form.ariaBusy = "true";
  const label = button?.textContent;
  const timer = setTimeout(() => { if (button) button.textContent = "Working…"; }, 1000);
  return () => {
    clearTimeout(timer);
    form.ariaBusy = null;
    if (button) button.textContent = label;
  };
}

// By game and not by turn: a design or a graph that is being worked on outlives an experiment.
const storageKey = (form) => `draft ${form.dataset.game} ${form.dataset.part}`;

function keepDraft(form) {
  const draft = JSON.parse(sessionStorage.getItem(storageKey(form)) ?? "{}");
  for (const field of form.elements) {
    if (!field.name || field.name === "turn" || field.type === "submit" || "fixed" in field.dataset) continue;
    if (field.type === "radio" && !field.checked) continue;
    draft[field.name] = field.type === "checkbox" ? field.checked : field.value;
  }
  sessionStorage.setItem(storageKey(form), JSON.stringify(draft));
}

function restoreDraft(form) {
  const draft = JSON.parse(sessionStorage.getItem(storageKey(form)) ?? "{}");
  for (const field of form.elements) {
    if (!(field.name in draft) || field.name === "turn" || "fixed" in field.dataset) continue;
    if (field.type === "checkbox") field.checked = draft[field.name];
    else if (field.type === "radio") field.checked = field.value === draft[field.name];
    else if (field.type !== "hidden" && field.type !== "submit") field.value = draft[field.name];
  }
}

const PLACE = `pressed ${location.pathname}`;
const forms = [...document.querySelectorAll("form.move")];
for (const form of forms) {
  if (form.dataset.part) {
    restoreDraft(form);
    for (const field of form.elements) field.addEventListener("input", () => keepDraft(form));
  }
  // What was changed is no longer wrong; words at other fields stay.
  form.addEventListener("input", ({ target }) => {
    alertBox.hidden = true;
    target.removeAttribute("aria-invalid");
    form.querySelector(`[data-problem="${CSS.escape(target.name)}"]`)?.setAttribute("hidden", "");
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // A second press while the first is on its way would find a game that has moved on.
    if (form.ariaBusy) return;
    const stopWaiting = startWaiting(form, event.submitter);
    clearProblems();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const reply = await fetch(form.dataset.check, { method: "POST", body });
    const found = reply.ok ? await reply.json() : { problems: [] };
    if (found.problems.length) {
      stopWaiting();
      showProblems(form, found);
      return;
    }
    // The pressed button's value travels too: a form that is sent by a script leaves it out.
    if (event.submitter?.name) {
      const pressed = document.createElement("input");
      pressed.type = "hidden";
      pressed.name = event.submitter.name;
      pressed.value = event.submitter.value;
      form.append(pressed);
    }
    sessionStorage.setItem(PLACE, JSON.stringify([forms.indexOf(form), [...form.elements].indexOf(event.submitter)]));
    form.submit();
  });
}

// A page that one comes back to may show a game that has moved on.
addEventListener("pageshow", (event) => event.persisted && location.reload());

// A move brings a new page. Focus goes back to what was pressed, or to what took its place, and the
// result is spoken: a live region that is filled from the start stays silent.
const left = sessionStorage.getItem(PLACE);
if (left) {
  sessionStorage.removeItem(PLACE);
  const [number, place] = JSON.parse(left);
  const form = forms[number] ?? forms[0];
  const canBePressed = (one) => one?.matches("button, select, textarea, input:not([type=hidden])") && !one.disabled;
  const pressed = form?.elements[place];
  const next = canBePressed(pressed) ? pressed : [...(form?.elements ?? [])].find(canBePressed);
  (next ?? document.querySelector("h1")).focus();
  const results = [...document.querySelectorAll("main [role=status]:not(#said)")];
  // Where nothing is left to press, what the move brought is what one looks for.
  if (!next) results.find((one) => one.textContent.trim())?.scrollIntoView({ block: "nearest" });
  const told = results.map((one) => one.textContent.trim());
  const meters = [...document.querySelectorAll(".meta > span:has(b)")].map((one) => one.textContent.trim());
  setTimeout(() => {
    document.getElementById("said").textContent = [...told, ...meters].filter(Boolean).join(" ");
  }, 200);
}
