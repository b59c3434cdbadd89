import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anomalySnapshot } from '../../server/ai/snapshot-anomaly.ts';
import { digestSnapshot } from '../../server/ai/snapshot-digest.ts';
import { organizationSnapshot } from '../../server/ai/snapshot-organization.ts';
import type { WorkflowReading } from '../../server/ai/snapshot-reading.ts';
import { repositorySnapshot } from '../../server/ai/snapshot-repository.ts';
import { rootCauseSnapshot } from '../../server/ai/snapshot-root-cause.ts';
import * as worlds from './snapshot-worlds.ts';

/** Every key that may leave, by hand from the contract of the service, section 5.4. */
const reported = {
  repository: [
    'surface',
    'scope',
    'period_days',
    'partial',
    'dora',
    'dora.deployments_per_day',
    'dora.lead_time_p50_hours',
    'dora.change_failure_rate_pct',
    'dora.mttr_mean_hours',
    'dora.benchmark',
    'dora.source',
    'ci',
    'ci.total_runs',
    'ci.success_rate_pct',
    'ci.success_rate_prev_period_pct',
    'ci.runs_last_30d',
    'ci.failures_last_30d',
    'bus_factor',
    'bus_factor.overall',
    'bus_factor.critical_modules',
    'bus_factor.total_contributors',
    'recent_workflow_changes',
    'recent_workflow_changes[].date',
  ],
  organization: [
    'surface',
    'scope',
    'partial',
    'risk_bands',
    'risk_bands.healthy',
    'risk_bands.watch',
    'risk_bands.at_risk',
    'risk_bands.median_score',
    'worst_repos',
    'worst_repos[].repo',
    'worst_repos[].score',
    'worst_repos[].band',
    'worst_repos[].dora_level',
    'bus_factor',
    'bus_factor.repos_at_one',
    'bus_factor.repos_at_two',
    'bus_factor.repos_at_three_or_more',
    'bus_factor.critical_modules',
  ],
  anomaly: [
    'workflow_name',
    'repo',
    'metric',
    'baseline',
    'baseline.mean_ms',
    'baseline.stddev_ms',
    'baseline.sample_size',
    'outliers',
    'outliers[].run_number',
    'outliers[].date',
    'outliers[].value_ms',
    'outliers[].z_score',
    'outliers[].trigger',
    'concurrent_signals',
    'concurrent_signals.workflow_file_changes',
    'concurrent_signals.trigger_mix',
    'concurrent_signals.trigger_mix[].trigger',
    'concurrent_signals.trigger_mix[].runs',
    'total_runs_analysed',
  ],
  rootCause: [
    'workflow_name',
    'repo',
    'window_runs',
    'failure_count',
    'failure_rate_pct',
    'first_failure_at',
    'prior_success_streak',
    'failures',
    'failures[].run_number',
    'failures[].date',
    'failures[].trigger',
    'failures[].branch_type',
    'failures[].failed_jobs',
    'failures[].failed_jobs[].job_name',
    'failures[].failed_jobs[].failed_step_names',
    'failures[].failed_jobs[].duration_ms',
    'step_failure_frequency',
    'step_failure_frequency[].step_name',
    'step_failure_frequency[].failures',
    'failure_clustering',
    'failure_clustering.streaks',
    'failure_clustering.longest_streak',
    'failure_clustering.current_streak',
    'workflow_file_changes',
    'duration_shift',
    'partial',
    'duration_shift.before_failures_p50_ms',
    'duration_shift.during_failures_p50_ms',
  ],
  digest: [
    'org',
    'iso_week',
    'narrative',
    'repos',
    'repos[].repo',
    'repos[].dora_level',
    'repos[].bus_factor',
    'repos[].critical_modules',
    'repos[].score',
    'repos[].band',
    'repos[].trend',
    'repos[].partial',
  ],
};

/** Every key of a snapshot with where it stands, and every text in it. */
function walk(value: unknown, at = ''): { keys: string[]; texts: [at: string, text: string][] } {
  if (typeof value === 'string') return { keys: [], texts: [[at, value]] };
  if (typeof value !== 'object' || value === null) return { keys: [], texts: [] };
  const parts = Array.isArray(value)
    ? value.map((item) => walk(item, `${at}[]`))
    : Object.entries(value).map(([key, item]) => {
        const path = at === '' ? key : `${at}.${key}`;
        const inside = walk(item, path);
        return { keys: [path, ...inside.keys], texts: inside.texts };
      });
  return { keys: parts.flatMap(({ keys }) => keys), texts: parts.flatMap(({ texts }) => texts) };
}

/** What no text of a snapshot looks like, spelled apart from what cleans them. */
const forbidden = {
  link: /[a-z]:\/\/|\bwww\.\S|mailto:|\w\.example\//i,
  address: /\S@\S+\.[a-z]{2,}/i,
  commit: /\b[0-9a-f]{40}\b|\b4f1d0760a\b/i,
  branch: /refs\/heads/,
  token: /ghp_a|AKIAQ|xoxb-1|eyJa|BEGIN RSA|aB3/,
  host: /example\.com|corp\.example|10\.1\.2\.3|2001:db8|prod\.corp/i,
  break: /[\p{Cc}\u2028\u2029\u200b\u202e]/u,
  tag: /<\/?[a-z]/i,
  words: /Secret (title|message)|Ann Lee/,
};

/** Branches that a reading knows: those of its runs, and the default branch though none ran there. */
const branchesIn = ({ runs, repository }: WorkflowReading) => [...runs, { headBranch: repository.defaultBranch }];

function expectReported(
  snapshot: object,
  allowed: readonly string[],
  runs: readonly { headBranch: string | null }[] = [],
) {
  const branches = runs.map(({ headBranch }) => headBranch).filter((name) => name !== null && name !== 'trunk');
  const { keys, texts } = walk(snapshot);
  expect(keys.filter((key) => !allowed.includes(key))).toEqual([]);
  for (const [at, text] of texts) {
    for (const [kind, pattern] of Object.entries(forbidden))
      if (pattern.test(text)) throw new Error(`${at} tells a ${kind}: ${JSON.stringify(text)}`);
    expect(
      branches.filter((name) => worlds.slugOf(text).includes(worlds.slugOf(name ?? ''))),
      at,
    ).toEqual([]);
    expect(Array.from(text).length, at).toBeLessThanOrEqual(80);
  }
}

const inWorlds = <T>(arbitrary: fc.Arbitrary<T>, check: (given: T) => void) =>
  fc.assert(fc.property(arbitrary, check), { numRuns: 200 });

describe('nothing leaves but what the contract lists, whatever the world is called', () => {
  test('the walk finds what is planted', () => {
    expect(() => expectReported({ repo: 'x', url: 'y' }, reported.anomaly)).toThrow(/url/);
    for (const planted of [
      'https://a.example',
      'a@b.example',
      worlds.sha,
      'refs/heads/x',
      'a\nb',
      '<b>',
      'www.x',
      'aB3',
      'DB7.PROD.CORP',
    ])
      expect(() => expectReported({ repo: planted }, reported.anomaly), planted).toThrow(/tells a/);
    expect(() => expectReported({ outliers: [{ trigger: 'x'.repeat(81) }] }, reported.anomaly)).toThrow();
    const runs = [{ headBranch: 'feature/x' }];
    for (const spelled of ['feature/x', 'FEATURE/X', 'feature-x'])
      expect(() => expectReported({ repo: `of ${spelled}` }, reported.anomaly, runs)).toThrow();
    expect(() => expectReported({ repo: 'of feature/y' }, reported.anomaly, runs)).not.toThrow();
  });

  test('of unusual runs', () => {
    let outliers = 0;
    inWorlds(worlds.workflowReadings, (reading) => {
      for (const metric of ['duration', 'queue_wait'] as const) {
        const snapshot = anomalySnapshot(reading, metric);
        expectReported(snapshot, reported.anomaly, branchesIn(reading));
        expect(snapshot.outliers.length).toBeLessThanOrEqual(5);
        expect('workflow_file_changes' in snapshot.concurrent_signals).toBe(reading.fileChanges !== undefined);
        outliers += snapshot.outliers.length;
      }
    });
    expect(outliers, 'worlds without outliers prove nothing').toBeGreaterThan(20);
  });

  test('of failed runs', () => {
    inWorlds(fc.tuple(worlds.workflowReadings, worlds.jobsOfRuns), ([reading, jobs]) => {
      const snapshot = rootCauseSnapshot(reading, worlds.withJobs(reading.runs, jobs));
      expectReported(snapshot, reported.rootCause, branchesIn(reading));
      expect(snapshot.failures.length).toBe(Math.min(10, snapshot.failure_count));
      expect(snapshot.partial).toBe(snapshot.failures.some((one) => one.failed_jobs === null));
      const showsJobs = reading.granted.includes('performanceTab');
      for (const one of snapshot.failures) expect('failed_jobs' in one).toBe(showsJobs);
      expect('step_failure_frequency' in snapshot).toBe(showsJobs);
      expect('failure_clustering' in snapshot).toBe(reading.granted.includes('reliabilityTab'));
      expect('workflow_file_changes' in snapshot).toBe(reading.fileChanges !== undefined);
    });
  });

  test('of a repository', () => {
    inWorlds(fc.tuple(fc.nat(5000), worlds.names, fc.boolean()), ([seed, name, isPartial]) => {
      const reading = worlds.repositoryReading(seed, name, isPartial);
      const snapshot = repositorySnapshot(reading);
      expectReported(snapshot, reported.repository);
      expect(snapshot.partial).toBe(isPartial);
    });
  });

  test('of an organization and its week', () => {
    inWorlds(fc.tuple(worlds.rows, fc.array(worlds.names), fc.boolean()), ([rows, narrative, partial]) => {
      const bands = { atRisk: 1, watch: 2, healthy: 3, insufficientData: 4 };
      const snapshot = organizationSnapshot({ org: 'octo', repos: rows, bands, medianScore: null, partial });
      expectReported(snapshot, reported.organization);
      const digest = digestSnapshot({ org: 'octo', week: '2026-W23', rows, narrative: narrative.slice(0, 8) });
      const { narrative: lines, ...rest } = digest;
      expectReported({ ...rest, narrative: [] }, reported.digest);
      // A sentence of ours is as long as it was written.
      for (const line of lines) {
        for (const pattern of Object.values(forbidden)) expect(line).not.toMatch(pattern);
      }
    });
  });
});
