import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openBrowser } from './browser.ts';
import { startSite } from './site.ts';

// Draws the pictures of the README in `public`, from the built application: `node tests/support/screenshot.ts`.
const pictures = {
  'screenshot.png': '/demo',
  'screenshot-repository.png': '/demo/repos/lumen-harbor/tidewater-web',
};
const site = await startSite();
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 860 }, colorScheme: 'light' });
  for (const [file, address] of Object.entries(pictures)) {
    const path = resolve(import.meta.dirname, '../../public', file);
    await page.goto(`${site.url}${address}`);
    await page.screenshot({ path });
    console.log(`${path}: ${Math.round(statSync(path).size / 1024)} KB`);
  }
} finally {
  await browser.close();
  await site.stop();
}
