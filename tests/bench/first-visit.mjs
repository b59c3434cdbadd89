// How long a newcomer with a token waits for the first chart: from the press of “Sign in” until the chart of Home is
// drawn, the press of “Sync now” between them, in a browser with and without scripts; also while each request to the
// platform takes 200 ms.
// npx react-router build && node tests/bench/first-visit.mjs [times]
import { openBrowser } from '../support/browser.ts';
import { startSite } from '../support/site.ts';
import { median } from './served.mjs';

const limitSeconds = 10;
const times = Number(process.argv[2] ?? 3);

const browser = await openBrowser();
let isMissed = false;
for (const latency of [0, 200])
  for (const scripts of [true, false]) {
    const seconds = [];
    for (let n = 0; n < times; n++) seconds.push(await measure(latency, scripts));
    const middle = median(seconds);
    isMissed ||= middle > limitSeconds;
    const way = `${scripts ? 'with' : 'without'} scripts, ${latency} ms per request`;
    console.log(`${way}: ${middle.toFixed(1)} s (${seconds.map((one) => one.toFixed(1)).join(', ')})`);
  }
await browser.close();
console.log(`limit: ${limitSeconds} s`);
process.exitCode = isMissed ? 1 : 0;

/** Seconds on a service that knows nothing yet. */
async function measure(latency, scripts) {
  const site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  const context = await browser.newContext({ javaScriptEnabled: scripts, baseURL: site.url });
  try {
    if (latency > 0) site.double.fault({ times: 100_000 }, { kind: 'latency', ms: latency });
    const page = await context.newPage();
    await page.goto('/');
    await page.getByLabel('Token', { exact: true }).fill('token-ann');
    const from = performance.now();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sync now' }).click();
    const chart = page.getByRole('table', { name: 'CI by repository, 90 days' }).locator('tbody svg').first();
    const refresh = page.getByRole('link', { name: 'Refresh' }).first();
    // A page with scripts reads itself anew; without, somebody presses the link.
    while (!(await chart.isVisible())) {
      if (!scripts && (await refresh.isVisible())) await refresh.click();
      await page.waitForTimeout(50);
    }
    return (performance.now() - from) / 1000;
  } finally {
    await context.close();
    await site.stop();
  }
}
