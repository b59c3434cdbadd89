import { describe, expect, test } from 'vitest';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

const today = new Date();
const monthAgo = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1));
const past = `year=${monthAgo.getUTCFullYear()}&month=${monthAgo.getUTCMonth() + 1}`;

describe('the bill of the cost page', () => {
  test('opens its numbers into the lines of the bill', async () => {
    const { links } = await visit.read('/cost?view=bill&org=octo');
    const opened = links.find((href) => href.includes('metric=net_amount')) ?? '';
    const explained = await visit.read(opened);
    expect(explained.content).toContain('$28.29');
    for (const line of ['Linux, web', 'Copilot for business', 'Actions storage, web'])
      expect(explained.content).toContain(line);
  });

  test('steps to the month before by a link, and from there back, never into the future', async () => {
    const steps = (html: string) =>
      [...html.matchAll(/rel="(prev|next)" href="([^"]+)"/g)].map(([, rel, href = '']) => [
        rel,
        href.replaceAll('&amp;', '&'),
      ]);
    const running = await visit.read('/cost?view=bill&org=octo');
    expect(steps(running.text)).toEqual([['prev', `?view=bill&org=octo&${past}`]]);
    const before = await visit.read(`/cost?org=octo&${past}`);
    expect(before.content).toContain('700');
    expect(steps(before.text).map(([rel]) => rel)).toEqual(['prev', 'next']);
    expect(steps(before.text)[1]?.[1]).toContain(`month=${today.getUTCMonth() + 1}`);
  });

  test('a past month leads nowhere', async () => {
    const { content } = await visit.read(`/cost?org=octo&${past}`);
    expect(content).toContain('Net amount');
    for (const one of ['end of the month', 'Minutes per day', 'included minutes of'])
      expect(content).not.toContain(one);
  });

  test('the running month is reported where it leads only once it is old enough', async () => {
    const { content } = await visit.read('/cost?view=bill&org=octo');
    expect(content.includes('Available from day 6 of the month')).toBe(today.getUTCDate() < 6);
    expect(content.includes('≈ $')).toBe(today.getUTCDate() >= 6);
  });

  test('names the permission where the bill is hidden, and where there is none', async () => {
    const two = await visit.site.signIn('token-ann-two');
    const forbidden = await visit.read('/cost?view=bill&org=octo', two);
    expect(forbidden.content).toContain('The token may not read the billing of octo.');
    const unknown = await visit.read('/cost?view=bill&org=many');
    for (const page of [forbidden, unknown])
      for (const content of ['"Administration: read"', '"admin:org"']) expect(page.content).toContain(content);
    const own = await visit.read('/cost?view=bill', await visit.site.signIn('token-bo'));
    expect(own.content).toContain('"Plan: read"');
  });

  test('says that the platform fails, and offers to try again', async () => {
    const unread = 'org=octo&year=2025&month=1';
    visit.site.double.fault({ path: /settings\/billing/, times: 99 }, { kind: 'status', status: 502 });
    const { content, links } = await visit.read(`/cost?${unread}`);
    expect(content).toContain('GitHub not reachable.');
    expect(links).toContain(`/cost?${unread}`);
  });

  test('gives its tables to take away', async () => {
    const linked = [
      ...(await visit.read(`/cost?org=octo&${past}`)).links,
      ...(await visit.read('/cost?view=bill&org=octo')).links,
    ];
    for (const [table, line] of [
      ['skus', 'Actions,actions_linux,Linux,linux,2-core,Minutes,0.006,700,700,4.2,4.2,0'],
      ['by_repository', 'web,700,4.2,'],
      ['products', 'Actions,4.2,4.2,0'],
      ['by_day', `${today.toISOString().slice(0, 8)}01,`],
    ] as const) {
      const href = linked.find((one) => one.includes(`table=${table}&`) && one.includes('format=csv')) ?? '/none';
      const { text } = await visit.site.visit(href, { cookie: visit.ann });
      expect([table, text]).toEqual([table, expect.stringContaining(line)]);
    }
  });

  test('says what is missing where days and repositories cannot be read, and that amounts are whole', async () => {
    const usage = { path: /settings\/billing\/usage$/, times: 9 };
    visit.site.double.fault(usage, { kind: 'status', status: 403 });
    const { content, links } = await visit.read('/cost?org=octo&year=2025&month=2');
    expect(content).toContain('Incomplete. The plan, or usage by day and repository, could not be loaded.');
    expect(content).not.toContain('Daily usage');
    expect(links.filter((href) => href.includes('table=by_day'))).toEqual([]);
  });

  test('says that amounts are minimums where lines of the bill cannot be read', async () => {
    const bill = visit.site.double.world.bills?.find(({ login }) => login === 'octo');
    const line = { product: 'actions', sku: 'Actions Linux', unitType: 'Minutes', pricePerUnit: 0.006, quantity: 100 };
    // The answer has a blank within the second moment, which makes none of it.
    bill?.uses.push({ ...line, date: '2025-03-04' }, { ...line, date: '2025-03-05 ' });
    const { content } = await visit.read('/cost?org=octo&year=2025&month=3');
    expect(content).toContain('Amounts are minimums.');
    expect(content).not.toContain('Amounts are complete.');
  });

  test('a month that is none is rejected in words', async () => {
    expect((await visit.read('/cost?org=octo&month=13')).content).toContain('month must be at most 12');
  });
});
