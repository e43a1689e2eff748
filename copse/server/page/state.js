// What the page shows, as the part of its address behind '#': a link that leads back here.
// @ts-check

/**
 * @typedef {{text: string, model: string, demands: import("./api.js").Demand[]}} State
 */

/**
 * @param {string} hash
 * @returns {State}
 */
export function read(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {import("./api.js").Demand[]} */
  let demands = [];
  try {
    const given = JSON.parse(fields.get("demands") || "[]");
    if (Array.isArray(given)) demands = given;
  } catch {
    // a link cut short: without its demands
  }
  return { text: fields.get("text") || "", model: fields.get("model") || "", demands };
}

/** @param {State} state */
export function write(state) {
  const fields = new URLSearchParams({ text: state.text });
  if (state.model) fields.set("model", state.model);
  if (state.demands.length) fields.set("demands", JSON.stringify(state.demands));
  return `#${fields}`;
}

/**
 * With a demand, and without what contradicts it.
 * @param {import("./api.js").Demand[]} demands
 * @param {import("./api.js").Demand} added
 */
export function withDemand(demands, added) {
  const contradicts = (/** @type {import("./api.js").Demand} */ other) => {
    if (other.sentence !== added.sentence) return false;
    if (added.word && other.word === added.word) {
      if (added.head !== undefined) return other.head !== undefined || other.not_head === added.head;
      return other.head === added.not_head || other.not_head === added.not_head;
    }
    return Boolean(added.first) && other.first === added.first && other.last === added.last;
  };
  return [...demands.filter((other) => !contradicts(other)), added];
}
