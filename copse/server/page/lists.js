// The n-best browser: the trees of a sentence from the best on, what differs from the best marked.
// @ts-check
import { bracketsOf } from "./boxes.js";
import { element, percent } from "./text.js";

/**
 * @typedef {import("./api.js").Dependency} Dependency
 * @typedef {import("./api.js").ScoredTree} ScoredTree
 */

/**
 * Words whose head or label is another one than in the best tree.
 * @param {Dependency} best
 * @param {Dependency} tree
 */
export function changedWords(best, tree) {
  return tree.heads.map((head, i) => i + 1)
    .filter((w) => tree.heads[w - 1] !== best.heads[w - 1] || tree.deprels[w - 1] !== best.deprels[w - 1]);
}

/**
 * Brackets, as "NP 0 3", that the best tree does not have.
 * @param {ScoredTree} best
 * @param {ScoredTree} tree
 */
export function changedBrackets(best, tree) {
  const there = new Set(bracketsOf(best.tree));
  return bracketsOf(tree.tree).filter((each) => !there.has(each));
}

/**
 * In a few words.
 * @param {Dependency} best
 * @param {Dependency} tree
 * @param {string[]} forms
 */
function dependencyDifference(best, tree, forms) {
  const name = (/** @type {number} */ i) => (i === 0 ? "root" : forms[i - 1]);
  const changed = changedWords(best, tree);
  const shown = changed.slice(0, 3).map((w) =>
    `${forms[w - 1]} ← ${name(tree.heads[w - 1])} (${tree.deprels[w - 1]})`);
  return shown.join(", ") + (changed.length > 3 ? `, ${changed.length - 3} more` : "");
}

/**
 * @param {ScoredTree} best
 * @param {ScoredTree} tree
 * @param {string[]} forms
 */
function phraseDifference(best, tree, forms) {
  const named = (/** @type {string} */ sign) => (/** @type {string} */ each) => {
    const [label, begin, end] = each.split(" ");
    return `${sign}${label} “${forms.slice(Number(begin), Number(end)).join(" ")}”`;
  };
  const changed = [...changedBrackets(best, tree).map(named("+ ")), ...changedBrackets(tree, best).map(named("− "))];
  return changed.slice(0, 2).join(", ") + (changed.length > 2 ? `, ${changed.length - 2} more` : "") ||
    "the same brackets, other tags";
}

/**
 * A list to choose from; arrows go through it.
 * @param {{title: string, lines: {score: string, text: string}[], onChoose: (rank: number) => void}} list
 */
function chooser(list) {
  const choose = (/** @type {number} */ rank, /** @type {boolean} */ focus) => {
    items.forEach((item, i) => {
      item.setAttribute("aria-selected", String(i === rank));
      item.setAttribute("tabindex", i === rank ? "0" : "-1");
    });
    if (focus) items[rank].focus();
    list.onChoose(rank);
  };
  const items = list.lines.map((line, i) => element("li", {
    role: "option", tabindex: i ? -1 : 0, "aria-selected": String(i === 0), "data-rank": i,
    onclick: () => choose(i, true),
  }, element("span", { class: "rank" }, String(i + 1)), element("span", { class: "score" }, line.score),
  element("span", { class: "difference" }, line.text)));
  const box = element("ol", { class: "nbest", role: "listbox", "aria-label": list.title,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const at = items.indexOf(/** @type {HTMLElement} */ (event.target));
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
      if (at < 0 || to === undefined) return;
      choose(Math.max(0, Math.min(items.length - 1, to)), true);
      event.preventDefault();
    } }, ...items);
  return element("div", { class: "browser" }, element("h3", {}, list.title), box);
}

/**
 * @param {Dependency[]} trees
 * @param {string[]} forms
 * @param {(rank: number) => void} onChoose
 */
export function dependencyBrowser(trees, forms, onChoose) {
  return chooser({ title: `${trees.length} best dependency trees`, onChoose, lines: trees.map((tree, i) => ({
    score: tree.probability === undefined ? tree.score.toFixed(2) : percent(tree.probability),
    text: i ? dependencyDifference(trees[0], tree, forms) : "the best" })) });
}

/**
 * @param {ScoredTree[]} trees
 * @param {string[]} forms
 * @param {(rank: number) => void} onChoose
 */
export function phraseBrowser(trees, forms, onChoose) {
  return chooser({ title: `${trees.length} best phrase-structure trees`, onChoose, lines: trees.map((tree, i) => ({
    score: `ln P ${tree.log_probability.toFixed(2)}`,
    text: i ? phraseDifference(trees[0], tree, forms) : "the best" })) });
}
