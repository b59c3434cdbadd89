import { expect, test } from 'vitest';
import { demoCodehost } from '../../server/demo/client.ts';
import { makeWorld } from '../../server/demo/world.ts';
import type { FactKind } from '../../server/facts/fact-repository.ts';
import { Problem } from '../../server/platform/problem.ts';

const day = 86_400_000;
const world = makeWorld({ seed: 'demo', now: Date.parse('2026-11-18T03:15:00Z') });
const codehost = demoCodehost(world);
const { now } = world;
const quarter = now - 90 * day;
const kinds: FactKind[] = ['pull_requests', 'commits', 'issues', 'deployments', 'releases'];
const wanted = (since: number, head: string | null = null) =>
  Object.fromEntries(kinds.map((kind) => [kind, { since, head }]));
const byNumber = (one: { number: number }, other: { number: number }) => one.number - other.number;

test.each(world.repositories.map((one) => [one.repository.repo, one] as const))(
  'changes of %s are the facts the other reads bring',
  async (_, { repository, state }) => {
    const changes = await codehost.changes(repository, wanted(quarter));
    const closed = (await codehost.pullRequests.closed(repository, quarter)).items;
    const changed = changes.pull_requests?.items ?? [];
    expect(changed.filter((one) => one.state !== 'open').sort(byNumber)).toEqual(closed.sort(byNumber));
    const history = await codehost.commits.history(repository, quarter, 9000);
    expect(changes.commits).toMatchObject({ items: history.items, head: history.head, reached: true });
    const { items, totalCount: total, newestAt } = await codehost.deployments.since(repository, quarter);
    expect(changes.deployments).toMatchObject({ total, newestAt, asOf: now });
    expect(changes.deployments?.items).toEqual(expect.arrayContaining(items));
    const releases = await codehost.releases.since(repository, quarter);
    expect(changes.releases).toMatchObject({ items: releases.items, total: releases.total });
    if (state.openIssues === null) expect(changes).not.toHaveProperty('issues');
    else {
      const openCount = (await codehost.issues.open(repository)).totalCount as number;
      const { allTime } = await codehost.issues.closed(repository, quarter);
      expect(changes.issues).toMatchObject({ openCount, total: openCount + (allTime as number) });
    }
  },
);

test('changes are those since then, of the wanted kinds', async () => {
  const site = { owner: 'Lumen-Harbor', repo: 'Tidewater-Web' };
  const since = now - 2 * day;
  const changes = await codehost.changes(site, wanted(since));
  for (const kind of ['pull_requests', 'commits', 'issues', 'deployments'] as const) {
    expect(changes[kind]?.items.length).toBeGreaterThan(0);
    expect(changes[kind]?.items.length).toBeLessThan(
      (await codehost.changes(site, wanted(quarter)))[kind]?.items.length ?? 0,
    );
  }
  expect(changes.commits?.items.every((one) => one.committedAt >= since)).toBe(true);
  const ended = changes.deployments?.items.map(({ createdAt, statuses }) =>
    Math.max(createdAt, statuses?.at(-1)?.at ?? 0),
  );
  expect(Math.min(...(ended ?? []))).toBeGreaterThanOrEqual(since);
  expect(await codehost.changes(site, {})).toEqual({});
  expect(Object.keys(await codehost.changes(site, { releases: { since, head: null } }))).toEqual(['releases']);
  await expect(codehost.changes({ owner: 'nobody', repo: 'x' }, wanted(since))).rejects.toBeInstanceOf(Problem);
});

test('titles come by number', async () => {
  const site = { owner: 'lumen-harbor', repo: 'tidewater-web' };
  const { items } = await codehost.pullRequests.lastClosed(site, 3);
  const titles = await codehost.pullRequests.titles(site, [...items.map(({ number }) => number), 999_999]);
  expect(titles).toEqual(new Map(items.map(({ number, title }) => [number, title])));
  await expect(codehost.pullRequests.titles({ owner: 'nobody', repo: 'x' }, [1])).rejects.toBeInstanceOf(Problem);
});
