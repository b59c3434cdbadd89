import { test } from 'vitest';
import { sharedBrowser } from '../support/browser.ts';
import { startSite } from '../support/site.ts';
function measure() {
  const main = document.querySelector('main') ?? document.body;
  const count = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  let above = 0; const parts: string[] = [];
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text; node; node = texts.nextNode() as Text) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { top, width, height } = range.getBoundingClientRect();
    const isShown = width > 1 && height > 1 && !node.parentElement?.closest('.sr');
    if (isShown && top < innerHeight && node.parentElement?.checkVisibility()) { above += count(node.data); parts.push(node.data); }
  }
  return { above, parts: parts.join('|') };
}
test('look', async () => {
  const [site, browser] = await Promise.all([startSite({}), sharedBrowser()]);
  for (const [name, path, width] of (process.env.LOOK ?? '').split(' ').map((one) => one.split('@')) as [string, string, string][]) {
    const context = await browser.newContext({ viewport: { width: Number(width ?? 1440), height: 900 }, colorScheme: Number(width) === 390 ? 'dark' : 'light' });
    const page = await context.newPage();
    await page.goto(`${site.url}${path}`);
    await page.waitForTimeout(800);
    const found = await page.evaluate(measure);
    console.log(name, found.above, process.env.WORDS ? found.parts : '');
    await page.screenshot({ path: `/tmp/filters-${name}.png` });
    await context.close();
  }
  await site.stop();
}, 300_000);
