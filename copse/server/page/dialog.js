// The panel beside the trees: what is known of one arc or bracket, why, and what to do about it.
// @ts-check
import { ask } from "./api.js";
import { element, percent } from "./text.js";

const SHOWN = 14;  // features; the others are added up

/** @type {Element | null} */
let opener = null;

const panel = () => /** @type {HTMLElement} */ (document.getElementById("panel"));

export function closePanel() {
  if (panel().hidden) return;
  panel().hidden = true;
  panel().replaceChildren();
  document.body.classList.remove("with-panel");
  if (opener instanceof SVGElement || opener instanceof HTMLElement) opener.focus();
}

export const isOpen = () => !panel().hidden;

/**
 * @param {string} title
 * @param {(Node | null)[]} content
 */
function openPanel(title, content) {
  if (panel().hidden) opener = document.activeElement;
  const heading = element("h2", { id: "panel-title", tabindex: -1 }, title);
  panel().replaceChildren(
    element("button", { class: "close quiet", type: "button", "aria-label": "Close",
      onclick: closePanel }, "×"),
    heading, ...content.filter((part) => part !== null));
  panel().hidden = false;
  document.body.classList.add("with-panel");
  heading.focus();
}

/**
 * A bar as wide as a probability; the width is a class, because styles in attributes are refused.
 * @param {number} probability
 */
function bar(probability) {
  const fill = element("span", { class: "fill" });
  fill.style.width = `${Math.max(1, Math.round(probability * 100))}%`;
  return element("span", { class: "bar", "aria-hidden": "true" }, fill);
}

/**
 * @typedef {{forms: string[], word: number, head: number, label: string, probability?: number,
 *            candidates: import("./api.js").Candidate[], demanded: boolean,
 *            question: object, sentence: number,
 *            demand: (demand: object) => void, undo: () => void}} ArcSubject
 */

/** @param {ArcSubject} arc */
export function showArc(arc) {
  const name = (/** @type {number} */ i) => (i === 0 ? "the root" : `“${arc.forms[i - 1]}”`);
  const why = element("section", { class: "why", "aria-live": "polite" });
  const explain = (/** @type {number | undefined} */ head) => void fillWhy(why, arc, head);
  const others = arc.candidates.filter((each) => each.head !== arc.head);
  openPanel(`“${arc.forms[arc.word - 1]}” hangs on ${name(arc.head)}`, [
    element("p", { class: "facts" }, element("b", {}, arc.label || "no label"),
      arc.probability === undefined ? "" : ` · ${percent(arc.probability)} sure`,
      arc.demanded ? " · by your demand" : ""),
    element("div", { class: "actions" },
      element("button", { type: "button", id: "forbid",
        onclick: () => arc.demand({ word: arc.word, not_head: arc.head }) }, "Forbid this arc"),
      arc.demanded
        ? element("button", { type: "button", id: "undo", onclick: arc.undo }, "Take the demand back")
        : element("button", { type: "button", id: "force",
          onclick: () => arc.demand({ word: arc.word, head: arc.head }) }, "Keep it, whatever else")),
    element("h3", {}, "Other heads"),
    others.length
      ? element("ul", { class: "heads" }, ...others.map((each) => element("li", {},
        element("span", { class: "name" }, each.head === 0 ? "root" : arc.forms[each.head - 1]),
        bar(each.probability), element("span", { class: "number" }, percent(each.probability)),
        element("button", { type: "button", class: "small", "data-force": each.head,
          "aria-label": `Hang it on ${name(each.head)}`,
          onclick: () => arc.demand({ word: arc.word, head: each.head }) }, "force"),
        element("button", { type: "button", class: "small quiet", "data-why": each.head,
          "aria-label": `Why not ${name(each.head)}?`, onclick: () => explain(each.head) }, "why not"))))
      : element("p", { class: "none" }, "None that the parser gives a chance."),
    element("h3", {}, "Why"), why,
  ]);
  explain(undefined);
}

/**
 * Features and weights of the arc against its rival, which add up to the margin.
 * @param {HTMLElement} place
 * @param {ArcSubject} arc
 * @param {number | undefined} head
 */
async function fillWhy(place, arc, head) {
  place.replaceChildren(element("p", { class: "none" }, "…"));
  const question = { ...arc.question, sentence: arc.sentence, word: arc.word,
    ...(head === undefined ? {} : { head }) };
  try {
    const answer = await (await ask("/v1/explain", question)).json();
    place.replaceChildren(...whyOf(answer.words[0], arc.forms));
  } catch (error) {
    place.replaceChildren(element("p", { class: "none" }, String(/** @type {Error} */ (error).message)));
  }
}

/**
 * @param {any} why
 * @param {string[]} forms
 */
function whyOf(why, forms) {
  const name = (/** @type {number} */ i) => (i === 0 ? "root" : forms[i - 1]);
  if (!why.other) return [element("p", { class: "none" }, "There is no other head to compare with.")];
  /** @type {Map<string, {template: string, values: string, weight: number}>} */
  const sums = new Map();
  for (const part of why.parts) {
    for (const feature of part.features) {
      const key = `${feature.template}\t${feature.values}`;
      const sum = sums.get(key) || { template: feature.template, values: feature.values, weight: 0 };
      sum.weight += part.in === "best" ? feature.weight : -feature.weight;
      sums.set(key, sum);
    }
  }
  const all = [...sums.values()].filter((each) => Math.abs(each.weight) > 1e-9)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const shown = all.slice(0, SHOWN);
  const rest = all.slice(SHOWN).reduce((sum, each) => sum + each.weight, 0);
  const most = Math.max(...shown.map((each) => Math.abs(each.weight)), 1e-9);
  const row = (/** @type {string} */ what, /** @type {string} */ values, /** @type {number} */ weight) => {
    const fill = element("span", { class: weight < 0 ? "against" : "for" });
    fill.style.width = `${Math.min(50, 50 * Math.abs(weight) / most)}%`;
    return element("tr", {}, element("td", {}, element("span", { class: "template" }, what), " ", values),
      element("td", { class: "balance", "aria-hidden": "true" }, fill),
      element("td", { class: "number" }, weight.toFixed(3)));
  };
  return [
    element("p", { class: "facts" }, `The tree with ${name(why.best.head)} as head (${why.best.label || "—"}) scores `,
      element("b", { class: "margin" }, why.difference.toFixed(3)),
      ` more than the best one with ${name(why.other.head)} (${why.other.label || "—"}).`),
    element("table", { class: "features" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "feature"),
        element("th", { scope: "col" }, "for, against"), element("th", { scope: "col" }, "weight"))),
      element("tbody", {}, ...shown.map((each) => row(each.template, each.values, each.weight)),
        all.length > SHOWN ? row(`${all.length - SHOWN} others`, "", rest) : null),
      element("tfoot", {}, element("tr", {}, element("th", { scope: "row", colspan: 2 }, "margin"),
        element("td", { class: "number sum" },
          all.reduce((sum, each) => sum + each.weight, 0).toFixed(3))))),
  ];
}

/**
 * @typedef {{label: string, begin: number, end: number, probability?: number, text: string,
 *            rivals: import("./api.js").Bracket[], words: string[], demanded: boolean,
 *            demand: (demand: object) => void, undo: () => void}} BracketSubject
 */

/** @param {BracketSubject} bracket */
export function showBracket(bracket) {
  const span = (/** @type {{begin: number, end: number}} */ b) => bracket.words.slice(b.begin, b.end).join(" ");
  const demand = (/** @type {{label: string, begin: number, end: number}} */ b, /** @type {boolean} */ forbidden) =>
    bracket.demand({ first: b.begin + 1, last: b.end, label: b.label, forbidden });
  openPanel(`${bracket.label} over “${bracket.text}”`, [
    element("p", { class: "facts" }, `Words ${bracket.begin + 1} to ${bracket.end}`,
      bracket.probability === undefined ? "" : ` · ${percent(bracket.probability)} sure`,
      bracket.demanded ? " · by your demand" : ""),
    element("div", { class: "actions" },
      element("button", { type: "button", id: "forbid", onclick: () => demand(bracket, true) },
        "Forbid this bracket"),
      bracket.demanded
        ? element("button", { type: "button", id: "undo", onclick: bracket.undo }, "Take the demand back")
        : element("button", { type: "button", id: "force", onclick: () => demand(bracket, false) },
          "Keep it, whatever else")),
    element("h3", {}, "Brackets that cannot be beside it"),
    bracket.rivals.length
      ? element("ul", { class: "heads" }, ...bracket.rivals.map((each) => element("li", {},
        element("span", { class: "name" }, `${each.label} “${span(each)}”`), bar(each.probability),
        element("span", { class: "number" }, percent(each.probability)),
        element("button", { type: "button", class: "small",
          "aria-label": `Demand ${each.label} over ${span(each)}`,
          onclick: () => demand(each, false) }, "force"))))
      : element("p", { class: "none" }, "None that the parser gives a chance."),
  ]);
}
