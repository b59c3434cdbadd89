import type { Page } from 'playwright-core';
import { waitForCompletePage } from './complete-page.ts';

/** What a person does on a page: every press, tick, choice and typed field counts as one. */
export interface CountedActions {
  page: Page;
  /** Counts an action, and waits for the page that it leads to. */
  count(action: Promise<unknown>): Promise<void>;
  /** Follows the first link of this name. */
  follow(name: string): Promise<void>;
  /** How many there were so far. */
  actions(): number;
}

export function countActions(page: Page): CountedActions {
  let actions = 0;
  const count = async (action: Promise<unknown>) => {
    actions += 1;
    await action;
    await waitForCompletePage(page);
  };
  const follow = (name: string) => count(page.getByRole('link', { name, exact: true }).first().click());
  return { page, count, follow, actions: () => actions };
}
