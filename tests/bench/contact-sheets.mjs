// Pictures of all pages beside each other: full, empty, partial, forbidden and loading, 390 and 1440 px wide, light and
// dark. A pattern chooses among `full demo 1440 light /demo/ci`.
//   npx react-router build && node tests/bench/contact-sheets.mjs [FOLDER [PATTERN]]
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { situations, startBrowser, startSituation } from './situations.mjs';
import { openContext } from './visited-pages.mjs';
import { presses } from './watched.mjs';

const [given, pattern = ''] = process.argv.slice(2);
const chosen = new RegExp(pattern);
const folder = given ? resolve(given) : mkdtempSync(join(tmpdir(), 'contact-sheets-'));
mkdirSync(join(folder, 'pages'), { recursive: true });

const looks = [1440, 390].flatMap((width) => ['light', 'dark'].map((theme) => ({ width, theme })));
/** Of a long page a sheet shows the upper part; its picture in `pages` has all. */
const maxHeight = 1400;
const columns = { 1440: 3, 390: 6 };
const shownWidth = { 1440: 480, 390: 240 };
const onSheet = { 1440: 6, 390: 12 };

const avatar =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="#999"/></svg>';
const nameOf = (text) => text.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home';

const browser = await startBrowser();
let anomalies = 0;
try {
  for (const situation of situations) await picture(situation);
} finally {
  await browser.close();
}
console.log(`${anomalies} with anomalies; sheets in ${folder}`);

async function picture(situation) {
  const { title } = situation;
  const chosenIn = ({ width, theme }) =>
    situation.paths.filter((path) => chosen.test(`${title} ${width} ${theme} ${path}`));
  const chosenLooks = looks.filter((look) => chosenIn(look).length > 0);
  if (chosenLooks.length === 0) return;
  const site = await startSituation(situation);
  try {
    for (const look of chosenLooks) await makeSheets({ ...situation, paths: chosenIn(look), site }, look);
  } finally {
    await site.stop();
  }
}

async function makeSheets(situation, look) {
  const context = await openContext(browser, situation, look);
  if (situation.isLoading) await context.addCookies([{ name: 'das_scripts', value: '1', url: situation.site.url }]);
  context.setDefaultTimeout(20_000);
  await context.route(/avatars/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: avatar }));
  const pictures = [];
  for (const path of situation.paths) {
    try {
      pictures.push(await takePicture(context, situation, look, path));
    } catch (error) {
      anomalies += 1;
      console.log(`${situation.title} ${path}: not pictured, ${error.message}`);
    }
  }
  await context.close();
  const size = onSheet[look.width];
  for (let from = 0; from < pictures.length; from += size) {
    const shown = pictures.slice(from, from + size);
    const name = `${nameOf(situation.title)}-${look.width}-${look.theme}-${from / size + 1}.png`;
    await arrange(shown, look, name);
    console.log(`${name}: ${shown.map(({ path }) => path).join(' ')}`);
  }
}

async function takePicture(context, { title, site, expected, isLoading }, { width, theme }, path) {
  const page = await context.newPage();
  const found = [];
  page.on('pageerror', ({ message }) => found.push(`error: ${message}`));
  page.on('console', (said) => {
    // The page itself may be refused, which its status says.
    if (said.type() === 'error' && !said.text().startsWith('Failed to load')) found.push(`console: ${said.text()}`);
  });
  const response = await (isLoading ? openLoading : openLoaded)(page, `${site.url}${path}`);
  await presses[path.split('#')[1]]?.(page);
  if (!isLoading) await isWhole(page);
  const status = response?.status();
  if (!expected(path).includes(status)) found.push(`status ${status}`);
  const { height, ...seen } = await page.evaluate(look);
  for (const [anomaly, isSeen] of Object.entries(seen)) if (isSeen) found.push(anomaly);
  const name = `${nameOf(`${title} ${path}`)}-${width}-${theme}.png`;
  // A fragment scrolls, and what sticks to the top would be pictured where it is then.
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(folder, 'pages', name), fullPage: true });
  await page.close();
  if (found.length > 0) {
    anomalies += 1;
    console.log(`${title} ${width} ${theme} ${path}: ${found.join('; ')}`);
  }
  return { path, name, height, found };
}

async function openLoaded(page, address) {
  const response = await page.goto(address);
  await isWhole(page);
  return response;
}

/** What a page streams replaces its place a moment after it has loaded. */
function isWhole(page) {
  return page.waitForFunction(() => document.querySelector('.skeleton') === null);
}

/** A page while the platform answers nothing: its skeletons, or all of it where it asks nothing. */
async function openLoading(page, address) {
  const response = await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.querySelector('.skeleton') || document.readyState === 'complete');
  return response;
}

/** In the page. */
function look() {
  const { scrollWidth, clientWidth, scrollHeight } = document.documentElement;
  const main = document.querySelector('main');
  return {
    height: Math.max(scrollHeight, 300),
    'horizontal overflow': scrollWidth > clientWidth,
    'empty main': (main?.innerText ?? '').trim().split(/\s+/).length < 4,
    'no heading': document.querySelector('h1') === null,
    'NaN, undefined or [object': /\bNaN\b|\bundefined\b|\[object/.test(main?.innerText ?? ''),
  };
}

/** One picture of several, each under its address and the height of the whole page. */
async function arrange(pictures, { width }, name) {
  const maxShown = (maxHeight * shownWidth[width]) / width;
  const context = await browser.newContext({
    viewport: { width: columns[width] * (shownWidth[width] + 16) + 16, height: 600 },
  });
  const page = await context.newPage();
  const figures = pictures.map(({ path, name: file, height, found }) => {
    const data = readFileSync(join(folder, 'pages', file)).toString('base64');
    const caption = `${path} · ${height} px ${found.join('; ')}`.replaceAll('<', '&lt;');
    return `<figure><figcaption>${caption}</figcaption><img src="data:image/png;base64,${data}"></figure>`;
  });
  await page.setContent(`<style>
    body { margin: 16px; display: grid; grid-template-columns: repeat(${columns[width]}, ${shownWidth[width]}px); gap: 16px; align-items: start; font: 12px sans-serif; background: #888; }
    figure { margin: 0; } figcaption { overflow-wrap: anywhere; }
    img { width: 100%; display: block; max-height: ${maxShown}px; object-fit: cover; object-position: top; }
  </style>${figures.join('')}`);
  await page.screenshot({ path: join(folder, name), fullPage: true });
  await context.close();
}
