// The parts of a drawing that can be chosen, with mouse, finger and keyboard: one stop for the Tab key,
// arrows from part to part, Enter or a blank to choose.
// @ts-check

/**
 * @template Part
 * @typedef {{onChoose?: (part: Part) => void, onShow?: (part: Part | null, at: Element | null) => void,
 *            onKey?: (part: Part, key: string) => boolean}} Listener
 */

/**
 * Tells of what is done to the shapes of a part with the pointer, and of the focus.
 * @template Part
 * @param {SVGElement} group
 * @param {Part} part
 * @param {Listener<Part>} listener
 */
export function choosable(group, part, listener) {
  group.addEventListener("click", () => listener.onChoose?.(part));
  for (const event of ["pointerenter", "focus"]) {
    group.addEventListener(event, () => listener.onShow?.(part, group));
  }
  for (const event of ["pointerleave", "blur"]) {
    group.addEventListener(event, () => listener.onShow?.(null, null));
  }
}

/**
 * @param {string} key
 * @param {number} at
 * @param {number} last
 * @returns {number | undefined}
 */
function goal(key, at, last) {
  switch (key) {
    case "ArrowRight": case "ArrowDown": return Math.min(at + 1, last);
    case "ArrowLeft": case "ArrowUp": return Math.max(at - 1, 0);
    case "Home": return 0;
    case "End": return last;
    default: return undefined;
  }
}

/**
 * @template Part
 * @param {SVGElement} svg
 * @param {{group: SVGElement, part: Part}[]} stops in the order of the arrows
 * @param {Listener<Part>} listener
 */
export function roam(svg, stops, listener) {
  if (!stops.length) return;
  stops[0].group.setAttribute("tabindex", "0");
  svg.addEventListener("keydown", (event) => {
    const at = stops.findIndex(({ group }) => group === event.target);
    if (at < 0) return;
    const { group, part } = stops[at];
    const to = goal(event.key, at, stops.length - 1);
    if (to !== undefined) {
      group.setAttribute("tabindex", "-1");
      stops[to].group.setAttribute("tabindex", "0");
      stops[to].group.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      listener.onChoose?.(part);
    } else if (!listener.onKey?.(part, event.key)) {
      return;
    }
    event.preventDefault();
  });
}
