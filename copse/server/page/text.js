// Small helpers: elements, text, numbers, colours.
// @ts-check

export const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element with attributes and children. Event handlers are functions under "on...".
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null) made.append(child);
  return made;
}

/**
 * The same for drawings.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** @type {CanvasRenderingContext2D | null} */
let pen = null;

/**
 * How wide a text is, in pixels.
 * @param {string} text
 * @param {string} font
 */
export function widthOf(text, font) {
  pen = pen || document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * 8;
  pen.font = font;
  return Math.ceil(pen.measureText(text).width);
}

export const FACE = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

/**
 * "98 %", "0.3 %".
 * @param {number} probability
 */
export function percent(probability) {
  if (probability >= 0.995) return probability >= 0.9995 ? "100 %" : `${(probability * 100).toFixed(1)} %`;
  if (probability >= 0.01) return `${Math.round(probability * 100)} %`;
  return probability < 0.0001 ? "<0.01 %" : `${Number((probability * 100).toPrecision(1))} %`;
}

/**
 * One of seven steps, for the colours of style.css; -1 where nothing is known.
 * @param {number | undefined} probability
 */
export function step(probability) {
  if (probability === undefined) return -1;
  const bounds = [0.5, 0.65, 0.8, 0.9, 0.97, 0.995];
  let at = 0;
  while (at < bounds.length && probability >= bounds[at]) ++at;
  return at;
}
