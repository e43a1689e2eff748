// The page: text in, trees out, questions and demands.
// @ts-check
import { ask, models, Refused, wordsOf } from "./api.js";
import { drawArcs } from "./arcs.js";
import { drawBoxes } from "./boxes.js";
import { closePanel, isOpen, showArc, showBracket } from "./dialog.js";
import { downloadMenu } from "./downloads.js";
import { changedBrackets, changedWords, dependencyBrowser, phraseBrowser } from "./lists.js";
import * as state from "./state.js";
import { element, percent } from "./text.js";

/**
 * @typedef {import("./api.js").Sentence} Sentence
 * @typedef {import("./api.js").Demand} Demand
 * @typedef {import("./arcs.js").Arc} Arc
 * @typedef {import("./boxes.js").Box} Box
 */

const SAMPLES = ["She saw the man with the telescope.", "The old man the boats.",
  "Time flies like an arrow; fruit flies like a banana."];
const BEST = 12;  // trees in a list

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const textBox = /** @type {HTMLTextAreaElement} */ (byId("text"));
const modelBox = /** @type {HTMLSelectElement} */ (byId("model"));

/** @type {state.State} */
let now = { text: "", model: "", demands: [] };
/** @type {AbortController | null} */
let running = null;

/**
 * @param {string} message
 * @param {boolean} [bad]
 */
function say(message, bad = false) {
  byId("status").textContent = message;
  byId("status").classList.toggle("bad", bad);
}

/** @param {unknown} error */
function complain(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  const message = error instanceof Refused ? error.message : "The server does not answer.";
  say(message, true);
}

const question = () => ({ text: now.text, trees: ["dependency", "phrase"], ...(now.model ? { model: now.model } : {}),
  ...(now.demands.length ? { demands: now.demands } : {}) });

/**
 * Parses what the state says and shows it.
 * @returns {Promise<boolean>} whether the server has an answer
 */
async function parse() {
  closePanel();
  running?.abort();
  const mine = (running = new AbortController());
  if (!now.text.trim()) {
    byId("result").replaceChildren();
    return true;
  }
  history.replaceState(null, "", state.write(now));
  byId("result").setAttribute("aria-busy", "true");
  const begin = performance.now();
  try {
    const answer = await (await ask("/v1/parse", { ...question(), probabilities: true }, mine.signal)).json();
    const sentences = /** @type {Sentence[]} */ (answer.sentences);
    byId("result").replaceChildren(...sentences.map((each, i) => card(each, i + 1)));
    byId("legend").hidden = !sentences.some((each) => each.dependency?.arc_probabilities);
    const words = sentences.reduce((sum, each) => sum + wordsOf(each).length, 0);
    say(`${sentences.length} ${sentences.length === 1 ? "sentence" : "sentences"}, ${words} words, ` +
      `${Math.round(performance.now() - begin)} ms, model ${answer.model}.`);
    return true;
  } catch (error) {
    complain(error);
    return false;
  } finally {
    if (running === mine) byId("result").removeAttribute("aria-busy");
  }
}

/**
 * One that no tree meets is told and not kept.
 * @param {Demand} added
 */
async function demand(added) {
  const before = now;
  now = { ...now, demands: state.withDemand(now.demands, added) };
  if (await parse()) return;
  now = before;
  history.replaceState(null, "", state.write(now));
}

/** @param {(demand: Demand) => boolean} which */
function undo(which) {
  now = { ...now, demands: now.demands.filter((each) => !which(each)) };
  void parse();
}

/**
 * @param {string} text
 * @param {Element} at
 */
function showTip(text, at) {
  const tip = byId("tip");
  tip.textContent = text;
  tip.hidden = false;
  const place = at.getBoundingClientRect();
  const left = Math.max(8, Math.min(place.left + place.width / 2 - tip.offsetWidth / 2,
    window.innerWidth - tip.offsetWidth - 8));
  const above = place.top - tip.offsetHeight - 8;
  tip.style.left = `${left}px`;
  tip.style.top = `${above < 4 ? place.bottom + 8 : above}px`;
}

const hideTip = () => { byId("tip").hidden = true; };

/**
 * One sentence: its trees, lists, downloads, demands.
 * @param {Sentence} sentence
 * @param {number} number
 */
function card(sentence, number) {
  const forms = wordsOf(sentence).map((token) => token.form);
  const arcs = element("figure", { class: "figure" }), boxes = element("figure", { class: "figure" });
  const lists = element("div", { class: "lists", hidden: true });
  const showBest = () => {
    if (sentence.dependency) arcs.replaceChildren(arcsOf(sentence, number, sentence.dependency, null));
    if (sentence.tree) boxes.replaceChildren(boxesOf(sentence, number, sentence.tree, null));
  };
  showBest();
  const browse = element("button", { type: "button", class: "quiet browse", "aria-expanded": "false",
    onclick: () => void toggleLists() }, "Other parses");
  const toggleLists = async () => {
    const open = browse.getAttribute("aria-expanded") === "true";
    browse.setAttribute("aria-expanded", String(!open));
    lists.hidden = open;
    if (open) return showBest();
    try {
      await fillLists(lists, sentence, number, arcs, boxes);
    } catch (error) {
      complain(error);
    }
  };
  return element("article", { class: "card", "aria-label": `Sentence ${number}` },
    element("header", {}, element("h2", {}, sentence.text), badges(sentence),
      element("div", { class: "tools" }, browse, downloadMenu({
        name: `copse-${number}`, hasBrackets: Boolean(sentence.tree), hasArcs: Boolean(sentence.dependency),
        question: { ...question(), text: now.text }, onError: complain,
        drawings: () => [...(sentence.dependency ? [{ name: "arcs", drawing: drawingIn(arcs) }] : []),
          ...(sentence.tree ? [{ name: "tree", drawing: drawingIn(boxes) }] : [])],
      }))),
    demandChips(number, forms), sentence.dependency ? arcs : null, sentence.tree ? boxes : null, lists,
    table(sentence));
}

/** @param {HTMLElement} figure */
const drawingIn = (figure) => /** @type {SVGElement} */ (figure.querySelector("svg"));

/** @param {Sentence} sentence */
function badges(sentence) {
  const found = element("div", { class: "badges" });
  const { dependency, phrase } = sentence;
  if (dependency?.certificate) {
    const { optimal, gap } = dependency.certificate;
    found.append(element("span", { class: `badge ${optimal ? "good" : "fair"}`,
      title: optimal ? "No tree scores more: proved" : `No tree scores more than ${gap.toFixed(4)} above it` },
    optimal ? "✓ proved best" : `gap ${gap.toFixed(3)}`));
  }
  if (dependency?.probability !== undefined) {
    found.append(element("span", { class: "badge", title: "Probability of the whole dependency tree" },
      `tree ${percent(dependency.probability)}`));
  }
  if (dependency?.degraded) found.append(element("span", { class: "badge fair" }, dependency.degraded));
  if (phrase?.fallback) found.append(element("span", { class: "badge fair" }, "no phrase structure found"));
  return found;
}

/**
 * @param {number} number
 * @param {string[]} forms
 */
function demandChips(number, forms) {
  const name = (/** @type {number | undefined} */ i) => (i ? forms[i - 1] : "root");
  const textOf = (/** @type {Demand} */ d) => {
    if (d.first) {
      return `${d.forbidden ? "no " : ""}${d.label || "phrase"} over “${forms.slice(d.first - 1, d.last).join(" ")}”`;
    }
    return d.head !== undefined ? `${name(d.word)} ← ${name(d.head)}` : `${name(d.word)} not ← ${name(d.not_head)}`;
  };
  const mine = now.demands.filter((each) => each.sentence === number);
  if (!mine.length) return null;
  return element("ul", { class: "chips", "aria-label": "Your demands" }, ...mine.map((each) =>
    element("li", { class: each.forbidden || each.not_head !== undefined ? "no" : "yes" }, textOf(each),
      element("button", { type: "button", "aria-label": `Take back: ${textOf(each)}`,
        onclick: () => undo((other) => other === each) }, "×"))));
}

/**
 * @param {Sentence} sentence
 * @param {number} number
 * @param {import("./api.js").Dependency} tree
 * @param {number[] | null} changed words of another tree of the list; null: the best
 */
function arcsOf(sentence, number, tree, changed) {
  const words = wordsOf(sentence);
  const forms = words.map((token) => token.form);
  const demanded = (/** @type {number} */ word) => now.demands.some((each) =>
    each.sentence === number && each.word === word && each.head !== undefined);
  const candidates = (/** @type {number} */ word) => sentence.dependency?.candidates?.[word - 1] || [];
  /** @type {Arc[]} */
  const arcs = tree.heads.map((head, i) => ({
    head, word: i + 1, label: tree.deprels[i] === "_" ? "" : tree.deprels[i],
    probability: tree.arc_probabilities?.[i],
    kind: changed?.includes(i + 1) ? "changed" : demanded(i + 1) ? "forced" : undefined,
  }));
  return drawArcs({
    words: words.map((token) => ({ form: token.form, tag: token.upos || token.xpos || "" })), arcs,
    title: `Dependency tree: ${sentence.text}`,
    onShow: (arc, at) => {
      if (!arc || !at) return hideTip();
      const name = (/** @type {number} */ i) => (i === 0 ? "root" : forms[i - 1]);
      const others = candidates(arc.word).filter((each) => each.head !== arc.head).slice(0, 3)
        .map((each) => `${name(each.head)} ${percent(each.probability)}`);
      const sure = arc.probability === undefined ? "" : ` ${percent(arc.probability)}`;
      showTip(`${forms[arc.word - 1]} ← ${name(arc.head)}${sure}` +
        (others.length ? `\nrunners-up: ${others.join(", ")}` : ""), at);
    },
    onChoose: (arc) => {
      hideTip();
      showArc({ forms, word: arc.word, head: arc.head, label: arc.label, probability: arc.probability,
        candidates: candidates(arc.word), demanded: demanded(arc.word), sentence: number,
        question: { text: now.text, ...(now.model ? { model: now.model } : {}) },
        demand: (added) => void demand({ sentence: number, ...added }),
        undo: () => undo((each) => each.sentence === number && each.word === arc.word) });
    },
    onKey: (arc, key) => {
      if (key === "x") void demand({ sentence: number, word: arc.word, not_head: arc.head });
      else if (key === "f") void demand({ sentence: number, word: arc.word, head: arc.head });
      else return false;
      return true;
    },
  });
}

/**
 * @param {Sentence} sentence
 * @param {number} number
 * @param {import("./api.js").TreeNode} tree
 * @param {string[] | null} changed brackets of another tree of the list
 */
function boxesOf(sentence, number, tree, changed) {
  const known = sentence.phrase?.probabilities || [];
  const forms = wordsOf(sentence).map((token) => token.form);
  const base = (/** @type {string} */ label) => label.replace(/[-=|].*$/, "") || label;
  const same = (/** @type {Box} */ box) => (/** @type {Demand} */ each) => each.sentence === number &&
    each.first === box.begin + 1 && each.last === box.end && (!each.label || each.label === base(box.label));
  const demanded = (/** @type {Box} */ box) => now.demands.some((each) => !each.forbidden && same(box)(each));
  return drawBoxes({
    tree, title: `Phrase-structure tree: ${sentence.text}`,
    probabilityOf: (box) => known.find((each) => each.begin === box.begin && each.end === box.end &&
      each.label === base(box.label))?.probability,
    kindOf: (box) => (changed?.includes(`${box.label} ${box.begin} ${box.end}`) ? "changed"
      : demanded(box) ? "forced" : ""),
    onShow: (box, at) => {
      if (!box || !at) return hideTip();
      showTip(`${box.label} “${forms.slice(box.begin, box.end).join(" ")}”` +
        (box.probability === undefined ? "" : `\n${percent(Math.min(1, box.probability))}`), at);
    },
    onChoose: (box) => {
      hideTip();
      const rivals = known.filter((each) => each.probability >= 0.01 &&
        ((each.begin < box.begin && box.begin < each.end && each.end < box.end) ||
         (box.begin < each.begin && each.begin < box.end && box.end < each.end) ||
         (each.begin === box.begin && each.end === box.end && each.label !== base(box.label))))
        .sort((a, b) => b.probability - a.probability).slice(0, 5);
      showBracket({ label: base(box.label), begin: box.begin, end: box.end, probability: box.probability,
        text: forms.slice(box.begin, box.end).join(" "), rivals, words: forms, demanded: demanded(box),
        demand: (added) => void demand({ sentence: number, ...added }), undo: () => undo(same(box)) });
    },
    onKey: (box, key) => {
      if (key !== "x" && key !== "f") return false;
      void demand({ sentence: number, first: box.begin + 1, last: box.end, label: base(box.label),
        forbidden: key === "x" });
      return true;
    },
  });
}

/**
 * @param {HTMLElement} place
 * @param {Sentence} sentence
 * @param {number} number
 * @param {HTMLElement} arcs
 * @param {HTMLElement} boxes
 */
async function fillLists(place, sentence, number, arcs, boxes) {
  const forms = wordsOf(sentence).map((token) => token.form);
  const answer = await (await ask("/v1/nbest", { ...question(), nbest: BEST, probabilities: true })).json();
  /** @type {import("./api.js").Lists} */
  const found = answer.sentences[number - 1];
  place.replaceChildren();
  const trees = found.dependency, phrases = found.phrase;
  if (trees) {
    place.append(dependencyBrowser(trees, forms, (rank) =>
      arcs.replaceChildren(arcsOf(sentence, number, trees[rank], changedWords(trees[0], trees[rank])))));
  }
  if (phrases) {
    place.append(phraseBrowser(phrases, forms, (rank) =>
      boxes.replaceChildren(boxesOf(sentence, number, phrases[rank].tree,
        changedBrackets(phrases[0], phrases[rank])))));
  }
}

/**
 * The same as a table, which is read where drawings are not.
 * @param {Sentence} sentence
 */
function table(sentence) {
  const words = wordsOf(sentence);
  const cells = (/** @type {import("./api.js").Token} */ token, /** @type {number} */ i) => {
    const sure = sentence.dependency?.arc_probabilities?.[i];
    const head = token.head === undefined ? "" : token.head === 0 ? "root" : words[token.head - 1].form;
    return [token.id, token.form, token.lemma || "", token.upos || "", token.xpos || "", head,
      token.deprel || "", sure === undefined ? "" : percent(sure)];
  };
  const names = ["", "word", "lemma", "tag", "treebank tag", "head", "relation", "sure"];
  return element("details", { class: "words" }, element("summary", {}, "As a table"),
    element("div", { class: "scroll" }, element("table", {},
      element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...words.map((token, i) =>
        element("tr", {}, ...cells(token, i).map((cell) => element("td", {}, cell))))))));
}

function submit() {
  now = { text: textBox.value, model: modelBox.value === modelBox.options[0]?.value ? "" : modelBox.value,
    demands: [] };
  void parse();
}

/** @param {string} theme "light", "dark", or "" for what the system says */
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : window.matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(dark ? "light" : "dark");
  localStorage.setItem("theme", dark ? "light" : "dark");
}

function showState() {
  now = state.read(location.hash);
  textBox.value = now.text;
  if (now.model) modelBox.value = now.model;
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  } catch {
    say("The link is what the address bar shows.");
  }
}

async function begin() {
  setTheme(localStorage.getItem("theme") || "");
  byId("theme").addEventListener("click", toggleTheme);
  byId("link").addEventListener("click", () => void copyLink());
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  modelBox.addEventListener("change", submit);
  textBox.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || !event.shiftKey)) {
      event.preventDefault();
      submit();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") isOpen() ? closePanel() : hideTip();
  });
  window.addEventListener("scroll", hideTip, { passive: true, capture: true });
  window.addEventListener("hashchange", () => {
    showState();
    void parse();
  });
  byId("samples").append(...SAMPLES.map((text) => element("button", { type: "button", class: "sample",
    onclick: () => {
      textBox.value = text;
      submit();
    } }, text)));
  try {
    const known = await models();
    modelBox.replaceChildren(...known.map(({ name }) => element("option", { value: name }, name)));
    showState();
    if (!now.text) {
      textBox.value = SAMPLES[0];
      now = { ...now, text: SAMPLES[0] };
    }
    await parse();
  } catch (error) {
    complain(error);
  }
}

void begin();
