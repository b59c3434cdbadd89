import { describe, expect, test } from 'vitest';
import { noTotals } from '../../../server/codehost/client/totals.ts';
import { workloadCommits } from '../../../server/reports/workload/reading.ts';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { aDatabase } from '../../support/a-database.ts';
import type { Answered } from '../../support/service.ts';
import { asking, day, hour, serviceOn } from './workload-world.ts';

const visit = freshService();
const minute = 60_000;
const outage = { kind: 'status', status: 502 } as const;
const down = (fault: Parameters<typeof visit.service.double.fault>[1]) =>
  visit.service.double.fault({ path: '/graphql', times: 999 }, fault);
const rowOf = ({ body }: Answered, login: string) => body.people.find((row: { login: string }) => row.login === login);

const of = (repo: string, more = '') => `/api/codehost/team-workload-risk?owner=octo&repo=${repo}${more}`;
const ask = (path: string, as?: string) => asking(visit.service, path, as);

describe('errors', () => {
  test('input', async () => {
    expectFields(await ask('/api/codehost/team-workload-risk?repo=web'), ['owner', 'missing']);
    for (const days of ['42', '60', '0', 'x']) expectFields(await ask(of('web', `&days=${days}`)), ['days', 'invalid']);
    expectProblem(await visit.service.ask('GET', of('web')), 401, 'unauthenticated');
  });

  test('what a caller cannot see is not there for them, whatever is stored', async () => {
    await ask(of('secret'));
    expectProblem(await ask(of('secret'), 'token-bo'), 404, 'not_found');
  });

  test.each([
    [{ kind: 'graphql_error', type: 'FORBIDDEN' }, 403, 'upstream_forbidden'],
    [{ kind: 'primary_limit' }, 429, 'upstream_rate_limited'],
    [outage, 502, 'upstream_unavailable'],
  ] as const)('%o of the platform, with nothing kept', async (fault, status, code) => {
    down(fault);
    expectProblem(await ask(of('web')), status, code);
  });
});

describe('what was not read', () => {
  test('open pull requests beyond 300 are not read, which is said with the limit', async () => {
    for (let number = 1001; number <= 1301; number++) visit.service.double.putPullRequest('octo/api', { number });
    const { body } = await ask(of('api'));
    expect(body.coverage).toMatchObject({ complete: false, cap: 300, reasons: ['page_cap'] });
    // Of commits nothing is missing.
    const rows: { flags: { activity_cliff: unknown } }[] = body.people;
    expect(rows.filter(({ flags }) => flags.activity_cliff === null)).toEqual([]);
  });

  test('nobody is called silent when a part of an answer did not come', async () => {
    const part = { items: [], partial: true, capped: false, oldestAt: null, ...noTotals };
    const set = { ...part, stale: false, asOf: namedNow, source: 'live' as const };
    const facts = { now: namedNow, read: async () => set } as unknown as Parameters<typeof workloadCommits>[0];
    const context = { services: { store: null } } as Parameters<typeof workloadCommits>[2];
    expect(await workloadCommits(facts, 42, context)).toMatchObject({
      isTruncated: true,
      coverage: { complete: false, cap: null, reasons: ['sub_fetch_failed'] },
    });
  });
});

describe('what it costs', () => {
  test('all windows share one reading, and a quarter of an hour asks nothing', async () => {
    expect((await ask(of('web'))).operations.length).toBeLessThanOrEqual(2 + 1);
    for (const days of ['', '&days=30', '&days=90']) expect((await ask(of('web', days))).operations).toEqual([]);
  });

  test('2,000 commits keep the budget', async () => {
    visit.service.double.addCommits('octo/api', 2500, { from: namedNow - 85 * day, to: namedNow - hour });
    expect((await ask(of('api', '&days=90'))).operations.length).toBeLessThanOrEqual(21 + 1);
  });

  test('two requests when it is old', async () => {
    await ask(of('web'));
    visit.service.clock.advance(2 * hour);
    const { operations, body } = await ask(of('web'));
    expect(operations.filter((one) => one !== 'repos/get').length).toBeLessThanOrEqual(2);
    expect(body.data_source).toBe('live');
  });
});

aDatabase((database) => {
  test('after a restart only what is open is requested; links made since then apply, and so does the workday', async () => {
    const url = await database.address();
    const before = await serviceOn(url);
    const first = await asking(before, of('web'));
    const utc = { timezone: 'UTC', start: 9, end: 17 };
    await before.app.services.store?.settings.put('team', {
      value: utc,
      by: { actor: { id: 101, login: 'ann' }, requestId: null, now: namedNow },
    });
    await before.close();
    const after = await serviceOn(url, { gone: 'ana' });
    const second = await asking(after, of('web'));
    expect(second.operations.filter((one) => one !== 'repos/get')).toEqual(['OpenPullRequests']);
    expect(rowOf(second, 'gone')).toBeUndefined();
    expect(rowOf(second, 'ana')).toMatchObject({
      linked_logins: ['gone'],
      total_commits: (rowOf(first, 'ana')?.total_commits ?? 0) + 3,
      flags: { activity_cliff: false },
    });
    expect(second.body.workday).toEqual({ start: 9, end: 17, timezone: 'UTC' });
    // One, 12, 18 and 3 o'clock on a Friday, Friday, Friday and Saturday.
    expect(rowOf(second, 'nox')).toMatchObject({ after_hours_pct: 75, weekend_pct: 25 });
    await after.close();
  });

  test('a quarter of an hour later the news are brought by one request', async () => {
    const service = await serviceOn(await database.address());
    await asking(service, of('web'));
    service.clock.advance(15 * minute);
    service.double.addCommit('octo/web', aCommit(namedNow + minute, anActor('gone'), 'Back'));
    const answer = await asking(service, of('web'));
    expect(answer.operations.filter((one) => one !== 'repos/get').length).toBeLessThanOrEqual(2);
    expect(rowOf(answer, 'gone').flags.activity_cliff).toBe(false);
    await service.close();
  });
});
