import { expect, test } from 'vitest';
import type { FactRepository } from '../../server/facts/fact-repository.ts';
import { readStoredFacts } from '../../server/facts/stored-facts.ts';
import { withDouble } from '../codehost/double.ts';
import { errorOf } from '../codehost/platform.ts';
import type { Fault } from '../codehost-double/faults.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { day, hour, minute } from '../store/world.ts';
import { kinds } from './made-facts.ts';
import { keys, known, maxAgeMs, onEachRepository, readingsOf, since } from './readings.ts';

const platform = withDouble();
const { reader, counting, freshlyRead } = readingsOf(platform);
const api = { owner: 'octo', repo: 'api' };

/** An answer without a part that the token may not read. */
const missing = (field: string): Fault => {
  const message = 'Resource not accessible by personal access token';
  return { kind: 'partial_graphql', field, type: 'FORBIDDEN', message };
};

/** A database keeps what the platform reported; a memory is part of the reading. */
const sourceOf = ({ isDatabase }: FactRepository) => (isDatabase ? 'mixed' : 'live');

function readsFacts(open: () => Promise<FactRepository>) {
  test.each(kinds)('%s are read whole once, then not at all, then by one request', async (kind) => {
    const factRepository = await open();
    const { read } = await reader(factRepository);
    const source = sourceOf(factRepository);
    const [, first] = await counting(() => read(kind));
    expect(first).toMatchObject({ source, stale: false, partial: false, asOf: namedNow });
    expect(first.items.length).toBeGreaterThan(1);
    platform.advance(maxAgeMs - 1);
    const [none, again] = await counting(() => read(kind));
    expect([none, again.source, again.asOf]).toEqual([0, source, namedNow]);
    expect(known(kind, again.items)).toEqual(known(kind, first.items));
    expect([again.total, again.newestAt]).toEqual([first.total, first.newestAt]);
    platform.advance(1);
    const [one, later] = await counting(() => read(kind));
    expect([one, later.asOf]).toEqual([1, namedNow + maxAgeMs]);
    expect(known(kind, later.items)).toEqual(known(kind, first.items));
  });

  test('one request brings what changed in all kinds that are stored', async () => {
    const { double } = platform;
    const factRepository = await open();
    const { read } = await reader(factRepository);
    for (const kind of kinds) await read(kind);
    const at = namedNow + minute;
    platform.advance(10 * minute);
    double.mergePullRequest('octo/web', 23, { at });
    double.closeIssue('octo/web', 55, { at, reason: 'not_planned' });
    double.addDeploymentStatus('octo/web', 8005, 'success', at);
    double.putDeployment('octo/web', { id: 8006, createdAt: at });
    double.putRelease('octo/web', { id: 306, tag: 'v3.0.0', createdAt: at });
    const [requests, pulls] = await counting(() => read('pull_requests'));
    expect([requests, keys('pull_requests', pulls).includes(23)]).toEqual([1, true]);
    for (const kind of kinds) {
      const [more, kept] = await counting(() => read(kind));
      expect([kind, more, kept.source]).toEqual([kind, 0, sourceOf(factRepository)]);
      expect(known(kind, kept.items)).toEqual(await freshlyRead(kind));
    }
  });

  test('a later window is answered from what is stored, an earlier one is read whole', async () => {
    const factRepository = await open();
    const { read, repository } = await reader(factRepository);
    await read('commits');
    const later = namedNow - 3 * day;
    const [none, few] = await counting(() => read('commits', { since: later }));
    expect(none).toBe(0);
    expect(few.items.every(({ committedAt }) => committedAt >= later)).toBe(true);
    expect(few.items.length).toBeGreaterThan(0);
    const [some] = await counting(() => read('commits', { since: since - 30 * day }));
    const [syncState] = await factRepository.syncStates(repository);
    expect([some > 0, syncState?.floor]).toEqual([true, since - 30 * day]);
    expect((await counting(() => read('commits')))[0]).toBe(0);
  });

  test('what a cap cut off is reported, and not read again each time', async () => {
    for (let id = 1; id <= 310; id++)
      platform.double.putRelease('octo/api', { id: 1000 + id, tag: `r${id}`, createdAt: namedNow - id * hour });
    const factRepository = await open();
    const { read } = await reader(factRepository, api);
    const first = await read('releases');
    const oldestAt = namedNow - 300 * hour;
    expect([first.partial, first.capped, first.oldestAt, first.items.length]).toEqual([true, true, oldestAt, 300]);
    platform.double.putRelease('octo/api', { id: 2000, tag: 'r0', createdAt: namedNow });
    platform.advance(hour);
    const [one, later] = await counting(() => read('releases'));
    expect([one, later.partial, later.source, later.items.length]).toEqual([1, true, sourceOf(factRepository), 301]);
    const recent = await read('releases', { since: namedNow - day });
    expect([recent.capped, recent.oldestAt, recent.items.length]).toEqual([true, oldestAt, 25]);
  });

  test('a label on what a cap left out does not say that all since then is known', async () => {
    platform.double.addPullRequests('octo/api', 2100, { from: namedNow - 80 * day, to: namedNow - day });
    const factRepository = await open();
    const { read } = await reader(factRepository, api);
    const first = await read('pull_requests');
    expect([first.capped, first.items.length]).toEqual([true, 2000]);
    const endedAt = namedNow - 85 * day;
    const left = { createdAt: endedAt - day, mergedAt: endedAt, closedAt: endedAt };
    platform.double.putPullRequest('octo/api', { number: 99, ...left, updatedAt: namedNow + hour });
    platform.advance(2 * hour);
    const later = await read('pull_requests');
    expect([later.capped, later.oldestAt, later.items.length]).toEqual([true, first.oldestAt, 2000]);
  });

  test('a reading from when the clock was ahead is not believed, and hides nothing that changed since', async () => {
    const factRepository = await open();
    for (const kind of kinds) await (await reader(factRepository)).read(kind);
    const { repository } = await reader(factRepository);
    const ahead = namedNow + 2 * day;
    const [releases] = (await factRepository.syncStates(repository)).filter(({ kind }) => kind === 'releases');
    if (!releases) throw new Error('not stored');
    await factRepository.store(repository, [
      { syncState: { ...releases, through: ahead }, items: [], replaces: false },
    ]);
    platform.double.putRelease('octo/web', { id: 306, tag: 'v3.0.0', createdAt: namedNow + minute });
    platform.advance(hour);
    const [, others] = await counting(async () => (await reader(factRepository)).read('deployments'));
    expect(others.asOf).toBe(namedNow + hour);
    const { read, clock } = await reader(factRepository);
    const given = { factRepository, now: clock.now() };
    expect(await readStoredFacts(given, repository, 'releases', { since, maxAgeMs })).toBeNull();
    const anew = await read('releases');
    expect([anew.asOf, keys('releases', anew).includes('v3.0.0')]).toEqual([namedNow + hour, true]);
    expect((await counting(() => read('releases')))[0]).toBe(0);
  });

  test('a reading with gaps is answered, but not stored', async () => {
    const factRepository = await open();
    const { read, repository } = await reader(factRepository);
    platform.double.fault({ path: '/graphql' }, missing('releases'));
    const answer = await read('releases');
    expect([answer.partial, answer.source]).toEqual([true, 'live']);
    expect(await factRepository.syncStates(repository)).toEqual([]);
    const again = await (await reader(factRepository)).read('releases');
    expect([again.partial, again.items.length > 1]).toEqual([false, true]);
    expect(await factRepository.syncStates(repository)).toHaveLength(1);
  });

  test.each([
    ['an outage', { kind: 'status', status: 502 }],
    ['the limit', { kind: 'primary_limit' }],
  ] as const)('%s of the platform leaves the facts of before, marked as old', async (_, fault) => {
    const factRepository = await open();
    const { read } = await reader(factRepository);
    const first = await read('pull_requests');
    platform.advance(hour);
    platform.double.fault({ path: '/graphql', times: 20 }, fault);
    const old = await read('pull_requests');
    expect(old).toMatchObject({ stale: true, asOf: namedNow, source: sourceOf(factRepository), partial: false });
    expect(known('pull_requests', old.items)).toEqual(known('pull_requests', first.items));
  });

  test('an error to this person is no outage', async () => {
    const { read } = await reader(await open());
    await read('pull_requests');
    platform.advance(hour);
    platform.double.removeAccess('octo/web', 'ann');
    platform.double.setVisibility('octo/web', 'private');
    expect((await errorOf(read('pull_requests'))).code).toBe('not_found');
  });

  test('a kind that the token may not read is rejected, the others are not', async () => {
    const factRepository = await open();
    const { read } = await reader(factRepository);
    await read('deployments');
    await read('releases');
    platform.advance(hour);
    platform.double.fault({ path: '/graphql', times: 2 }, missing('deployments'));
    expect(await read('releases')).toMatchObject({ stale: false, asOf: namedNow + hour });
    platform.double.fault({ path: '/graphql' }, missing('repository'));
    expect((await errorOf((await reader(factRepository)).read('deployments'))).code).toBe('upstream_forbidden');
    expect((await counting(() => read('releases')))[0]).toBe(0);
  });

  test('those who ask at the same time share the request', async () => {
    const { read } = await reader(await open());
    await read('commits');
    await read('issues');
    platform.advance(hour);
    const [one, all] = await counting(() =>
      Promise.all([read('commits'), read('issues'), read('commits', { since: namedNow - day })]),
    );
    expect([one, all.map(({ asOf }) => asOf)]).toEqual([1, Array(3).fill(namedNow + hour)]);
  });
}

onEachRepository(readsFacts);
