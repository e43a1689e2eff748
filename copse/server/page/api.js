// Questions to the server.
// @ts-check

/**
 * @typedef {{id: string, form: string, lemma?: string, upos?: string, xpos?: string, feats?: string,
 *            head?: number, deprel?: string}} Token
 * @typedef {{label: string, word?: string, children?: TreeNode[]}} TreeNode
 * @typedef {{head: number, probability: number}} Candidate
 * @typedef {{optimal: boolean, gap: number, iterations: number}} Certificate
 * @typedef {{score: number, heads: number[], deprels: string[], probability?: number,
 *            arc_probabilities?: number[], candidates?: Candidate[][], certificate?: Certificate,
 *            degraded?: string}} Dependency
 * @typedef {{label: string, begin: number, end: number, probability: number}} Bracket
 * @typedef {{model: string, fallback: boolean, log_probability: number, brackets: string,
 *            probabilities?: Bracket[], note?: string}} Phrase
 * @typedef {{tokens: Token[], tree?: TreeNode, text: string, dependency?: Dependency,
 *            phrase?: Phrase}} Sentence
 * @typedef {{log_probability: number, tree: TreeNode, brackets: string}} ScoredTree
 * @typedef {{dependency?: Dependency[], phrase?: ScoredTree[]}} Lists
 * @typedef {{sentence: number, word?: number, head?: number, not_head?: number, first?: number,
 *            last?: number, label?: string, forbidden?: boolean}} Demand
 * @typedef {{name: string, components: string[], default: boolean}} ModelInfo
 */

/** What the server said no to, in its words. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @returns {Record<string, string>} */
function authorization() {
  const token = sessionStorage.getItem("token");
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<Response>}
 */
async function fetched(path, options) {
  const request = () =>
    fetch(path, { ...options, headers: { ...authorization(), ...(options.headers || {}) } });
  let response = await request();
  if (response.status === 401) {
    const token = window.prompt("This server wants a token.");
    if (token) {
      sessionStorage.setItem("token", token);
      response = await request();
    }
  }
  if (response.ok) return response;
  let message = `The server answered ${response.status}.`;
  try {
    message = (await response.json()).error.message;
  } catch {
    // no JSON: the status must do
  }
  throw new Refused(response.status, message);
}

/**
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal]
 */
export function ask(path, body, signal) {
  return fetched(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/** @returns {Promise<ModelInfo[]>} */
export async function models() {
  return (await (await fetched("/v1/models", {})).json()).models;
}

/**
 * The words of a sentence: no multiword tokens, no empty nodes.
 * @param {Sentence} sentence
 */
export function wordsOf(sentence) {
  return sentence.tokens.filter((token) => /^\d+$/.test(token.id));
}
