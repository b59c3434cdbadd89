import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Double, startDouble } from './double.ts';
import { namedNow } from './named-world.ts';
import { theSecret } from './wire-security.ts';

let double: Double;

beforeAll(async () => {
  double = await startDouble({ clock: { now: () => namedNow } });
});

afterEach(() => double.reset());

afterAll(() => double.close());

async function get(path: string) {
  const answer = await fetch(`${double.url}/repos/octo/web/${path}`, {
    headers: { authorization: 'Bearer token-ann' },
  });
  return { status: answer.status, link: answer.headers.get('link'), text: await answer.text() };
}

const numbers = (text: string) => (JSON.parse(text) as { number: number }[]).map(({ number }) => number);

describe('alerts', () => {
  test('about dependencies know no page numbers, only cursors', async () => {
    double.addAlerts('octo/web', 'dependabot', 150, namedNow - 60_000);
    expect((await get('dependabot/alerts?page=2')).status).toBe(422);
    expect(double.violations.join()).toContain('no query parameter "page"');
    double.reset();
    double.addAlerts('octo/web', 'dependabot', 150, namedNow - 60_000);
    const first = await get('dependabot/alerts?per_page=100&state=open');
    const [, after] = /[?&]after=([^&>]+)/.exec(first.link ?? '') ?? [];
    const second = await get(`dependabot/alerts?per_page=100&state=open&after=${after}`);
    expect([numbers(first.text).length, numbers(second.text).length, second.link]).toEqual([100, 52, null]);
    expect(double.violations).toEqual([]);
  });

  test('about secrets show the secret unless it is to be hidden', async () => {
    expect((await get('secret-scanning/alerts')).text).toContain(theSecret);
    expect((await get('secret-scanning/alerts?hide_secret=true')).text).not.toContain(theSecret);
    expect(double.violations).toEqual([]);
  });

  test('are chosen by the words of their source', async () => {
    expect(numbers((await get('dependabot/alerts?state=auto_dismissed')).text)).toEqual([6]);
    expect(numbers((await get('dependabot/alerts?state=fixed,auto_dismissed&sort=updated')).text)).toEqual([
      3, 4, 6, 5,
    ]);
    expect(numbers((await get('secret-scanning/alerts?state=resolved')).text)).toEqual([2, 3]);
    expect(numbers((await get('code-scanning/alerts')).text)).toEqual([1, 2]);
    expect(double.violations).toEqual([]);
  });
});
