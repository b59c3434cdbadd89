import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openBrowser } from './browser.ts';
import { startSite } from './site.ts';

// Draws public/screenshot.png, the picture in the README, from the built application: `node tests/support/screenshot.ts`.
const path = resolve(import.meta.dirname, '../../public/screenshot.png');
const site = await startSite();
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 860 }, colorScheme: 'light' });
  await page.goto(`${site.url}/demo`);
  await page.screenshot({ path });
  console.log(`${path}: ${Math.round(statSync(path).size / 1024)} KB`);
} finally {
  await browser.close();
  await site.stop();
}
