// Opens every page in a browser, 390 and 1440 px wide, light and dark, with and without scripts, and prints what a
// reader gets of it.  npx react-router build && node tests/bench/pages.mjs [PART OF AN ADDRESS…]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { startSite } from '../support/site.ts';
import { asking, askingAdministration } from './asking-pages.mjs';
import { openContext, startVisits } from './visited-pages.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const chosen = process.argv.slice(2);
const isChosen = (path) => chosen.length === 0 || chosen.some((part) => path.includes(part));

/** The figures of a page come from the last look, when nothing is asked for the first time. */
const looks = [390, 1440].flatMap((width) =>
  ['dark', 'light'].flatMap((theme) => [false, true].map((scripts) => ({ width, theme, scripts }))),
);
/** Pages that begin with a chart; a bill has the sums of its month. */
const withChart = /^(\/demo)?(\/|\/ci.*|\/cost.*|\/org\/[^/]+|\/repos\/[^/]+\/[^/]+(\/workflows\/\d+)?|\/demo)$/;
const isBill = /[?&](view=bill|year=)/;
/** Chapters of the documentation are prose, which is read whole. */
const isChapter = /^\/docs\/(?!metrics|api)/;
/** Pages to read, to print and to sign in, which load no script. */
const withoutScripts = /^\/(docs|setup|login)([/?]|$)|\/brief/;
const platformLatencyMs = 3000;

const visits = await startVisits();
try {
  const rows = [];
  for (const group of visits.groups) rows.push(...(await measureGroup(group)));
  print('Every page', rows);
  const waiting = await measureWaiting();
  print('Heading while the platform takes 3 s, cold', waiting);
  const slow = await measureSlow();
  print('Demo at a quarter of the speed of the processor', slow);
  check({ rows, waiting, slow });
} finally {
  await visits.close();
}

async function measureGroup(group) {
  const paths = group.paths.filter(isChosen);
  const rows = new Map(paths.map((path) => [path, { page: path, overflow: 0, axe: 0 }]));
  for (const look of looks) {
    const context = await openContext(visits.browser, group, look);
    const page = await context.newPage();
    for (const path of paths) {
      const row = rows.get(path);
      await page.goto(`${group.site.url}${path}`);
      // Without scripts nothing can be evaluated but by the tools of the browser, which Playwright uses.
      const found = await page.evaluate(measure);
      row.overflow += found.overflow ? 1 : 0;
      if (look.width === 1440 && look.theme === 'light' && look.scripts) Object.assign(row, found.reading);
      if (look.width === 390 && look.theme === 'light' && look.scripts) row['px at 390'] = found.reading.px;
      if (look.scripts) row.axe += await countFindings(page);
    }
    await context.close();
  }
  return [...rows.values()];
}

async function countFindings(page) {
  await page.evaluate(axe);
  return page.evaluate(
    async (runOnly) => (await globalThis.axe.run({ runOnly, resultTypes: ['violations'] })).violations.length,
    tags,
  );
}

/** In the page: what stands on it, and where. */
function measure() {
  const { scrollWidth, clientWidth, scrollHeight } = document.documentElement;
  const main = document.querySelector('main') ?? document.body;
  const count = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  let above = 0;
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { top, width, height } = range.getBoundingClientRect();
    // What is there for readers alone is one pixel large, though its text would be larger.
    const isShown = width > 1 && height > 1 && !node.parentElement.closest('.sr');
    if (isShown && top < innerHeight && node.parentElement.checkVisibility()) above += count(node.data);
  }
  const cards = [...main.querySelectorAll('.card')].map((card) => count(card.innerText));
  // A row of 90 days is a chart 20 px high.
  const charts = [...main.querySelectorAll('svg, figure.chart')].map((one) => one.getBoundingClientRect());
  const first = charts.filter(({ width, height }) => width >= 200 && height >= 20).map(({ top }) => top + scrollY);
  const [navigation] = performance.getEntriesByType('navigation');
  const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
  return {
    overflow: scrollWidth > clientWidth,
    reading: {
      'words above': above,
      'words per card': cards.length === 0 ? null : Math.max(...cards),
      'chart at y': first.length === 0 ? null : Math.round(Math.min(...first)),
      px: scrollHeight,
      'first byte ms': Math.round(navigation.responseStart - navigation.requestStart),
      'scripts KB': Number((scripts.reduce((sum, one) => sum + one.encodedBodySize, 0) / 1024).toFixed(1)),
    },
  };
}

/**
 * How soon a page has its heading in a browser that is known to run scripts, each on a service that knows nothing yet.
 * The pages beside it disturb one: what is late is opened twice more, and the median of three counts.
 */
async function measureWaiting() {
  const rows = await openAll([...asking, ...askingAdministration].filter(isChosen));
  const late = rows.filter(isLate).map(({ page }) => page);
  const again = [...(await openAll(late)), ...(await openAll(late))];
  return rows.map((row) => {
    const all = [row, ...again.filter(({ page }) => page === row.page)];
    return all.toSorted((a, b) => a['heading ms'] - b['heading ms'])[Math.floor(all.length / 2)];
  });
}

function isLate(row) {
  return row['heading ms'] > 300;
}

async function openAll(paths) {
  const rows = [];
  // A few at a time, so that a page does not wait for the end of the one before it.
  for (let from = 0; from < paths.length; from += 5) {
    const opened = [];
    for (const path of paths.slice(from, from + 5)) opened.push(await openCold(path));
    for (const { finish } of opened) rows.push(await finish());
  }
  return rows;
}

async function openCold(path) {
  const [mode, token] = askingAdministration.includes(path)
    ? ['organization', 'token-ann']
    : ['standalone', 'token-bo'];
  const site = await startSite({ MODE: mode, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  const context = await openContext(visits.browser, { site, token }, { width: 1440, theme: 'light' });
  await context.addCookies([{ name: 'das_scripts', value: '1', url: site.url }]);
  site.double.fault({ path: /./, times: 1_000_000 }, { kind: 'latency', ms: platformLatencyMs });
  const page = await context.newPage();
  const begun = performance.now();
  const since = () => Math.round(performance.now() - begun);
  await page.goto(`${site.url}${path}`, { waitUntil: 'commit' });
  const committed = since();
  await page.locator('h1').first().waitFor();
  const headed = since();
  const loaded = page.waitForLoadState('load').then(since);
  return {
    async finish() {
      const whole = await loaded;
      await context.close();
      await site.stop();
      return { page: path, 'first byte ms': committed, 'heading ms': headed, 'whole ms': whole };
    },
  };
}

async function measureSlow() {
  const { alone, browser } = visits;
  const rows = [];
  for (const path of visits.groups[0].paths.filter((one) => one.startsWith('/demo') && isChosen(one))) {
    const context = await openContext(browser, { site: alone, token: null }, { width: 390, theme: 'light' });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(() => {
      globalThis.seen = { largest: 0, blocking: 0 };
      const watch = (type, take) =>
        new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
      watch('largest-contentful-paint', ({ startTime }) => (globalThis.seen.largest = startTime));
      watch('longtask', ({ duration }) => (globalThis.seen.blocking += duration - 50));
    });
    await page.goto(`${alone.url}${path}`);
    await page.waitForTimeout(500);
    const { largest, blocking } = await page.evaluate(() => globalThis.seen);
    rows.push({ page: path, 'LCP ms': Math.round(largest), 'blocking ms': Math.round(blocking) });
    await context.close();
  }
  return rows;
}

function print(title, rows) {
  if (rows.length === 0) return;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  console.log(`\n### ${title}\n\n| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${columns.map((column) => row[column] ?? '–').join(' | ')} |`);
}

/** A goal, whether a page reaches it, and the pages that were measured for it. */
function listGoals({ rows, waiting, slow }) {
  const beginsWithChart = (page) => withChart.test(page.split('?')[0]) && !isBill.test(page);
  return [
    ['words above the fold at most 180', (row) => isChapter.test(row.page) || row['words above'] <= 180, rows],
    ['words per card at most 25', (row) => (row['words per card'] ?? 0) <= 25, rows],
    ['first chart above y = 420', (row) => !beginsWithChart(row.page) || (row['chart at y'] ?? Infinity) <= 420, rows],
    [
      'a repository at most 2,500 px at 1440',
      (row) => !/\/repos\/[^/]+\/[^/]+$/.test(row.page) || row.px <= 2500,
      rows,
    ],
    ['no overflow', (row) => row.overflow === 0, rows],
    ['no finding of axe', (row) => row.axe === 0, rows],
    ['scripts at most 15 KB', (row) => row['scripts KB'] <= 15, rows],
    ['no script to read, print or sign in', (row) => !withoutScripts.test(row.page) || row['scripts KB'] === 0, rows],
    ['heading within 300 ms while the platform takes 3 s', (row) => !isLate(row), waiting],
    ['largest contentful paint within 1 s at a quarter of the speed', (row) => row['LCP ms'] <= 1000, slow],
    ['blocking at most 100 ms at a quarter of the speed', (row) => row['blocking ms'] <= 100, slow],
  ];
}

/** Which page misses which goal; the command fails where one is missed. */
function check(measured) {
  console.log('\n### Goals\n');
  for (const [goal, isReached, rows] of listGoals(measured)) {
    const missed = rows.filter((row) => !isReached(row)).map(({ page }) => page);
    if (missed.length > 0) process.exitCode = 1;
    console.log(
      `- ${goal}: ${missed.length === 0 ? `reached on all ${rows.length}` : `missed on ${missed.length} of ${rows.length}: ${missed.join(', ')}`}`,
    );
  }
}
