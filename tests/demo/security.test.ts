import { expect, test } from 'vitest';
import { demoCodehost } from '../../server/demo/client.ts';
import { makeWorld } from '../../server/demo/world.ts';
import { alertSources } from '../../server/metrics/security/security-alerts.ts';

const world = makeWorld({ seed: 'demo', now: Date.parse('2026-11-18T03:15:00Z') });
const codehost = demoCodehost(world);
const named = (repo: string) => ({ owner: 'Lumen-Harbor', repo });
const day = 86_400_000;
const since = world.now - 90 * day;

test('every state of a source of alerts can be seen', async () => {
  const reads = await Promise.all(
    world.repositories.map(({ repository }) => codehost.securityAlerts(named(repository.repo), since)),
  );
  const all = reads.flatMap((read) => Object.values(read));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['ok', 'not_enabled', 'forbidden', 'error']));
  for (const { status, message, open, ended } of all) {
    expect([message === null, ended !== null]).toEqual([status === 'ok', status === 'ok']);
    if (status !== 'ok') expect(open).toEqual([]);
  }
});

test('alerts are of their source, numbered without a repetition, and ended in the window', async () => {
  const read = await codehost.securityAlerts(named('tidewater-web'), since);
  for (const source of alertSources) {
    const { open, ended } = read[source];
    const alerts = [...open, ...(ended ?? [])];
    expect(new Set(alerts.map(({ number }) => number)).size).toBe(alerts.length);
    for (const alert of alerts) expect([alert.source, alert.createdAt < world.now]).toEqual([source, true]);
    for (const { endedAt, createdAt } of ended ?? []) expect((endedAt ?? 0) >= Math.max(since, createdAt)).toBe(true);
  }
  await expect(codehost.securityAlerts(named('nowhere'), since)).rejects.toMatchObject({ code: 'not_found' });
});

test('workflow changes are those of the history, newest first, one file tried and taken away', async () => {
  const { items, totalCount, partial } = await codehost.workflowChanges(named('tidewater-web'), 100);
  const commits = world.repositories[0]?.commits.map(({ sha }) => sha) ?? [];
  expect(items.length).toBeGreaterThan(8);
  expect([totalCount, partial]).toEqual([expect.any(Number), false]);
  expect(items.map(({ sha }) => commits.indexOf(sha))).toEqual(
    items.map(({ sha }) => commits.indexOf(sha)).toSorted((a, b) => a - b),
  );
  const preview = items.flatMap(({ files }) => files ?? []).filter(({ path }) => path.endsWith('preview.yml'));
  expect(preview.map(({ change }) => change)).toEqual(['removed', 'added']);
  expect((await codehost.workflowChanges(named('tidewater-web'), 3)).items).toHaveLength(3);
  expect((await codehost.workflowChanges(named('new-pier'), 30)).items).toEqual([]);
});
