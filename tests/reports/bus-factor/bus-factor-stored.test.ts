import { describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { aCommit, aFile, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Answered, startService } from '../../support/service.ts';
import { asking, day, hour, minute, serviceOn } from '../workload/workload-world.ts';

const visit = freshService();
const of = (repo: string, more = '') => `/api/codehost/bus-factor?owner=octo&repo=${repo}${more}`;
const ask = (path: string, as?: string) => asking(visit.service, path, as);
const moduleOf = ({ body }: Answered, name: string) =>
  body.modules.find(({ module }: { module: string }) => module === name);
const graphql = (operations: (string | null)[]) => operations.filter((one) => one !== null && /^[A-Z]/.test(one));

describe('errors', () => {
  test('input', async () => {
    expectFields(await ask('/api/codehost/bus-factor?owner=octo'), ['repo', 'missing']);
    expectFields(await ask(of('..')), ['repo', 'invalid']);
    expectProblem(await visit.service.ask('GET', of('web')), 401, 'unauthenticated');
  });

  test('what a caller cannot see is not there for them, whatever is stored', async () => {
    await ask(of('secret'));
    expectProblem(await ask(of('secret'), 'token-bo'), 404, 'not_found');
    expectProblem(await ask(of('nothing')), 404, 'not_found');
  });

  test.each([
    [{ kind: 'graphql_error', type: 'FORBIDDEN' }, 403, 'upstream_forbidden'],
    [{ kind: 'primary_limit' }, 429, 'upstream_rate_limited'],
    [{ kind: 'status', status: 502 }, 502, 'upstream_unavailable'],
  ] as const)('%o of the platform, with nothing kept', async (fault, status, code) => {
    visit.service.double.fault({ path: '/graphql', times: 99 }, fault);
    expectProblem(await ask(of('web')), status, code);
  });

  test('during an outage the older copy is given for a day, marked as such', async () => {
    const { body } = await ask(of('web'));
    visit.service.clock.advance(7 * hour);
    visit.service.double.fault({ path: '/graphql', times: 999 }, { kind: 'status', status: 502 });
    const later = await ask(of('web'));
    expect([later.status, later.headers.get('x-stale')]).toEqual([200, 'true']);
    expect(later.body).toMatchObject({ overall_bus_factor: 6, generated_at: body.generated_at });
    visit.service.clock.advance(18 * hour);
    expectProblem(await ask(of('web')), 502, 'upstream_unavailable');
  });
});

describe('what an outage cut short', () => {
  test('is requested again a minute later, and by everybody', async () => {
    const operations = graphql((await ask(of('web'))).operations);
    const complete = (await ask(of('web'))).body;
    const histories = operations.indexOf('CommitsOfDirectories');
    expect([histories > 0, complete.partial]).toEqual([true, false]);
    const service = await startService();
    service.double.fault({ path: '/graphql', after: histories, times: 9 }, { kind: 'status', status: 502 });
    const question = () => service.ask('GET', of('web'), { as: 'token-ann' });
    expect((await question()).body.partial).toBe(true);
    service.double.reset();
    service.clock.advance(minute);
    expect((await question()).body).toMatchObject({ partial: false, overall_bus_factor: complete.overall_bus_factor });
    await service.close();
  });
});

describe('what it costs', () => {
  test('ten requests at most and the proof at first, then only the proof for six hours', async () => {
    const first = await ask(of('web'));
    expect(first.operations.length).toBeLessThanOrEqual(10 + 1);
    expect((await ask(of('web'))).operations).toEqual([]);
    visit.service.clock.advance(6 * hour - 1);
    const stored = await ask(of('web'));
    expect([stored.operations, stored.quota, stored.body.data_source]).toEqual([['repos/get'], 0, 'live']);
    visit.service.clock.advance(hour);
    expect(graphql((await ask(of('web'))).operations).length).toBeGreaterThan(0);
  });

  test('300 commits in 60 directories keep the budget', async () => {
    const none = { commits: [], workflows: [], workflowFiles: [] };
    visit.service.double.addRepository({ name: 'octo/parts', facts: { id: 90_004 }, ...none });
    for (let index = 0; index < 400; index++) {
      const files = [aFile(`part${index % 60}/a.ts`)];
      visit.service.double.addCommit(
        'octo/parts',
        aCommit(namedNow - day - index * 60_000, anActor('ana'), `Change ${index}`, { files }),
      );
    }
    const { operations, body } = await ask(of('parts'));
    expect(body.fetched_commits).toBe(300);
    expect(operations.length).toBeLessThanOrEqual(10 + 1);
  });

  test('what one caller brought serves everybody who sees the repository', async () => {
    const { body } = await ask(of('web'));
    const bo = await ask(of('web'), 'token-bo');
    expect(graphql(bo.operations)).toEqual([]);
    expect(bo.body).toEqual(body);
  });

  test('another default branch is read anew', async () => {
    await ask(of('web'));
    const { facts } = visit.service.double.world.repositories[0] as { facts: { defaultBranch: string } };
    facts.defaultBranch = 'trunk';
    visit.service.clock.advance(6 * 60_000);
    expect((await ask(of('web'))).body.data_source).toBe('live');
  });

  test('a copy from when the clock was ahead is not believed', async () => {
    visit.service.clock.advance(20 * hour);
    const ahead = (await ask(of('web'))).body.generated_at;
    visit.service.clock.advance(-20 * hour);
    expect((await ask(of('web'))).body.generated_at < ahead).toBe(true);
  });

  test('under an earlier name it is found, and the present one is said', async () => {
    const { status, headers } = await ask(of('before'));
    expect([status, headers.get('x-canonical-repo')]).toEqual([200, 'octo/renamed-now']);
  });
});

aDatabase((database) => {
  test('after a restart nothing is read again, and links made since then apply to what was stored', async () => {
    const url = await database.address();
    const before = await serviceOn(url);
    const first = await asking(before, of('web'));
    expect(moduleOf(first, 'docs')).toMatchObject({ bus_factor: 3, unique_contributors: 4 });
    await before.close();
    const after = await serviceOn(url, { bob: 'ana', 'Nobody Known': 'ann' });
    const second = await asking(after, of('web'));
    expect(graphql(second.operations)).toEqual([]);
    expect(second.body).toMatchObject({ total_commits: 72, total_contributors: first.body.total_contributors - 2 });
    expect(moduleOf(second, 'docs')).toMatchObject({ bus_factor: 2, unique_contributors: 3 });
    expect(moduleOf(second, 'src').contributors.map(({ login }: { login: string }) => login)).not.toContain(
      'Nobody Known',
    );
    await after.close();
  });
});
