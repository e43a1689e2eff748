// Drawings and treebanks as files.
// @ts-check
import { ask } from "./api.js";
import { element, SVG } from "./text.js";

const SCALE = 2;  // of pictures in pixels, for print
const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size",
  "font-weight", "paint-order", "stroke-linejoin", "stroke-linecap"];

/**
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.getAttribute("href") || ""), 10_000);
}

/**
 * A drawing that looks the same without this page: what the style sheet says is written into it.
 * @param {SVGElement} drawing
 */
export function standalone(drawing) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  const from = [drawing, ...drawing.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of LOOKS) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none" || name === "fill") to[i].setAttribute(name, value);
    }
    for (const name of ["tabindex", "role", "class"]) to[i].removeAttribute(name);
  });
  copy.querySelectorAll("path").forEach((path) => {
    if (path.getAttribute("stroke")?.startsWith("rgba(0, 0, 0, 0")) path.remove();
  });
  const { width, height } = drawing.getBoundingClientRect();
  const paper = document.createElementNS(SVG, "rect");
  const ground = getComputedStyle(document.body).getPropertyValue("--sheet") || "#fff";
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: ground.trim() })) {
    paper.setAttribute(name, value);
  }
  copy.prepend(paper);
  copy.setAttribute("xmlns", SVG);
  const box = (copy.getAttribute("viewBox") || `0 0 ${width} ${height}`).split(" ").map(Number);
  copy.setAttribute("width", String(box[2]));
  copy.setAttribute("height", String(box[3]));
  return { text: new XMLSerializer().serializeToString(copy), width: box[2], height: box[3] };
}

/** @param {SVGElement} drawing */
async function pictureOf(drawing) {
  const { text, width, height } = standalone(drawing);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error("the drawing cannot be made a picture"));
      image.src = address;
    });
    const canvas = document.createElement("canvas");
    canvas.width = width * SCALE;
    canvas.height = height * SCALE;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * The menu of one sentence.
 * @param {{name: string, drawings: () => {name: string, drawing: SVGElement}[], question: object,
 *          hasBrackets: boolean, hasArcs: boolean, onError: (error: Error) => void}} about
 */
export function downloadMenu(about) {
  const guarded = (/** @type {() => Promise<void>} */ work) => async () => {
    menu.removeAttribute("open");
    try {
      await work();
    } catch (error) {
      about.onError(/** @type {Error} */ (error));
    }
  };
  const fromServer = (/** @type {string} */ output, /** @type {string} */ ending, /** @type {object} */ more) =>
    guarded(async () => save(await (await ask("/v1/parse", { ...about.question, ...more, output })).blob(),
      `${about.name}.${ending}`));
  const svg = guarded(async () => {
    for (const { name, drawing } of about.drawings()) {
      save(new Blob([standalone(drawing).text], { type: "image/svg+xml" }), `${about.name}-${name}.svg`);
    }
  });
  const png = guarded(async () => {
    for (const { name, drawing } of about.drawings()) save(await pictureOf(drawing), `${about.name}-${name}.png`);
  });
  const item = (/** @type {string} */ kind, /** @type {string} */ text, /** @type {() => void} */ onclick) =>
    element("button", { type: "button", "data-kind": kind, onclick }, text);
  const menu = element("details", { class: "menu" }, element("summary", {}, "Download"),
    element("div", { class: "items" }, item("svg", "SVG", svg), item("png", "PNG", png),
      about.hasArcs ? item("conllu", "CoNLL-U", fromServer("conllu", "conllu", {})) : null,
      about.hasBrackets ? item("brackets", "Brackets", fromServer("brackets", "mrg", {})) : null,
      item("latex", "LaTeX", fromServer("latex", "tex", {}))));
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") menu.removeAttribute("open");
  });
  return menu;
}
