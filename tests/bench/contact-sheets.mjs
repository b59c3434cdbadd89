// Pictures of all pages beside each other, four sheets for each kind of visitor.
//   npx react-router build && node tests/bench/contact-sheets.mjs FOLDER [PART OF AN ADDRESS…]
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openContext, startVisits } from './visited-pages.mjs';

const [given, ...chosen] = process.argv.slice(2);
if (!given) throw new Error('Name the folder for the sheets.');
const folder = resolve(given);
mkdirSync(join(folder, 'pages'), { recursive: true });

const looks = [1440, 390].flatMap((width) => ['light', 'dark'].map((theme) => ({ width, theme })));
/** Of a long page the upper part is shown. */
const maxHeight = { 1440: 2200, 390: 2600 };
const columns = { 1440: 4, 390: 8 };
const shownWidth = { 1440: 480, 390: 240 };

const visits = await startVisits();
try {
  for (const group of visits.groups) for (const look of looks) await makeSheet(group, look);
} finally {
  await visits.close();
}

async function makeSheet(group, look) {
  const { width, theme } = look;
  const context = await openContext(visits.browser, group, look);
  const page = await context.newPage();
  const pictures = [];
  for (const path of group.paths.filter((one) => chosen.length === 0 || chosen.some((part) => one.includes(part)))) {
    await page.goto(`${group.site.url}${path}`);
    await page.waitForTimeout(200);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const name = `${path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home'}-${width}-${theme}.png`;
    const clip = { x: 0, y: 0, width, height: Math.min(height, maxHeight[width]) };
    await page.screenshot({ path: join(folder, 'pages', name), fullPage: true, clip });
    pictures.push({ path, name, height });
  }
  await context.close();
  if (pictures.length > 0) await arrange(pictures, look, `${group.title.replaceAll(' ', '-')}-${width}-${theme}.png`);
}

/** One picture of all of them, each under its address and the height of the whole page. */
async function arrange(pictures, { width }, name) {
  const context = await visits.browser.newContext({
    viewport: { width: columns[width] * (shownWidth[width] + 16) + 16, height: 900 },
  });
  const page = await context.newPage();
  const figures = pictures.map(({ path, name: file, height }) => {
    const data = readFileSync(join(folder, 'pages', file)).toString('base64');
    return `<figure><figcaption>${path} · ${height} px</figcaption><img src="data:image/png;base64,${data}"></figure>`;
  });
  await page.setContent(`<style>
    body { margin: 16px; display: grid; grid-template-columns: repeat(${columns[width]}, ${shownWidth[width]}px); gap: 16px; align-items: start; font: 12px sans-serif; background: #888; }
    figure { margin: 0; } figcaption { overflow-wrap: anywhere; } img { width: 100%; display: block; }
  </style>${figures.join('')}`);
  await page.screenshot({ path: join(folder, name), fullPage: true });
  await context.close();
}
