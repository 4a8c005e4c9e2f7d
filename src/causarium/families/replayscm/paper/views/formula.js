// Boolean formulas, prefix or infix, for what the board shows; the scorer reads more spellings.
const RULES = {
  not: (values) => !values[0],
  and: (values) => values.every(Boolean),
  or: (values) => values.some(Boolean),
  xor: (values) => values.filter(Boolean).length % 2 === 1,
  iff: (values) => values.every((value) => value === values[0]),
};

const SIGNS = { "!": "not", "~": "not", "¬": "not", "&": "and", "&&": "and", "∧": "and", "*": "and", "^": "xor", "⊕": "xor", "|": "or", "||": "or", "∨": "or", "+": "or", "<->": "iff", "↔": "iff", "==": "iff" };
const JOINS = ["iff", "or", "xor", "and"]; // Weakest first: not > and > xor > or > iff.

/**
 * Read a formula.
 * @param {string} text
 * @param {string[]} names
 * @returns {{tree?: string | any[], names?: string[], problem?: string}} problem is empty while
 *   nothing was written
 */
export function readFormula(text, names) {
  const words = text.match(/<->|&&|\|\||==|[()!~¬&∧*^⊕|∨+↔,]|[^\s()!~¬&∧*^⊕|∨+↔,<=]+/g) ?? [];
  if (!words.length) return { problem: "" };
  const used = new Set();
  const known = Object.fromEntries(names.map((name) => [name.toLowerCase(), name]));
  let at = 0;
  const fail = (why) => {
    throw new Error(why);
  };
  const operator = () => SIGNS[words[at]] ?? (words[at]?.toLowerCase() in RULES ? words[at].toLowerCase() : "");
  const infix = (level, depth) => {
    if (depth > 60) fail("too deep");
    if (level === JOINS.length) return unary(depth + 1);
    const parts = [infix(level + 1, depth)];
    while (operator() === JOINS[level]) {
      at += 1;
      parts.push(infix(level + 1, depth));
    }
    if (level === 0 && parts.length > 2) fail("iff of three needs brackets");
    return parts.length > 1 ? [JOINS[level], ...parts] : parts[0];
  };
  const unary = (depth) => {
    if (operator() !== "not") return primary(depth);
    at += 1;
    return ["not", unary(depth + 1)];
  };
  const group = (depth) => {
    at += 1;
    const items = [];
    while (at < words.length && words[at] !== ")") {
      items.push(infix(0, depth + 1));
      if (words[at] === ",") at += 1;
    }
    if (at++ >= words.length) fail("a bracket is open");
    return items;
  };
  const primary = (depth) => {
    const name = operator();
    if (name) {
      at += 1;
      let parts = words[at] === "(" ? group(depth) : [];
      while (parts.length < 2 || (words[at] !== ")" && words[at] !== "," && at < words.length && !operator())) {
        if (at >= words.length || words[at] === ")" || words[at] === ",") break;
        parts.push(unary(depth + 1));
      }
      return parts.length > 1 ? [name, ...parts] : fail(`${name} takes two or more`);
    }
    if (words[at] === "(") {
      const items = group(depth);
      return items.length === 1 ? items[0] : fail("no operator in brackets");
    }
    if (at >= words.length) fail("it breaks off");
    const found = known[words[at].toLowerCase()] ?? fail(words[at] === ")" ? "a bracket too many" : `no variable ${words[at]}`);
    at += 1;
    used.add(found);
    return found;
  };
  try {
    const tree = infix(0, 1);
    return at < words.length ? { problem: "more than one formula" } : { tree, names: [...used] };
  } catch (wrong) {
    return { problem: wrong.message };
  }
}

/** Value a tree that was read, given the value of each name. */
export function valueOf(tree, values) {
  if (typeof tree === "string") return values[tree];
  const [operator, ...parts] = tree;
  return RULES[operator](parts.map((part) => valueOf(part, values)));
}
