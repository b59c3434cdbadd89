import { beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../server/platform/log.ts';
import { connect } from '../../../server/store/connection.ts';
import { toDatabase } from '../../../server/store/database.ts';
import { migrate } from '../../../server/store/migrate.ts';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';
import { startService } from '../../support/service.ts';

const visit = freshService();
const minute = 60_000;
const hour = 60 * minute;
const ask = (repo: string) =>
  visit.service.ask('GET', `/api/codehost/repo-dora?owner=octo&repo=${repo}`, { as: 'token-ann' });

describe('evidence', () => {
  const explain = (metric: string, repo = 'api') =>
    visit.service.ask('GET', `/api/explain?metric=${metric}&owner=octo&repo=${repo}`, { as: 'token-ann' });

  test('every key opens to the same number as in the report', async () => {
    const { body } = await ask('api');
    const values = await Promise.all(
      ['merge_frequency', 'lead_time', 'change_failure_rate', 'fix_cycle_time'].map(
        async (metric) => (await explain(metric)).body,
      ),
    );
    expect(values.map(({ value, sample }) => [value, sample])).toEqual([
      [body.deployment_frequency.per_day, body.deployment_frequency.total],
      [body.lead_time.median_ms, body.lead_time.sample_size],
      [body.change_failure_rate.rate, body.change_failure_rate.total],
      [body.mttr.median_ms, body.mttr.recoveries],
    ]);
  });

  test('says which counted as failures, and why others were excluded', async () => {
    const { body } = await explain('change_failure_rate');
    const notes = body.counted.map(({ label, note }: Record<string, string>) => [label, note]);
    expect(notes).toContainEqual(['#42 Revert "Show the price"', 'ana, a revert or hotfix']);
    expect(notes).toContainEqual(['#43 Pull request 43', 'ana']);
    const reasons = body.left_out.map(({ reason }: { reason: string }) => reason);
    expect(reasons).toEqual(expect.arrayContaining(['merged into another branch', 'not merged']));
  });

  test('releases are the items where releases count', async () => {
    const { body } = await explain('deployment_frequency', 'web');
    expect(body.counted.map(({ label }: { label: string }) => label)).toEqual(['v1.1.0', 'v1.0.0']);
  });

  test('is not shown to whom the repository is not', async () => {
    const path = '/api/explain?metric=lead_time&owner=octo&repo=secret';
    expectProblem(await visit.service.ask('GET', path, { as: 'token-bo' }), 404, 'not_found');
  });
});

aDatabase((database) => {
  const stored = storedService(database);
  beforeAll(() => stored.service.signIn('token-ann').then(() => undefined));

  async function fetchAnswer() {
    stored.service.double.requests.length = 0;
    const answer = await stored.service.ask('GET', '/api/codehost/repo-dora?owner=octo&repo=web', { as: 'token-ann' });
    const operations = stored.service.double.requests.map(({ operation }) => operation);
    return { ...answer, operations: operations.filter((one) => one !== 'repos/get') };
  }

  test('is read whole once, then one request brings what changed; titles are known though they are not stored', async () => {
    const cold = await fetchAnswer();
    expect(cold.operations.toSorted()).toEqual(['Deployments', 'Releases', 'Search']);
    expect((await fetchAnswer()).operations).toEqual([]);
    stored.service.clock.advance(hour);
    const mergedAt = stored.service.clock.now() - minute;
    stored.service.double.putPullRequest('octo/web', {
      number: 91,
      createdAt: mergedAt - hour,
      mergedAt,
      title: 'New lamp',
    });
    const later = await fetchAnswer();
    expect(later.body.prs_analysed).toBe(5);
    expect(later.body.pr_scatter[0]).toMatchObject({ number: 91, title: 'New lamp' });
    expect(later.body.pr_scatter[4].title).toBe('Count the lamps');
    expect(later.operations.length).toBeLessThanOrEqual(2);
    expect((await fetchAnswer()).operations).toEqual([]);
    stored.service.clock.advance(hour);
    stored.service.double.fault({ path: '/graphql', times: 60 }, { kind: 'status', status: 503 });
    const bridged = await fetchAnswer();
    expect([bridged.status, bridged.headers.get('x-stale'), bridged.body.prs_analysed]).toEqual([200, 'true', 5]);
  });

  test('accounts that an administrator linked are one person, whose review of their own work is none', async () => {
    const url = await database.address();
    const settings = { log: createLog('silent'), poolMax: 2, statementTimeoutMs: 60_000, url };
    const connection = await connect(settings);
    await migrate(connection.orm);
    await toDatabase(connection.orm).query(
      `insert into identity_links (alias_key, alias, primary_key, primary_login, created_by, created_at)
       values ('ana-old', 'ana-old', 'ana', 'ana', 'admin', now())`,
      [],
    );
    await connection.close();
    const service = await startService({ DATABASE_URL: url });
    const { body } = await service.ask('GET', '/api/codehost/repo-dora?owner=octo&repo=web', { as: 'token-ann' });
    await service.close();
    expect(body.cycle_breakdown.samples).toEqual({ time_to_open: 3, pickup: 2, review: 1, merge: 2 });
  });
});
