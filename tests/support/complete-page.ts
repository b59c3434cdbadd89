import type { Page } from 'playwright-core';

/**
 * Waits until a page that a click has opened is complete. With scripts its heading comes first and the rest follows, so
 * what is read once, without waiting for it, may not be there yet.
 */
export async function waitForCompletePage(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}
