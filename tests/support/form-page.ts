import type { Browser, Page } from 'playwright-core';
import { waitForCompletePage } from './complete-page.ts';
import type { Site } from './site.ts';

const ownScripts = /<script type="module" src="\/assets\/(page|bell|interactive-chart)-[\w-]+\.js"><\/script>/g;
const chartData = /<script type="application\/json">[^<]*<\/script>/g;

/** A page without the scripts that add comfort to a complete one: nothing of it is left to be filled in. */
export const withoutOwnScripts = (html: string): string => html.replace(ownScripts, '').replace(chartData, '');

/** A page of somebody at a browser without scripts. */
export async function withoutScripts(
  { site, browser, token }: { site: Site; browser: Browser; token: string },
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
  try {
    await site.signInBrowser(context, token);
    const page = await context.newPage();
    await work(page);
  } finally {
    await context.close();
  }
}

/** What the page's content says when it is complete, on one line. */
export async function said(page: Page): Promise<string> {
  await waitForCompletePage(page);
  return (await page.locator('main').innerText()).replace(/\s+/g, ' ');
}

/** Presses a button of a form, and answers the status of what came. */
export async function press(page: Page, form: string, button: string): Promise<number> {
  const [answered] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.getByRole('form', { name: form }).getByRole('button', { name: button, exact: true }).click(),
  ]);
  return answered.status();
}

/** Pages of which one is wider than the window, says what nobody wrote, has scripts or not one heading. */
export async function misdrawn(page: Page, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const { isWide, headings } = await page.evaluate(() => ({
        isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        headings: document.querySelectorAll('h1').length,
      }));
      const isOdd = /undefined|NaN|\[object|Invalid Date|<script|rel="modulepreload"/.test(
        withoutOwnScripts(await page.content()),
      );
      const reasons = [
        isWide && 'wider than the window',
        isOdd && 'odd text',
        headings !== 1 && `${headings} headings`,
      ];
      if (reasons.some(Boolean)) found.push(`${path} at ${width}: ${reasons.filter(Boolean).join(', ')}`);
    }
  }
  return found;
}
