// A phrase-structure tree as a drawing: words at the bottom in a row, each phrase over the middle of
// its parts, one step below the phrase it is in. A line to a word goes that step, then straight down,
// so that no line crosses a box or another line.
// @ts-check
import { choosable, roam } from "./stops.js";
import { FACE, percent, shape, step, widthOf } from "./text.js";

const WORD_FONT = `600 17px ${FACE}`;
const LABEL_FONT = `600 13px ${FACE}`;
const GAP = 20, SIDE = 18, LEVEL = 46, HIGH = 24;

/**
 * @typedef {import("./api.js").TreeNode} TreeNode
 * @typedef {{label: string, begin: number, end: number, x: number, depth: number, leaf: boolean,
 *            word: string, parts: Box[], probability?: number, kind?: string}} Box
 *   words [begin, end); kind: "changed" or "forced"
 * @typedef {{tree: TreeNode, title: string, probabilityOf?: (box: Box) => number | undefined,
 *            kindOf?: (box: Box) => string} & import("./stops.js").Listener<Box>} Drawing
 */

/**
 * The tree with spans and places. The root that is there for form's sake (TOP) is left out.
 * @param {TreeNode} tree
 * @param {Drawing} drawing
 */
function layout(tree, drawing) {
  let words = 0, right = SIDE, deepest = 0;
  /** @param {TreeNode} node @param {number} depth @returns {Box} */
  const visit = (node, depth) => {
    /** @type {Box} */
    const box = { label: node.label, begin: words, end: words, x: 0, depth, leaf: !node.children,
      word: node.word || "", parts: [] };
    deepest = Math.max(deepest, depth);
    if (box.leaf) {
      const wide = Math.max(widthOf(box.word, WORD_FONT), widthOf(node.label, LABEL_FONT) + 14);
      box.x = right + wide / 2;
      right += wide + GAP;
      box.end = ++words;
      return box;
    }
    box.parts = (node.children || []).map((child) => visit(child, depth + 1));
    box.end = words;
    box.x = (box.parts[0].x + box.parts[box.parts.length - 1].x) / 2;
    box.probability = drawing.probabilityOf?.(box);
    box.kind = drawing.kindOf?.(box);
    return box;
  };
  let root = tree;
  while (/^(TOP|ROOT|)$/.test(root.label) && root.children?.length === 1 && root.children[0].children) {
    root = root.children[0];
  }
  const placed = visit(root, 0);
  return { root: placed, width: right - GAP + SIDE, deepest };
}

/** @param {Box} root @returns {Box[]} */
export function allBoxes(root) {
  return [root, ...root.parts.flatMap(allBoxes)];
}

/**
 * The phrases of a tree, each as "NP 0 3".
 * @param {TreeNode} tree
 */
export function bracketsOf(tree) {
  const { root } = layout(tree, { tree, title: "" });
  return allBoxes(root).filter((box) => !box.leaf).map((box) => `${box.label} ${box.begin} ${box.end}`);
}

/**
 * @param {Drawing} drawing
 * @returns {SVGElement}
 */
export function drawBoxes(drawing) {
  const { root, width, deepest } = layout(drawing.tree, drawing);
  const height = SIDE + HIGH / 2 + deepest * LEVEL + 54;
  const level = (/** @type {number} */ depth) => SIDE + HIGH / 2 + depth * LEVEL;
  const y = (/** @type {Box} */ box) => level(box.leaf ? deepest : box.depth);
  const svg = shape("svg", {
    class: "drawing boxes", viewBox: `0 0 ${Math.ceil(width)} ${height}`, width: Math.ceil(width), height,
    role: "group", "aria-label": drawing.title,
  });
  const lines = shape("g", { class: "branches" }), nodes = shape("g");
  /** @type {{part: Box, group: SVGElement}[]} */
  const stops = [];
  for (const box of allBoxes(root)) {
    for (const part of box.parts) {
      const from = y(box) + HIGH / 2, to = level(part.depth) - HIGH / 2, half = (from + to) / 2;
      lines.append(shape("path", {
        d: `M${box.x} ${from}C${box.x} ${half} ${part.x} ${half} ${part.x} ${to}V${y(part) - HIGH / 2 + 2}` }));
    }
    const group = box.leaf ? drawLeaf(box, y(box)) : drawBox(box, y(box), drawing);
    nodes.append(group);
    if (!box.leaf) stops.push({ part: box, group });
  }
  svg.append(lines, nodes);
  roam(svg, stops, drawing);
  return svg;
}

/**
 * @param {Box} box
 * @param {number} y
 */
function drawLeaf(box, y) {
  return shape("g", { class: "leaf" },
    shape("text", { class: "tag", x: box.x, y: y + 4, "text-anchor": "middle" }, box.label),
    shape("text", { class: "form", x: box.x, y: y + 34, "text-anchor": "middle" }, box.word));
}

/**
 * @param {Box} box
 * @param {number} y
 * @param {Drawing} drawing
 */
function drawBox(box, y, drawing) {
  const wide = widthOf(box.label, LABEL_FONT) + 18;
  const sure = box.probability === undefined ? "" : `, ${percent(box.probability)}`;
  const group = shape("g", {
    class: `box p${step(box.probability)}${box.kind ? ` ${box.kind}` : ""}`, tabindex: -1,
    role: "button", "data-begin": box.begin, "data-end": box.end, "data-label": box.label,
    "aria-label": `${box.label}, words ${box.begin + 1} to ${box.end}${sure}` +
      (box.kind ? `, ${box.kind}` : ""),
  }, shape("rect", { x: box.x - wide / 2, y: y - HIGH / 2, width: wide, height: HIGH, rx: 7 }),
  shape("text", { x: box.x, y: y + 4.500, "text-anchor": "middle" }, box.label));
  choosable(group, box, drawing);
  return group;
}
