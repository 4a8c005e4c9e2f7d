// Arrows between things: press a cause, then its effect; the same pair again takes the arrow away.
// A text field, one `cause -> effect` a line, holds what is drawn, so that forms work without this.
const [GAP, STEP, CLEAR] = [16, 68, 7]; // Between things of a row, from row to row, beside a thing.
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
 * @param {{nodes: string[], quote?: (cause: string, effect: string) => string,
 *   changed?: (arrows: string[][], chosen: string | null) => void}} options what may be joined,
 *   which words stand under an arrow in the list, and whom to tell
 */
export function arrowEditor(field, { nodes, quote = () => "", changed = () => {} }) {
  let names = nodes;
  let chosen = null;
  let fresh = "";
  const root = document.createElement("div");
  root.className = "arrow-editor";
  const canvas = document.createElement("div");
  canvas.className = "arrow-canvas";
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
    fresh = `${cause} -> ${effect}`;
    write([...pairs, [cause, effect]]);
    say(`Drawn: ${cause} → ${effect}.`);
  }

  function press(name) {
    if (chosen === null) {
      chosen = name;
      say(`Cause: ${name}. Now press its effect; ${name} again lets it be.`);
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

  /** Put what is on no arrow first, then causes above their effects, row by row. */
  function place() {
    drawing.replaceChildren();
    const width = canvas.clientWidth;
    const level = findLevels(arrows());
    const buttons = new Map([...canvas.querySelectorAll("button")].map((one) => [one.dataset.name, one]));
    const boxes = new Map();
    const rows = []; // What each row of the drawing holds, for arrows to pass between.
    const middle = (name) => {
      const above = arrows().filter((pair) => pair[1] === name && boxes.has(pair[0]));
      return above.length ? above.reduce((sum, pair) => sum + boxes.get(pair[0]).x, 0) / above.length : width / 2;
    };
    let y = 26;
    const putRow = (row, free) => {
      const spare = width - row.reduce((sum, name) => sum + buttons.get(name).offsetWidth, 0);
      const between = free ? GAP / 2 : Math.max(0, spare / (row.length + 1));
      let x = free ? 0 : between;
      for (const name of row) {
        const button = buttons.get(name);
        boxes.set(name, { x: x + button.offsetWidth / 2, y, w: button.offsetWidth / 2, h: button.offsetHeight / 2 });
        button.style.left = `${x}px`;
        button.style.top = `${y - button.offsetHeight / 2}px`;
        button.classList.toggle("free", free);
        x += button.offsetWidth + between;
      }
      if (!free) rows.push({ y, boxes: row.map((name) => boxes.get(name)), lanes: [] });
      y += free ? 46 : STEP;
    };
    const putRows = (row, free) => {
      let [line, taken] = [[], 0];
      for (const name of row) {
        const wide = buttons.get(name).offsetWidth + (free ? GAP / 2 : GAP);
        if (line.length && taken + wide > width - (free ? 0 : GAP)) {
          putRow(line, free);
          [line, taken] = [[], 0];
        }
        line.push(name);
        taken += wide;
      }
      if (line.length) putRow(line, free);
    };
    putRows(names.filter((name) => !level.has(name)), true);
    y += GAP;
    const used = names.filter((name) => level.has(name));
    for (const at of [...new Set(used.map((name) => level.get(name)))].sort((a, b) => a - b)) {
      const row = used.filter((name) => level.get(name) === at);
      putRows(row.sort((a, b) => middle(a) - middle(b)), false);
    }
    canvas.style.height = `${y}px`;
    for (const pair of arrows()) {
      const [from, to] = pair.map((name) => boxes.get(name));
      if (from && to) drawCurve(from, to, rows, pair.join(" -> ") === fresh);
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

  /** Return where an arrow passes a row: near `x`, beside all things and, if it can, all arrows. */
  function findLane(row, x) {
    const places = [];
    for (let off = 0; off < canvas.clientWidth; off += 2) places.push(x + off, x - off);
    const isInside = (at) => at > 2 && at < canvas.clientWidth - 2;
    const free = places.filter((at) => isInside(at) && row.boxes.every((box) => Math.abs(at - box.x) >= box.w + CLEAR));
    const lane = free.find((at) => row.lanes.every((other) => Math.abs(at - other) >= CLEAR)) ?? free[0] ?? x;
    row.lanes.push(lane);
    return lane;
  }

  function drawCurve(from, to, rows, isFresh) {
    const way = to.y > from.y ? 1 : -1;
    // An arrow back stands a little aside, so that two things which act on each other show two.
    const end = (box, other) => box.x + Math.max(-box.w * 0.6, Math.min(box.w * 0.6, (other.x - box.x) / 4 + (way < 0 ? 18 : 0)));
    let [x, y] = [end(from, to), from.y + way * from.h];
    let d = `M${x} ${y}`;
    const bendTo = (nextX, nextY) => {
      const half = (y + nextY) / 2;
      d += `C${x} ${half} ${nextX} ${half} ${nextX} ${nextY}`;
      [x, y] = [nextX, nextY];
    };
    const goal = [end(to, from), to.y - way * (to.h + 2)];
    const passed = rows.filter((row) => (row.y - from.y) * way > 1 && (to.y - row.y) * way > 1);
    for (const row of way > 0 ? passed : passed.reverse()) {
      const lane = findLane(row, x + (goal[0] - x) * ((row.y - y) / (goal[1] - y)));
      bendTo(lane, row.y - way * from.h);
      d += `V${row.y + way * from.h}`;
      y = row.y + way * from.h;
    }
    bendTo(goal[0], goal[1] - way * 9);
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    const head = document.createElementNS(SVG, "polygon");
    head.setAttribute("points", "0,0 -11,-5 -11,5");
    head.setAttribute("transform", `translate(${goal.join(" ")}) rotate(${way * 90})`);
    for (const part of [path, head]) part.classList.toggle("fresh", isFresh);
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
    add: toggle,
    press,
    arrows,
  };
}
