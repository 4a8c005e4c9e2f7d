// Boolean formulas as s-expressions, read and valued as the scorer does it.
const RULES = {
  not: (values) => !values[0],
  and: (values) => values.every(Boolean),
  or: (values) => values.some(Boolean),
  xor: (values) => values.filter(Boolean).length % 2 === 1,
  iff: (values) => values.every((value) => value === values[0]),
};

/**
 * Read a formula.
 * @param {string} text
 * @param {string[]} names
 * @returns {{tree?: string | any[], names?: string[], problem?: string}} problem is empty while
 *   nothing was written
 */
export function readFormula(text, names) {
  const words = text.match(/[()]|[^\s()]+/g) ?? [];
  if (!words.length) return { problem: "" };
  const used = new Set();
  let at = 0;
  let problem = "";
  const fail = (words) => {
    problem ||= words;
    return null;
  };
  const read = (depth) => {
    const word = words[at++];
    if (word === undefined) return fail("a bracket is open");
    if (word === ")") return fail("a bracket too many");
    if (depth > 24) return fail("too deep");
    if (word !== "(") {
      if (!names.includes(word)) return fail(`no variable ${word}`);
      used.add(word);
      return word;
    }
    const operator = words[at++];
    if (operator === undefined) return fail("a bracket is open");
    if (!(operator in RULES)) return fail(`no operator ${operator}`);
    const parts = [operator];
    while (words[at] !== ")" && !problem) parts.push(read(depth + 1));
    at += 1;
    const least = operator === "not" ? 1 : 2;
    if (parts.length - 1 < least || (operator === "not" && parts.length > 2)) {
      return fail(`${operator} takes ${operator === "not" ? "one" : "two or more"}`);
    }
    return parts;
  };
  const tree = read(1);
  if (!problem && at < words.length) problem = "more than one formula";
  return problem ? { problem } : { tree, names: [...used] };
}

/** Value a tree that was read, given the value of each name. */
export function valueOf(tree, values) {
  if (typeof tree === "string") return values[tree];
  const [operator, ...parts] = tree;
  return RULES[operator](parts.map((part) => valueOf(part, values)));
}
