// The page in a real browser: what a person does with it, by mouse, keyboard and on a phone.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const { ADDRESS, CHROMIUM, SHOTS } = process.env;
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const TEXT = "She saw the man with the telescope.";

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
});
after(async () => browser.close());

/** A page with TEXT parsed; any error on it fails the test. */
async function open(t, { hash = "", ...options } = {}) {
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/413|422|404/.test(message.text())) faults.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(ADDRESS)) faults.push(`asks ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(faults, []);
  });
  await page.goto(ADDRESS + hash);
  await settled(page);
  return page;
}

/** Until the answer to the last question is there. */
async function settled(page) {
  await page.waitForFunction(() => document.querySelector(".arc, .box, .status.bad") &&
    !document.querySelector("#result[aria-busy]"));
}

const shot = (page, name) => (SHOTS ? page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true }) : null);
const headOf = (page, word) => page.locator(`.arc[data-word="${word}"]:not(.ghost)`).getAttribute("data-head").then(Number);
const arc = (page, word) => page.locator(`.arc[data-word="${word}"]:not(.ghost)`);

/** Clicks an arc where its label is. */
async function choose(page, word) {
  await arc(page, word).locator(".label").click();
  await page.locator("#panel").waitFor();
}

test("parses what is typed, and both trees are drawn", async (t) => {
  const page = await open(t);
  assert.equal(await page.locator(".arc").count(), 8);
  assert.ok(await page.locator(".box").count() > 3);
  await shot(page, "light");
  await page.fill("#text", "The cat sleeps. The dog barks.");
  await page.click("#go");
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 2);
  assert.match(await page.locator("#status").textContent(), /2 sentences, 8 words/);
  assert.match(decodeURIComponent(new URL(page.url()).hash), /The\+cat/);
});

test("arcs have the colours of their probabilities, and hovering shows the runners-up", async (t) => {
  const page = await open(t);
  const classes = await page.locator(".arc").evaluateAll((all) => all.map((each) => each.getAttribute("class")));
  assert.ok(classes.every((each) => /p[0-6]/.test(each)), classes.join());
  assert.ok(await page.locator("#legend").isVisible());
  await arc(page, 5).locator(".label").hover();
  await page.locator("#tip").waitFor();
  assert.match(await page.locator("#tip").textContent(), /with ← .* %[\s\S]*runners-up: /);
  await shot(page, "hover");
});

test("an arc is forbidden, then the demand is taken back", async (t) => {
  const page = await open(t);
  const before_ = await headOf(page, 5);
  await choose(page, 5);
  await page.click("#forbid");
  await page.locator(".chips li").waitFor();
  await settled(page);
  assert.notEqual(await headOf(page, 5), before_);
  assert.match(decodeURIComponent(page.url()), /"not_head":/);
  await page.locator(".chips button").click();
  await page.locator(".chips").waitFor({ state: "detached" });
  await settled(page);
  assert.equal(await headOf(page, 5), before_);
});

test("another head is forced from the list of runners-up", async (t) => {
  const page = await open(t);
  await choose(page, 5);
  const button = page.locator("#panel [data-force]").first();
  const wanted = Number(await button.getAttribute("data-force"));
  await button.click();
  await page.locator(".arc.forced").waitFor();
  await settled(page);
  assert.equal(await headOf(page, 5), wanted);
  await shot(page, "forced");
});

test("why: features and weights that add up to the margin", async (t) => {
  const page = await open(t);
  await choose(page, 5);
  await page.locator(".features tfoot .sum").waitFor();
  const margin = Number(await page.locator(".margin").textContent());
  const sum = Number(await page.locator(".features .sum").textContent());
  assert.ok(Math.abs(margin - sum) < 0.002, `${margin} and ${sum}`);
  const rows = await page.locator(".features tbody .number").allTextContents();
  assert.ok(Math.abs(rows.reduce((a, b) => a + Number(b), 0) - sum) < 0.02, rows.join());
  await shot(page, "why");
});

test("a bracket is forbidden and the tree is another one", async (t) => {
  const page = await open(t);
  const brackets = () => page.locator(".box").evaluateAll((all) =>
    all.map((each) => `${each.dataset.label} ${each.dataset.begin} ${each.dataset.end}`));
  const before_ = await brackets();
  const at = before_.findIndex((each) => /^(NP|PP|VP) [2-4] 7$/.test(each));
  await page.locator(".box").nth(at).click();
  await page.locator("#panel").waitFor();
  await shot(page, "bracket");
  await page.click("#forbid");
  await page.locator(".chips li.no, .status.bad").first().waitFor();
  await settled(page);
  assert.equal(await page.locator(".status.bad").count(), 0);
  assert.ok(!(await brackets()).includes(before_[at]), before_[at]);
});

test("a demand that no tree meets is told and not kept", async (t) => {
  const page = await open(t);
  await page.locator(".box").first().click();
  await page.locator("#panel").waitFor();
  await page.click("#forbid");
  await page.locator(".chips li.no, .status.bad").first().waitFor();
  if (await page.locator(".status.bad").count()) {
    assert.equal(await page.locator(".chips").count(), 0);
    assert.doesNotMatch(page.url(), /demands/);
  }
});

test("the n-best browser marks what differs", async (t) => {
  const page = await open(t);
  await page.locator(".browse").click();
  await page.locator(".nbest li").nth(2).waitFor();
  await page.locator(".nbest").first().locator("li").nth(1).click();
  await page.locator(".arc.changed").first().waitFor();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator('.nbest').first().locator('[aria-selected="true"]').getAttribute("data-rank"), "2");
  await page.locator(".nbest").nth(1).locator("li").nth(1).click();
  await shot(page, "nbest");
});

test("downloads", async (t) => {
  const page = await open(t);
  const get = async (kind) => {
    await page.locator(".menu summary").click();
    const waiting = page.waitForEvent("download");
    await page.locator(`[data-kind="${kind}"]`).click();
    return readFile(await (await waiting).path());
  };
  const svg = (await get("svg")).toString();
  assert.match(svg, /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.match(svg, /telescope/);
  assert.doesNotMatch(svg, /var\(|class=/);
  const png = await get("png");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.ok(png.length > 5000);
  assert.match((await get("conllu")).toString(), /^# .*[\s\S]*\n1\tShe\t/);
  assert.match((await get("brackets")).toString(), /^\(TOP /);
  assert.match((await get("latex")).toString(), /\\begin\{|\\documentclass|tikz/);
});

test("everything by keyboard", async (t) => {
  const page = await open(t);
  await page.focus("#text");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("The cat saw the dog.");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".arc").length === 6 && !document.querySelector("[aria-busy]"));
  const inArcs = () => page.evaluate(() => document.activeElement?.classList.contains("arc"));
  for (let i = 0; i < 30 && !(await inArcs()); ++i) await page.keyboard.press("Tab");
  assert.ok(await inArcs());
  const word = () => page.evaluate(() => document.activeElement?.getAttribute("data-word"));
  assert.equal(await word(), "1");
  await page.keyboard.press("ArrowRight");
  assert.equal(await word(), "2");
  await page.keyboard.press("End");
  assert.equal(await word(), "6");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.locator("#panel").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), "panel-title");
  await page.keyboard.press("Escape");
  await page.locator("#panel").waitFor({ state: "hidden" });
  assert.equal(await word(), "1");
  await page.keyboard.press("x");
  await page.locator(".chips li.no").waitFor();
});

test("a link leads back to the same trees", async (t) => {
  const page = await open(t, { hash: `#${new URLSearchParams({ text: TEXT, demands: '[{"sentence":1,"word":5,"head":4}]' })}` });
  assert.equal(await page.inputValue("#text"), TEXT);
  assert.equal(await headOf(page, 5), 4);
  await open(t, { hash: "#text=Hi.&demands=[{" });
});

test("a certificate where the parser has one", async (t) => {
  const page = await open(t, { hash: `#${new URLSearchParams({ text: TEXT, model: "crossing" })}` });
  assert.match(await page.locator(".badge").first().textContent(), /proved best|gap/);
  assert.equal(await page.inputValue("#model"), "crossing");
});

test("a phone: nothing is wider than the screen, the panel comes from below", async (t) => {
  const page = await open(t, { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 375, String(wide));
  await shot(page, "phone");
  await choose(page, 2);
  await page.locator(".features").waitFor();
  const box = await page.locator("#panel").boundingBox();
  assert.ok(box.width <= 375 && box.y > 100, JSON.stringify(box));
  await shot(page, "phone-panel");
});

test("dark, by the system and by the button", async (t) => {
  const page = await open(t, { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await shot(page, "dark");
  await page.click("#theme");
  const light = await ground();
  assert.notEqual(dark, light);
  const sum = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0);
  assert.ok(sum(dark) < 150 && sum(light) > 600, `${dark} ${light}`);
  await page.reload();
  await settled(page);
  assert.equal(await ground(), light);
});

test("a screen reader finds names for everything", async (t) => {
  const page = await open(t);
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, a, select, textarea, [role=button]")]
    .filter((each) => !(each.getAttribute("aria-label") || each.textContent?.trim() || each.labels?.length))
    .map((each) => each.outerHTML));
  assert.deepEqual(nameless, []);
  assert.match(await arc(page, 1).getAttribute("aria-label"), /^She hangs on \w+ as \w+, .*%/);
  assert.match(await page.locator(".box").first().getAttribute("aria-label"), /words 1 to/);
  assert.equal(await page.locator("#status").getAttribute("aria-live"), "polite");
  await page.locator(".words summary").click();
  assert.equal(await page.locator(".words tbody tr").count(), 8);
});

test("what the server refuses is said", async (t) => {
  const page = await open(t);
  await page.fill("#text", "word ".repeat(1000));
  await page.click("#go");
  await page.locator(".status.bad").waitFor();
  assert.match(await page.locator("#status").textContent(), /1000 words; the limit is/);
});
