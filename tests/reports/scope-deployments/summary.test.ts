import { describe, expect, test } from 'vitest';
import type { FactSet } from '../../../server/facts/facts.ts';
import type { Deployment } from '../../../server/metrics/kernel/delivery-facts.ts';
import type { Repository } from '../../../server/metrics/kernel/facts.ts';
import { dayMs } from '../../../server/metrics/kernel/window.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { type DeploymentSource, readDeployments } from '../../../server/reports/deployments/facts.ts';
import type { RepositoryDeployments, ScopeReading } from '../../../server/reports/scope-deployments/reading.ts';
import { summarize } from '../../../server/reports/scope-deployments/report.ts';
import { aDeployment } from '../../metrics/delivery-builders.ts';

const now = Date.UTC(2026, 2, 31, 12);
const calendar = createCalendar('UTC');
const daysAgo = (days: number) => now - days * dayMs;
const deployed = (days: number, state: 'success' | 'failure' = 'success') =>
  aDeployment(days * 100, daysAgo(days), [state, daysAgo(days) + 60_000]);
const unread = (days: number): Deployment => ({ ...deployed(days), statuses: null });

async function read(name: string, items: Deployment[], parts: object = {}): Promise<RepositoryDeployments> {
  const set = { items, partial: false, oldestAt: null, stale: false, asOf: now, total: items.length, newestAt: null };
  const source = {
    codehost: { deployments: { productionEnvironments: async () => [] } },
    repository: { createdAt: null },
    now,
    read: async () => ({ ...set, ...parts }) as unknown as FactSet<never>,
  } as unknown as DeploymentSource;
  const repository = { id: name.length, name, isPublic: true, defaultBranch: 'main', onPlatform: {} as Repository };
  return { repository, known: await readDeployments(source, calendar), isProductionKnown: true };
}

function summarizeOf(...repositories: RepositoryDeployments[]) {
  const scope = {
    repositories: new Map(repositories.map(({ repository }) => [repository.id, repository])),
    unsynced: [],
    visible: repositories.length,
    calendar,
  };
  return summarize({ scope, repositories, now } as unknown as ScopeReading, null);
}

describe('a repository of which statuses could not be read', () => {
  test('is partial, and so is its scope', async () => {
    const answer = summarizeOf(await read('octo/web', [deployed(3), unread(2)]), await read('octo/quiet', []));
    expect(answer).toMatchObject({ partial: true, totals: { deployments: 2, finished: null } });
    expect(answer.repositories.map(({ repo, partial }) => [repo, partial])).toEqual([
      ['octo/web', true],
      ['octo/quiet', false],
    ]);
    expect(answer.covered.repositories.at(-1)).toEqual({
      repo: 'octo/web',
      included: true,
      reason: 'sub_fetch_failed',
    });
  });

  test('is complete where they are of another environment, or of an earlier window', async () => {
    const elsewhere = { ...unread(2), environment: 'staging' };
    const answer = summarizeOf(await read('octo/web', [unread(40), elsewhere, deployed(3)]));
    expect(answer).toMatchObject({ partial: false, totals: { finished: 1 } });
  });
});

describe('a repository that stopped deploying', () => {
  test('is still compared with what it deployed before', async () => {
    const web = await read('octo/web', [deployed(32), deployed(31), deployed(2), deployed(1)]);
    const quiet = await read('octo/quiet', [deployed(35), deployed(34), deployed(33)]);
    const answer = summarizeOf(web, quiet);
    expect(answer.totals).toMatchObject({ deployments: 2, finished: 2 });
    expect(answer.totalsBefore).toMatchObject({ deployments: 5, finished: 5 });
    expect(answer.repositories.at(-1)).toMatchObject({ repo: 'octo/quiet', deployments: 0 });
  });

  test('still fails where it failed last', async () => {
    const { failing, repositories } = summarizeOf(await read('octo/web', [deployed(40), deployed(35, 'failure')]));
    expect(failing).toBe(1);
    expect(repositories[0]).toMatchObject({ failingSince: daysAgo(35) + 60_000, deployments: 0 });
  });

  test('leaves no comparison where no name shows its production', async () => {
    const unnamed = ['alpha', 'beta'].map((environment) => ({ ...deployed(35), environment }));
    const answer = summarizeOf(await read('octo/web', [deployed(1)]), await read('octo/quiet', unnamed));
    expect(answer).toMatchObject({ totals: { deployments: 1 }, totalsBefore: null, daysBefore: null });
  });
});

describe('days of a scope', () => {
  test('sum up to its totals, the first and the last in part', async () => {
    const web = await read('octo/web', [deployed(29), deployed(2, 'failure'), deployed(2), deployed(0)]);
    const elsewhere = { ...deployed(2), environment: 'staging' };
    const { days, totals } = summarizeOf(web, await read('octo/quiet', [deployed(2), elsewhere]));
    expect(days).toHaveLength(31);
    expect(days.reduce((sum, { deployments }) => sum + (deployments ?? 0), 0)).toBe(totals.deployments);
    expect(days.at(-3)).toEqual({ date: '2026-03-29', deployments: 3, success: 2, failed: 1, partial: false });
    expect(days.map(({ partial }) => partial)).toEqual([true, ...Array<boolean>(29).fill(false), true]);
  });

  test('of the 30 days before sum up to their totals, each 30 days before one of the window', async () => {
    const web = await read('octo/web', [deployed(59), deployed(32), deployed(31, 'failure'), deployed(2)]);
    const { days, daysBefore, totalsBefore } = summarizeOf(web, await read('octo/quiet', [deployed(32)]));
    expect(daysBefore?.reduce((sum, { deployments }) => sum + (deployments ?? 0), 0)).toBe(totalsBefore?.deployments);
    const dates = (daysBefore ?? []).map(({ date }) => Date.parse(date) + 30 * dayMs);
    expect(dates).toEqual(days.map(({ date }) => Date.parse(date)));
    expect(daysBefore?.at(-3)).toMatchObject({ date: '2026-02-27', deployments: 2 });
  });

  test('are unknown where one repository was not read, and no outcome is where statuses were not', async () => {
    const cut = await read('octo/short', [deployed(9)], { partial: true, oldestAt: daysAgo(10) });
    const { days } = summarizeOf(cut, await read('octo/web', [deployed(20), unread(2), deployed(1)]));
    const isKnown = days.map(({ deployments }) => deployments !== null);
    expect(isKnown).toEqual([...Array<boolean>(20).fill(false), ...Array<boolean>(11).fill(true)]);
    expect(days.slice(-3)).toMatchObject([
      { deployments: 1, success: null, failed: null },
      { deployments: 1, success: 1, failed: 0 },
      { deployments: 0, success: 0, failed: 0 },
    ]);
  });

  test('are none where no repository is counted', () => {
    expect(summarizeOf().days).toEqual([]);
  });
});

test('a frequency is of the days that were read of each repository', async () => {
  const cut = await read('octo/web', [deployed(9), deployed(2), deployed(1)], { partial: true, oldestAt: daysAgo(10) });
  const whole = await read('octo/whole', [deployed(3), deployed(2), deployed(1)]);
  const { repositories, totals } = summarizeOf(cut, whole);
  expect(cut.known?.figures.production?.deploysPerDay).toBe(0.3);
  expect(repositories.map(({ repo, deploysPerDay }) => [repo, deploysPerDay])).toEqual([
    ['octo/web', 0.3],
    ['octo/whole', 0.1],
  ]);
  expect(totals.deploysPerDay).toBe(0.4);
});
