import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

// A plain script without types.
const { defectLines, fuzz, strayLines } = await import(resolve(import.meta.dirname, '../bench/fuzz-http.mjs'));

let site: Site;

beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});

afterAll(() => site?.stop());

test('2,000 odd requests get no 500, and leave nothing but lines of JSON in the log', async () => {
  const { url } = site;
  const { statuses, failed } = await fuzz({ url, origin: url, cookie: await site.signIn(), requests: 2000, seed: 14 });
  expect(failed).toEqual([]);
  expect(statuses).toMatchObject({ 200: expect.any(Number), 400: expect.any(Number), 405: expect.any(Number) });
  const said = site.log();
  expect(strayLines(said.slice(said.indexOf('Ctrl-C\n') + 'Ctrl-C\n'.length))).toEqual([]);
  expect(defectLines(said)).toEqual([]);
  expect((await site.visit('/api/health')).status).toBe(200);
});
