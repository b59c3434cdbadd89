import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Site } from './site.ts';

/** Synchronizes a repository or an organization with somebody's session, and returns when that has ended. */
export async function synchronize(site: Site, cookie: string, scope: Record<string, string>): Promise<void> {
  const query = new URLSearchParams(scope);
  const headers = { cookie, origin: site.url };
  const { status } = await fetch(`${site.url}/api/db/sync?${query}`, { method: 'POST', headers });
  expect([query.toString(), status]).toEqual([query.toString(), 200]);
}

/** Reads the page that follows a synchronization until that has ended, and answers what the page then has. */
export async function readWhenSynced(read: () => Promise<string>): Promise<string> {
  for (let tries = 0; tries < 1200; tries++) {
    const text = await read();
    if (!text.includes('Syncing.')) return text;
    await sleep(50);
  }
  throw new Error('The synchronization did not end within a minute.');
}
