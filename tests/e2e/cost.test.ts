import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let ann = '';

beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  ann = await site.signIn();
});

afterEach(() => {
  expect(site.double.violations).toEqual([]);
  site.double.reset();
});

afterAll(() => site?.stop());

/** What a page says, without its marks. */
const words = (html: string) =>
  html
    .replace(/<(script|style|title)\b.*?<\/\1>/gs, ' ')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replace(/(&nbsp;|\s)+/g, ' ');

async function read(path: string, cookie = ann) {
  const { status, text } = await site.visit(path, { cookie });
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  return { status, text, words: words(text), links };
}

const today = new Date();
const monthAgo = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1));
const past = `year=${monthAgo.getUTCFullYear()}&month=${monthAgo.getUTCMonth() + 1}`;

describe('the cost page', () => {
  test('opens its numbers into the lines of the bill', async () => {
    const { links } = await read('/cost?org=octo');
    const opened = links.find((href) => href.includes('metric=net_amount')) ?? '';
    const explained = await read(opened);
    expect(explained.words).toContain('$28.29');
    for (const line of ['Linux, web', 'Copilot for business', 'Actions storage, web'])
      expect(explained.words).toContain(line);
  });

  test('steps to the month before by a link, and from there back, never into the future', async () => {
    const steps = (html: string) =>
      [...html.matchAll(/rel="(prev|next)" href="([^"]+)"/g)].map(([, rel, href = '']) => [
        rel,
        href.replaceAll('&amp;', '&'),
      ]);
    const running = await read('/cost?org=octo');
    expect(steps(running.text)).toEqual([['prev', `?org=octo&${past}`]]);
    const before = await read(`/cost?org=octo&${past}`);
    expect(before.words).toContain('700');
    expect(steps(before.text).map(([rel]) => rel)).toEqual(['prev', 'next']);
    expect(steps(before.text)[1]?.[1]).toContain(`month=${today.getUTCMonth() + 1}`);
  });

  test('a past month leads nowhere', async () => {
    const { words: said } = await read(`/cost?org=octo&${past}`);
    expect(said).toContain('Net amount');
    for (const one of ['end of the month', 'Minutes a day', 'included minutes of']) expect(said).not.toContain(one);
  });

  test('the running month is told where it leads only once it is old enough', async () => {
    const { words: said } = await read('/cost?org=octo');
    expect(said.includes('Told from day 6 on')).toBe(today.getUTCDate() < 6);
    expect(said.includes('≈ $')).toBe(today.getUTCDate() >= 6);
  });

  test('names the permission where the bill is hidden, and where there is none', async () => {
    const two = await site.signIn('token-ann-two');
    const forbidden = await read('/cost?org=octo', two);
    expect(forbidden.words).toContain('The token may not read the billing of octo.');
    const unknown = await read('/cost?org=many');
    for (const page of [forbidden, unknown])
      for (const said of ['"Administration: read"', '"admin:org"']) expect(page.words).toContain(said);
    const own = await read('/cost', await site.signIn('token-bo'));
    expect(own.words).toContain('"Plan: read"');
  });

  test('says that the platform fails, and offers to try again', async () => {
    const unread = 'org=octo&year=2025&month=1';
    site.double.fault({ path: /settings\/billing/, times: 99 }, { kind: 'status', status: 502 });
    const { words: said, links } = await read(`/cost?${unread}`);
    expect(said).toContain('Platform not reachable.');
    expect(links).toContain(`/cost?${unread}`);
  });

  test('gives the table to take away', async () => {
    const { links } = await read(`/cost?org=octo&${past}`);
    const { text } = await site.visit(links.find((href) => href.includes('format=csv')) ?? '', { cookie: ann });
    expect(text).toContain('Actions,actions_linux,Linux,linux,2-core,Minutes,0.006,700,700,4.2,4.2,0');
  });

  test('a month that is none is refused in words', async () => {
    expect((await read('/cost?org=octo&month=13')).words).toContain('month is not between 1 and 12');
  });
});
