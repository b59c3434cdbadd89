import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

const day = 86_400_000;

interface LongHistories {
  site: Site;
  /** Gives a repository, known by its full name, more runs than one call reads. */
  lengthen(name: string, firstId: number): void;
  /** The reports of a repository after the button that synchronizes was pressed once and the page said this. */
  pressed(repository: string, scripts: boolean, said: string): Promise<Page>;
}

/** One site and a browser for the tests of a file; `octo/fork` and `octo/empty` have this many runs, read page by page. */
export function longHistories(runs: number, env: Record<string, string> = {}): LongHistories {
  let browser: Browser;
  const visit: LongHistories = {
    site: null as unknown as Site,
    lengthen(name, firstId) {
      const now = Date.now();
      visit.site.double.addRuns(name, runs, { from: now - 80 * day, to: now - day, firstId });
    },
    async pressed(repository, scripts, said) {
      const context = await browser.newContext({ javaScriptEnabled: scripts });
      await visit.site.signInBrowser(context);
      const page = await context.newPage();
      await page.goto(`${visit.site.url}/reports?repo=octo%2F${repository}`);
      await page.getByRole('button', { name: 'Sync now' }).click();
      await page
        .getByText(/Syncing\.|new or changed runs/)
        .first()
        .waitFor();
      while (!scripts && (await page.getByText('Syncing.').count()))
        await page.getByRole('link', { name: 'Refresh' }).first().click();
      await page.getByText(said).waitFor();
      return page;
    },
  };
  beforeAll(async () => {
    [visit.site, browser] = await Promise.all([startSite({ SYNC_MAX_PAGES: '1', ...env }), sharedBrowser()]);
    visit.lengthen('octo/fork', 9_000_001);
    visit.lengthen('octo/empty', 9_010_001);
  });
  afterAll(async () => {
    await closeContexts(browser);
    await visit.site?.stop();
  });
  return visit;
}
