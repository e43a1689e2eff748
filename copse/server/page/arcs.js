// Dependency arcs as a drawing: words in a row, an arc over them from each head to its dependent.
//
// Short arcs lie under long ones. At a word, those that leave to the left stand to the left, the
// shortest outermost, so that no upright line crosses an arc that is nested in it.
// @ts-check
import { choosable, roam } from "./stops.js";
import { FACE, percent, shape, step, widthOf } from "./text.js";

const WORD_FONT = `600 17px ${FACE}`;
const TAG_FONT = `500 11px ${FACE}`;
const LABEL_FONT = `500 12px ${FACE}`;
const GAP = 22, SIDE = 18, LEVEL = 30, SPREAD = 8, FIRST = 34, TOP = 16, ROUND = 10;

/**
 * @typedef {{head: number, word: number, label: string, probability?: number, kind?: string}} Arc
 *   kind: "changed" in another tree of a list, "forced" or "ghost"
 * @typedef {{words: {form: string, tag: string}[], arcs: Arc[], title: string} &
 *            import("./stops.js").Listener<Arc>} Drawing
 */

/**
 * Where the middles of the words are: far enough apart for them and for the labels between them.
 * @param {Drawing} drawing
 */
function places(drawing) {
  const wide = drawing.words.map(({ form, tag }) =>
    Math.max(widthOf(form, WORD_FONT), widthOf(tag, TAG_FONT), 18));
  /** @type {number[]} */
  const x = [];
  let right = SIDE;
  for (let i = 0; i < wide.length; ++i) {
    let middle = right + wide[i] / 2;
    for (const arc of drawing.arcs) {
      if (arc.head === 0 || Math.max(arc.head, arc.word) !== i + 1) continue;
      const left = x[Math.min(arc.head, arc.word) - 1];
      middle = Math.max(middle, left + widthOf(arc.label, LABEL_FONT) + 34);
    }
    x.push(middle);
    right = middle + wide[i] / 2 + GAP;
  }
  return { x, width: right - GAP + SIDE };
}

/**
 * The level of each arc: above all that lie between its ends.
 * @param {Arc[]} arcs
 */
function levels(arcs) {
  /** @type {Map<Arc, number>} */
  const level = new Map();
  const span = (/** @type {Arc} */ a) => [Math.min(a.head, a.word), Math.max(a.head, a.word)];
  const sorted = arcs.filter((a) => a.head > 0)
    .sort((a, b) => Math.abs(a.head - a.word) - Math.abs(b.head - b.word));
  for (const arc of sorted) {
    const [from, to] = span(arc);
    let height = 1;
    for (const [other, at] of level) {
      const [begin, end] = span(other);
      if (begin < to && from < end) height = Math.max(height, at + 1);
    }
    level.set(arc, height);
  }
  return level;
}

/**
 * Where on its words each arc stands: offsets from their middles.
 * @param {Arc[]} arcs
 * @param {number} words
 */
function feet(arcs, words) {
  /** @type {Map<Arc, {head: number, word: number}>} */
  const offsets = new Map(arcs.map((arc) => [arc, { head: 0, word: 0 }]));
  for (let w = 1; w <= words; ++w) {
    const here = arcs.filter((a) => a.head > 0 && (a.head === w || a.word === w));
    const other = (/** @type {Arc} */ a) => (a.head === w ? a.word : a.head);
    const order = [
      ...here.filter((a) => other(a) < w).sort((a, b) => other(b) - other(a)),
      ...arcs.filter((a) => a.head === 0 && a.word === w),
      ...here.filter((a) => other(a) > w).sort((a, b) => other(b) - other(a)),
    ];
    order.forEach((arc, i) => {
      const offset = (i - (order.length - 1) / 2) * SPREAD;
      const at = offsets.get(arc);
      if (at) at[arc.word === w ? "word" : "head"] = offset;
    });
  }
  return offsets;
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} base
 * @param {number} y
 */
function bow(from, to, base, y) {
  const sign = to > from ? 1 : -1;
  const r = Math.min(ROUND, Math.abs(to - from) / 2, base - y);
  return `M${from} ${base}V${y + r}Q${from} ${y} ${from + sign * r} ${y}H${to - sign * r}` +
    `Q${to} ${y} ${to} ${y + r}V${base - 7}`;
}

/**
 * What a screen reader says of an arc.
 * @param {Arc} arc
 * @param {Drawing} drawing
 */
function spoken(arc, drawing) {
  const head = arc.head === 0 ? "the root" : drawing.words[arc.head - 1].form;
  const sure = arc.probability === undefined ? "" : `, ${percent(arc.probability)}`;
  return `${drawing.words[arc.word - 1].form} hangs on ${head} as ${arc.label || "?"}${sure}` +
    (arc.kind && arc.kind !== "ghost" ? `, ${arc.kind}` : "");
}

/**
 * @param {Drawing} drawing
 * @returns {SVGElement}
 */
export function drawArcs(drawing) {
  const { x, width } = places(drawing);
  const level = levels(drawing.arcs);
  const offset = feet(drawing.arcs, drawing.words.length);
  const highest = Math.max(1, ...level.values());
  const base = TOP + FIRST + highest * LEVEL;
  const svg = shape("svg", {
    class: "drawing arcs", viewBox: `0 0 ${Math.ceil(width)} ${base + 58}`, width: Math.ceil(width),
    height: base + 58, role: "group", "aria-label": drawing.title,
  });
  const layer = shape("g");
  const ordered = [...drawing.arcs].sort((a, b) => (level.get(b) || 99) - (level.get(a) || 99));
  const stops = ordered.map((arc) => ({ part: arc, group: drawArc(arc, drawing, x, base, level, offset) }));
  layer.append(...stops.map(({ group }) => group));
  drawing.words.forEach(({ form, tag }, i) => {
    layer.append(shape("text", { class: "form", x: x[i], y: base + 24, "text-anchor": "middle" }, form));
    layer.append(shape("text", { class: "tag", x: x[i], y: base + 43, "text-anchor": "middle" }, tag));
  });
  svg.append(layer);
  roam(svg, stops.filter(({ part }) => part.kind !== "ghost").sort((a, b) => a.part.word - b.part.word), drawing);
  return svg;
}

/**
 * @param {Arc} arc
 * @param {Drawing} drawing
 * @param {number[]} x
 * @param {number} base
 * @param {Map<Arc, number>} level
 * @param {Map<Arc, {head: number, word: number}>} offset
 */
function drawArc(arc, drawing, x, base, level, offset) {
  const feetOf = offset.get(arc) || { head: 0, word: 0 };
  const to = x[arc.word - 1] + feetOf.word;
  let line = `M${to} ${TOP}V${base - 7}`, middle = to, y = TOP + 2, anchor = "start";
  if (arc.head > 0) {
    const from = x[arc.head - 1] + feetOf.head;
    y = base - FIRST - (level.get(arc) || 1) * LEVEL + LEVEL - 4;
    line = bow(from, to, base, y);
    middle = (from + to) / 2;
    anchor = "middle";
  }
  const group = shape("g", {
    class: `arc p${step(arc.probability)}${arc.kind ? ` ${arc.kind}` : ""}`, tabindex: -1,
    role: "button", "aria-label": spoken(arc, drawing), "data-word": arc.word, "data-head": arc.head,
  });
  group.append(
    shape("path", { class: "hit", d: line }),
    shape("path", { class: "line", d: line }),
    shape("path", { class: "tip-mark", d: `M${to} ${base - 1}l-4 -8h8z` }),
    shape("text", { class: "label", x: anchor === "start" ? middle + 7 : middle, y: y + 4,
      "text-anchor": anchor }, arc.label || (arc.head === 0 ? "root" : "")));
  choosable(group, arc, drawing);
  return group;
}
