import { describe, expect, test } from 'vitest';
import { aCommit, anActor } from '../codehost-double/delivery-builders.ts';
import { freshService } from './endpoints.ts';

const visit = freshService();
const hour = 3_600_000;
const day = 24 * hour;
const now = () => visit.service.clock.now();
const about = async (path: string) =>
  (await visit.service.ask('GET', `/api/codehost/${path}`, { as: 'token-ann' })).body;
const of = (operation: string, repo = 'secret') => about(`${operation}?owner=octo&repo=${repo}`);

describe('an estimate of delivery', () => {
  test('of a team that merges much and mends nothing has no time to restore and no tier for it', async () => {
    visit.service.double.addPullRequests('octo/secret', 30, { from: now() - 80 * day, to: now() - day });
    const { mttr, overall_level, lead_time } = await of('repo-dora');
    expect(mttr).toMatchObject({ mean_ms: null, median_ms: null, recoveries: 0, level: null });
    expect([lead_time.sample_size, overall_level]).toEqual([30, expect.any(String)]);
  });

  test('two releases an hour apart long ago are no pace', async () => {
    const { double } = visit.service;
    double.putRelease('octo/secret', { id: 1, tag: 'v1', createdAt: now() - 300 * day });
    double.putRelease('octo/secret', { id: 2, tag: 'v2', createdAt: now() - 300 * day + hour });
    const { deployment_frequency, releases_analysed } = await of('repo-dora');
    expect(deployment_frequency).toMatchObject({ total: 0, per_day: 0, period_days: 90 });
    expect([releases_analysed, deployment_frequency.level]).not.toContain('elite');
  });

  test('all pull requests of the 90 days count, each from its first commit', async () => {
    visit.service.double.addPullRequests('octo/secret', 150, { from: now() - 89 * day, to: now() - day });
    const { lead_time, prs_analysed, partial } = await of('repo-dora');
    expect({ ...lead_time, prs_analysed, partial }).toMatchObject({
      sample_size: 150,
      median_ms: 2 * hour,
      p95_ms: 2 * hour,
      low_sample: false,
      prs_analysed: 150,
      partial: false,
    });
  });

  test('a steady pace is drawn steady: no take-off in the last weeks', async () => {
    visit.service.double.addPullRequests('octo/secret', 13 * 7 * 3, { from: now() - 91 * day, to: now() - hour });
    const { throughput_by_week } = await of('repo-dora');
    const complete = throughput_by_week.filter((week: { partial: boolean }) => !week.partial);
    expect(complete).toHaveLength(12);
    for (const { count } of complete.slice(1)) expect(count).toBeGreaterThanOrEqual(19);
    for (const { count } of complete) expect(count).toBeLessThanOrEqual(23);
  });

  test('runs of a workflow are no deployments: its health says nothing of delivery', async () => {
    const { measurements } = await about('workflow-health?owner=octo&repo=web&workflow_id=7001');
    expect(measurements.map(({ key }: { key: string }) => key)).toEqual([
      'success_rate',
      'workflow_median_duration',
      'workflow_p90_duration',
      'average_duration',
      'p95_duration',
      'queue_wait',
      'p90_queue_wait',
      'average_queue_wait',
      'failure_streak',
    ]);
  });

  test('tiers of lead time agree with the limits that are printed', async () => {
    const levels: Record<number, string> = {
      23: 'elite',
      25: 'high',
      167: 'high',
      169: 'medium',
      719: 'medium',
      721: 'low',
    };
    for (const [index, [hours, level]] of Object.entries(levels).entries()) {
      const name = `octo/pace-${index}`;
      visit.service.double.addRepository({ name, facts: { id: 71_000 + index } });
      for (let number = 1; number <= 12; number++) {
        const mergedAt = now() - number * day;
        const createdAt = mergedAt - Number(hours) * hour + 60_000;
        const commits = [aCommit(mergedAt - Number(hours) * hour, anActor('ana'), `Part ${number}`)];
        visit.service.double.putPullRequest(name, { number, createdAt, mergedAt, commits });
      }
      expect([hours, (await of('repo-dora', `pace-${index}`)).lead_time.level]).toEqual([hours, level]);
    }
  });
});

describe('a scorecard', () => {
  const rowOf = async (repo: string) => {
    for (let tries = 0; tries < 200; tries++) {
      const { repos, computing } = await about('org-health-scorecard?org=octo&limit=20');
      if (!computing) return repos.find((row: { repo: string }) => row.repo === repo);
      await new Promise((next) => setTimeout(next, 50));
    }
  };

  test('calls a steady busy repository neither up nor down, whatever weekday it is', async () => {
    visit.service.double.addPullRequests('octo/secret', 13 * 7 * 3, { from: now() - 91 * day, to: now() - hour });
    for (const _ of [0, 1, 2]) {
      expect((await rowOf('secret')).trend).toBe('flat');
      visit.service.clock.advance(day);
      visit.service.double.addPullRequests('octo/secret', 3, {
        from: now() - day,
        to: now() - hour,
        first: 30_000 + (now() % 1e6),
      });
    }
  });

  test('shows what a small team is held down by: the parts and the reasons', async () => {
    const { double } = visit.service;
    double.addPullRequests('octo/secret', 60, { from: now() - 60 * day, to: now() - hour });
    double.addDeployments('octo/secret', 60, { from: now() - 29 * day, to: now() - hour });
    double.addCommits('octo/secret', 40, { from: now() - 60 * day, to: now() - hour });
    const row = await rowOf('secret');
    expect(row).toMatchObject({ overall_bus_factor: 1, bus_factor_score: 25, delivery_source: 'deployments' });
    expect(row.reasons).toContain('bus_factor_1');
    expect(row.composite_score).toBe(Math.round(0.6 * row.tier_score + 0.4 * 25));
  });
});

describe('an organization', () => {
  test('a repository that only skips has no rate, which pulls no mean to zero', async () => {
    const { double } = visit.service;
    for (let id = 1; id <= 5; id++)
      double.putRun('octo/secret', { id: 88_000 + id, createdAt: now() - id * hour, conclusion: 'skipped' });
    const { repos, aggregate } = await about('org-overview?org=octo');
    const rates = repos.map(({ summary }: { summary: { success_rate: number | null } }) => summary.success_rate);
    const known = rates.filter((rate: number | null) => rate !== null);
    const secret = repos.find(({ repo }: { repo: { name: string } }) => repo.name === 'secret');
    expect([secret.summary.success_rate, secret.runs_30d]).toEqual([null, 5]);
    expect(aggregate.avg_success_rate).toBe(
      Math.round(known.reduce((sum: number, one: number) => sum + one, 0) / known.length),
    );
  });
});
