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

describe('alerts of an organization', () => {
  const ask = async (path: string, token = 'token-ann') => {
    const answer = await fetch(`${double.url}/orgs/octo/${path}`, { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, link: answer.headers.get('link'), text: await answer.text() };
  };
  const named = (text: string) =>
    (JSON.parse(text) as { number: number; repository: { full_name: string } }[]).map(
      ({ number, repository }) => `${repository.full_name} ${number}`,
    );

  test('come of all repositories whose source gives them, each with its repository', async () => {
    double.addAlerts('octo/api', 'dependabot', 1, namedNow - 60_000);
    double.addAlerts('octo/fork', 'dependabot', 3, namedNow - 60_000);
    double.rejectAlerts('octo/fork', 'dependabot', { status: 403, message: 'off' });
    double.addAlerts('octo/old', 'dependabot', 3, namedNow - 60_000);
    const { status, text } = await ask('dependabot/alerts?state=open&sort=created&direction=asc&per_page=100');
    expect([status, named(text)]).toEqual([200, ['octo/web 1', 'octo/web 2', 'octo/api 1']]);
    expect(JSON.parse(text)[0].url).toBe(`${double.url}/repos/octo/web/dependabot/alerts/1`);
    expect(double.violations).toEqual([]);
  });

  test('go on by cursor or by page, as their source does', async () => {
    for (const source of ['dependabot', 'code_scanning', 'secret_scanning'] as const)
      double.addAlerts('octo/api', source, 5, namedNow - 60_000);
    const links = await Promise.all(
      ['dependabot', 'code-scanning', 'secret-scanning'].map(
        async (path) => (await ask(`${path}/alerts?per_page=2`)).link,
      ),
    );
    expect(links.map((link) => /[?&](after|page)=/.exec(link ?? '')?.[1])).toEqual(['after', 'page', 'page']);
    for (const link of links) expect(link).toContain('/organizations/201/');
    const next = /<([^>]+)>; rel="next"/.exec(links[0] ?? '')?.[1] ?? '';
    const second = await fetch(next, { headers: { authorization: 'Bearer token-ann' } });
    expect([second.status, ((await second.json()) as unknown[]).length]).toEqual([200, 2]);
    expect((await ask('dependabot/alerts?page=2')).status).toBe(422);
    expect(double.violations.join()).toContain('no query parameter "page"');
  });

  test('are for its owners and security managers alone', async () => {
    const statuses = async () =>
      Promise.all(
        ['dependabot', 'code-scanning', 'secret-scanning'].map(
          async (path) => (await ask(`${path}/alerts`, 'token-bo')).status,
        ),
      );
    expect(await statuses()).toEqual([403, 404, 404]);
    const bo = double.world.accounts.find(({ login }) => login === 'bo');
    if (bo) bo.owns = ['octo'];
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(named((await ask('code-scanning/alerts', 'token-bo')).text)).toEqual(['octo/web 1', 'octo/web 2']);
    double.removeAccess('octo/web', 'bo');
    expect(named((await ask('code-scanning/alerts', 'token-bo')).text)).toEqual([]);
    expect(double.violations).toEqual([]);
  });
});
