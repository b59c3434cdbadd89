import { describe, expect, test } from 'vitest';
import { scriptTitle } from '../codehost-double/named-world.ts';
import { asking, day, hour, serviceOn } from '../reports/workload/workload-world.ts';
import { aDatabase } from '../support/a-database.ts';
import { freshService } from './endpoints.ts';

const visit = freshService();
const now = () => visit.service.clock.now();
const issues = (repo: string, more = '') => `/api/codehost/issues?owner=octo&repo=${repo}${more}`;
const open = '/api/codehost/open-pr-health?owner=octo&repo=web';
const graphql = (operations: (string | null)[]) => operations.filter((one) => one?.includes('/') === false);

describe('issues', () => {
  test('first the open and the closed ones, later one request for what changed', async () => {
    const cold = await asking(visit.service, issues('web'));
    expect(graphql(cold.operations)).toHaveLength(2);
    visit.service.clock.advance(2 * hour);
    visit.service.double.closeIssue('octo/web', 57, { at: now() - hour });
    const warm = await asking(visit.service, issues('web'));
    expect(graphql(warm.operations)).toHaveLength(1);
    expect(warm.body).toMatchObject({ open_count: 6, closed_in_period: 4, oldest_open: { number: 56 } });
    expect(warm.body).toMatchObject({ partial: false, data_source: 'live' });
  });

  test('a busy tracker is read whole for a short period, though not for a quarter', async () => {
    const { double } = visit.service;
    for (let number = 1; number <= 1005; number++) {
      const at = now() - (5 * day + number * 0.08 * day);
      double.putIssue('octo/secret', { number, createdAt: at - hour, closedAt: at, updatedAt: at });
    }
    const week = (await asking(visit.service, issues('secret', '&days=7'))).body;
    const quarter = (await asking(visit.service, issues('secret', '&days=90'))).body;
    expect([week.partial, week.coverage.expected, week.closed_in_period]).toEqual([false, 25, 25]);
    expect([quarter.partial, quarter.closed_in_period, quarter.total_analysed]).toEqual([true, 1005, 1000]);
  });
});

describe('open pull requests', () => {
  test('two hours later two requests bring what is new', async () => {
    await asking(visit.service, open);
    visit.service.clock.advance(2 * hour);
    visit.service.double.mergePullRequest('octo/web', 23, { at: now() - hour });
    const later = await asking(visit.service, open);
    expect(graphql(later.operations)).toHaveLength(2);
    expect(later.body).toMatchObject({ total_open: 2, closed_prs_analysed: 5, partial: false, data_source: 'live' });
  });
});

aDatabase((database) => {
  test('issues: after a restart the figures are the same, titles included, which are never stored', async () => {
    const url = await database.address();
    const service = await serviceOn(url);
    const first = await asking(service, issues('web'));
    await service.close();

    const again = await serviceOn(url, { bo: 'ann' });
    again.clock.advance(10 * 60_000);
    const later = await asking(again, issues('web'));
    expect(graphql(later.operations)).toHaveLength(2);
    expect(later.body.neglected.map(({ title }: { title: string }) => title)).toEqual(
      first.body.neglected.map(({ title }: { title: string }) => title),
    );
    expect(later.body).toMatchObject({ ...figures(first.body), assignee_load: [{ login: 'ann', open: 3 }] });

    again.clock.advance(2 * hour);
    const warm = await asking(again, issues('web'));
    expect(graphql(warm.operations)).toHaveLength(1);
    expect(warm.body.oldest_open.title).toBe(scriptTitle);

    // An update of an issue that the answer does not name is brought with the rest.
    again.clock.advance(10 * 60_000);
    again.double.putIssue('octo/web', { number: 59, createdAt: again.clock.now() - 60_000 });
    const updated = await asking(again, issues('web'));
    expect(updated.body.open_count).toBe(warm.body.open_count + 1);
    expect(graphql(updated.operations)).toEqual(['Changes']);
    expect(again.double.violations).toEqual([]);
    await again.close();
  });

  test('open pull requests: after a restart only what is open and what changed is requested; links made since then apply', async () => {
    const url = await database.address();
    const service = await serviceOn(url);
    const cold = await asking(service, open);
    expect(cold.operations).toHaveLength(3);
    await service.close();

    const linked = await serviceOn(url, { 'ana-old': 'ana' });
    linked.clock.advance(2 * hour);
    const warm = await asking(linked, open);
    expect(graphql(warm.operations).length).toBeLessThanOrEqual(2);
    expect(warm.body).toMatchObject({
      time_to_first_review_p50_hours: 1.3,
      time_to_first_review_sample: 2,
      time_approval_to_merge_p50_hours: 0.5,
      time_approval_to_merge_sample: 1,
      data_source: 'mixed',
      total_open: 3,
    });
    expect(warm.body.open_prs[0].title).toBe('Waits for a reviewer');
    expect(linked.double.violations).toEqual([]);
    await linked.close();
  });
});

const figures = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => /_count|_in_period|_to_close|delta/.test(name)));
