// Arrows between things: press a cause, then its effect; the same pair again takes the arrow away.
// A text field, one `cause -> effect` a line, holds what is drawn, so that forms work without this.
const MOST_IN_A_RING = 8;
const SVG = "http://www.w3.org/2000/svg";

export function readArrows(text) {
  const lines = text.split("\n").map((line) => line.split("->").map((part) => part.trim()));
  return lines.filter((parts) => parts.length === 2 && parts[0] && parts[1]);
}

function reaches(arrows, from, to) {
  const waiting = [from];
  const met = new Set(waiting);
  while (waiting.length) {
    const at = waiting.pop();
    if (at === to) return true;
    for (const [cause, effect] of arrows) {
      if (cause === at && !met.has(effect)) {
        met.add(effect);
        waiting.push(effect);
      }
    }
  }
  return false;
}

/**
 * Put an editor in the place of a text field.
 * @param {HTMLTextAreaElement} field holds the arrows
 * @param {{nodes: string[], cycles?: boolean, layers?: boolean,
 *   refuse?: (cause: string, effect: string) => string,
 *   quote?: (cause: string, effect: string) => string,
 *   changed?: (arrows: string[][], chosen: string | null) => void}} options what may be drawn, in
 *   layers or as a ring, which words stand under an arrow in the list, and whom to tell
 */
export function arrowEditor(
  field,
  { nodes, cycles = false, layers = false, refuse = () => "", quote = () => "", changed = () => {} },
) {
  let names = nodes;
  let chosen = null;
  let fresh = "";
  const root = document.createElement("div");
  root.className = "arrow-editor";
  const canvas = document.createElement("div");
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("aria-hidden", "true");
  const status = document.createElement("p");
  status.className = "small muted";
  status.setAttribute("role", "status");
  const list = document.createElement("ul");
  list.className = "arrow-list";
  list.setAttribute("aria-label", "Arrows");
  root.append(status, canvas, list);
  const label = field.closest("label");
  label.hidden = true;
  label.after(root);

  const arrows = () => readArrows(field.value);
  const say = (words) => (status.textContent = words);
  const invite = () => say("Press a cause, then its effect. The same again takes the arrow away.");

  function write(pairs) {
    field.value = pairs.map((pair) => pair.join(" -> ")).join("\n");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    render();
  }

  function toggle(cause, effect) {
    const pairs = arrows();
    const rest = pairs.filter(([a, b]) => a !== cause || b !== effect);
    fresh = "";
    if (rest.length < pairs.length) {
      write(rest);
      say(`Removed: ${cause} → ${effect}.`);
      return;
    }
    const closes = !cycles && reaches(pairs, effect, cause);
    const reason = refuse(cause, effect) || (closes ? "That would close a circle of causes." : "");
    if (reason) say(`${cause} → ${effect} was not drawn. ${reason}`);
    else {
      fresh = `${cause} -> ${effect}`;
      write([...pairs, [cause, effect]]);
      say(`Drawn: ${cause} → ${effect}.`);
    }
  }

  function press(name) {
    if (chosen === null) {
      chosen = name;
      say(`Cause: ${name}. Now press its effect, or ${name} again to let it be.`);
    } else if (chosen === name) {
      chosen = null;
      invite();
    } else {
      const cause = chosen;
      chosen = null;
      toggle(cause, name);
    }
    showChosen();
  }

  function showChosen() {
    for (const button of canvas.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.name === chosen));
    }
    changed(arrows(), chosen);
  }

  function letBe() {
    if (chosen === null) return;
    chosen = null;
    invite();
    showChosen();
  }

  function place() {
    const ring = !layers && names.length <= MOST_IN_A_RING;
    canvas.className = `arrow-canvas ${layers ? "layers" : ring ? "ring" : "flow"}`;
    drawing.replaceChildren();
    if (layers) return placeLayers();
    canvas.style.height = ring ? `${Math.max(150, 54 * names.length)}px` : "";
    if (!ring) return;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const buttons = [...canvas.querySelectorAll("button")];
    const widest = Math.max(...buttons.map((button) => button.offsetWidth), 0);
    const [rx, ry] = [Math.min(260, (width - widest) / 2), height / 2 - 24];
    const boxes = new Map();
    buttons.forEach((button, at) => {
      const angle = -Math.PI / 2 + (2 * Math.PI * at) / buttons.length;
      const [x, y] = [width / 2 + rx * Math.cos(angle), height / 2 + ry * Math.sin(angle)];
      button.style.left = `${x}px`;
      button.style.top = `${y}px`;
      boxes.set(button.dataset.name, { x, y, w: button.offsetWidth / 2 + 4, h: button.offsetHeight / 2 + 4 });
    });
    for (const [cause, effect] of arrows()) {
      if (boxes.has(cause) && boxes.has(effect)) drawArrow(boxes.get(cause), boxes.get(effect));
    }
  }

  /** Put causes above their effects, row by row, and what is on no arrow below all rows. */
  function placeLayers() {
    const [width, gap, step] = [canvas.clientWidth, 10, 76];
    const level = findLevels(arrows());
    const buttons = new Map([...canvas.querySelectorAll("button")].map((one) => [one.dataset.name, one]));
    const boxes = new Map();
    const middle = (name) => {
      const above = arrows().filter((pair) => pair[1] === name && boxes.has(pair[0]));
      return above.length ? above.reduce((sum, pair) => sum + boxes.get(pair[0]).x, 0) / above.length : width / 2;
    };
    let y = 26;
    const putRow = (row, free) => {
      const spare = width - row.reduce((sum, name) => sum + buttons.get(name).offsetWidth, 0);
      const between = free ? gap : Math.max(gap, spare / (row.length + 1));
      let x = free ? 0 : Math.max(0, (spare - between * (row.length - 1)) / 2);
      for (const name of row) {
        const button = buttons.get(name);
        boxes.set(name, { x: x + button.offsetWidth / 2, y, w: button.offsetWidth / 2, h: button.offsetHeight / 2 });
        button.style.left = `${x}px`;
        button.style.top = `${y - button.offsetHeight / 2}px`;
        button.classList.toggle("free", free);
        x += button.offsetWidth + between;
      }
    };
    const putRows = (row, free, tall) => {
      let [line, taken] = [[], 0];
      for (const name of row) {
        const wide = buttons.get(name).offsetWidth + gap;
        if (line.length && taken + wide > width) {
          putRow(line, free);
          y += free ? 46 : 52;
          [line, taken] = [[], 0];
        }
        line.push(name);
        taken += wide;
      }
      if (line.length) putRow(line, free);
      y += tall;
    };
    const used = names.filter((name) => level.has(name));
    for (const at of [...new Set(used.map((name) => level.get(name)))].sort((a, b) => a - b)) {
      const row = used.filter((name) => level.get(name) === at);
      putRows(row.sort((a, b) => middle(a) - middle(b)), false, step);
    }
    putRows(names.filter((name) => !level.has(name)), true, 30);
    canvas.style.height = `${y}px`;
    for (const pair of arrows()) {
      const [from, to] = pair.map((name) => boxes.get(name));
      if (from && to) drawCurve(from, to, pair.join(" -> ") === fresh);
    }
  }

  /** Return the row of each thing on an arrow; an arrow that closes a circle moves nothing. */
  function findLevels(pairs) {
    const forward = pairs.filter(([cause, effect], at) => !reaches(pairs.slice(0, at), effect, cause));
    const level = new Map(pairs.flat().map((name) => [name, 0]));
    for (let round = 0; round < level.size; round += 1) {
      for (const [cause, effect] of forward) level.set(effect, Math.max(level.get(effect), level.get(cause) + 1));
    }
    return level;
  }

  function drawCurve(from, to, isFresh) {
    const down = to.y > from.y + 1;
    const [x1, y1] = down ? [from.x, from.y + from.h] : [from.x - from.w, from.y];
    const [x2, y2] = down ? [to.x, to.y - to.h - 2] : [to.x - to.w - 2, to.y];
    const [bend, half] = [Math.max(-24, Math.min(x1, x2) - 46), (y1 + y2) / 2];
    const path = document.createElementNS(SVG, "path");
    path.setAttribute(
      "d",
      down ? `M${x1} ${y1}C${x1} ${half} ${x2} ${half} ${x2} ${y2 - 9}` : `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2 - 9} ${y2}`,
    );
    const head = document.createElementNS(SVG, "polygon");
    head.setAttribute("points", "0,0 -11,-5 -11,5");
    head.setAttribute("transform", `translate(${x2} ${y2}) rotate(${down ? 90 : 0})`);
    for (const part of [path, head]) part.classList.toggle("fresh", isFresh);
    drawing.append(path, head);
  }

  function drawArrow(from, to) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const rim = ({ w, h }) => Math.min(dx ? w / Math.abs(dx) : 9, dy ? h / Math.abs(dy) : 9, 0.5);
    const [x1, y1] = [from.x + dx * rim(from), from.y + dy * rim(from)];
    const [x2, y2] = [to.x - dx * rim(to), to.y - dy * rim(to)];
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", `M${x1} ${y1}L${x2} ${y2}`);
    const head = document.createElementNS(SVG, "polygon");
    head.setAttribute("points", "0,0 -11,-5 -11,5");
    head.setAttribute("transform", `translate(${x2} ${y2}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`);
    drawing.append(path, head);
  }

  function render() {
    const focused = document.activeElement?.closest?.(".arrow-canvas") === canvas && document.activeElement.dataset.name;
    canvas.replaceChildren(drawing, ...names.map((name) => makeButton(name, name, () => press(name))));
    list.replaceChildren(...arrows().map(([cause, effect]) => {
      const item = document.createElement("li");
      const remove = makeButton("×", "", () => toggle(cause, effect));
      remove.setAttribute("aria-label", `Remove ${cause} → ${effect}`);
      const words = document.createElement("span");
      words.textContent = `${cause} → ${effect}`;
      const said = quote(cause, effect);
      if (said) words.append(Object.assign(document.createElement("q"), { textContent: said }));
      item.append(words, remove);
      return item;
    }));
    place();
    if (focused) [...canvas.querySelectorAll("button")].find((button) => button.dataset.name === focused)?.focus();
    changed(arrows(), chosen);
  }

  function makeButton(text, name, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    if (name) {
      button.dataset.name = name;
      button.setAttribute("aria-pressed", String(name === chosen));
    }
    button.addEventListener("click", act);
    return button;
  }

  new ResizeObserver(place).observe(root);
  addEventListener("keydown", (event) => event.key === "Escape" && letBe());
  invite();
  render();
  return {
    setNodes(given) {
      names = given;
      if (chosen !== null && !names.includes(chosen)) chosen = null;
      render();
    },
    removeNode: (name) => write(arrows().filter((pair) => !pair.includes(name))),
    add: toggle,
    press,
    arrows,
  };
}
