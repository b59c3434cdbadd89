import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { answerDemo, toResponse } from '../../../server/http/answer.ts';
import { openDemo } from '../../support/demo-context.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_DEMO_PER_MINUTE: '1000' });
  // The sample is judged once it is looked at.
  const isJudged = async () =>
    expect(await (await ask('advisor/plan?org=lumen-harbor')).text()).not.toContain('pending');
  await vi.waitFor(isJudged, { timeout: 60_000 });
});
afterAll(() => service?.close());

async function ask(path: string): Promise<Response> {
  const context = openDemo(service, `/demo/api/${path}`);
  return toResponse(await answerDemo(context, { headers: context.headers, body: null }));
}

/** The rows of a file, and how many requests are left then. */
async function readFile(path: string) {
  const response = await ask(`${path}&format=csv`);
  const rows = (await response.text()).split('\r\n').slice(1, -1);
  return { rows, remaining: Number(response.headers.get('ratelimit-remaining')) };
}

test.each([
  ['db/runs?owner=lumen-harbor&repo=driftwood-docs', 500],
  ['advisor/plan?org=lumen-harbor', 100],
  ['exposure/actions?org=lumen-harbor', 1000],
  ['exposure/search?org=lumen-harbor&name=actions/checkout', 1000],
])('the file of %s has the same rows, and is as much work, with the smallest page', async (path, largest) => {
  const { rows } = await readFile(`${path}&limit=${largest}&csv_pages=all`);
  expect(rows.length).toBeGreaterThan(2);
  const before = await readFile(`${path}&limit=${largest}`);
  expect(rows.slice(0, before.rows.length)).toEqual(before.rows);
  expect((await readFile(`${path}&limit=1&csv_pages=all`)).rows).toEqual(rows);
  const { remaining } = await readFile(`${path}&limit=${largest}`);
  const read = path.startsWith('db/') ? Math.ceil(rows.length / largest) : 1;
  expect(before.remaining - remaining).toBe(read + 1);
});
