import { z } from 'zod';
import type { Domain } from '../../api/wire.ts';
import type { MeasuredRun } from '../../metrics/runs/workflow-runs.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { Measurement } from '../workflows/health.ts';

const ms = z.int();

export const RunRef = z.object({ id: z.int(), number: z.int(), attempt: z.int(), url: z.string() });

export const runRef = ({ id, runNumber, attempt, htmlUrl }: MeasuredRun): Domain<typeof RunRef> => ({
  id,
  number: runNumber,
  attempt,
  url: htmlUrl,
});

const TipItem = z
  .object({
    key: z.string(),
    level: z.enum(['critical', 'warning', 'info']),
    sentence: z.string(),
    value: z.number().nullable(),
    unit: z.string(),
    threshold: z.number().meta({ description: 'In the same unit as the value.' }),
    comparison: z
      .enum(['from', 'above', 'below'])
      .meta({ description: 'Shown from the threshold on, or only above or below it.' }),
    sample: z.int(),
    source: z.string(),
  })
  .meta({ id: 'TipItem' });

const RecoveryItem = z
  .object({
    failed: RunRef,
    failed_at: instant.meta({ description: 'The end of the first failure.' }),
    failures: z.int().meta({ description: 'Failed attempts in it.' }),
    recovered: RunRef.nullable(),
    recovered_at: instant.nullable().meta({ description: 'null while nothing has passed since.' }),
    duration_ms: ms.nullable(),
    may_be_longer: z.boolean().meta({ description: 'It began with the oldest run that was read.' }),
  })
  .meta({ id: 'RecoveryItem' });

const FlakyCommitItem = z
  .object({
    head_sha: z.string(),
    head_branch: z.string().nullable(),
    failed_attempts: z.int(),
    lost_ms: ms.meta({ description: 'Duration of the failed attempts.' }),
    run: RunRef.meta({ description: 'The attempt that passed in the end.' }),
    at: instant.meta({ description: 'When its first attempt began.' }),
  })
  .meta({ id: 'FlakyCommitItem' });

const FlakyJobItem = z
  .object({
    job: z.string(),
    step: z.string().nullable().meta({ description: 'The first failed step, where it is known.' }),
    commits: z.int(),
    failures: z.int(),
    lost_ms: ms,
  })
  .meta({ id: 'FlakyJobItem' });

const WaitBinItem = z
  .object({ below_ms: ms.nullable().meta({ description: 'null: ten minutes and more.' }), runs: z.int() })
  .meta({ id: 'WaitBinItem' });

const BranchWaitItem = z
  .object({ branch: z.string().nullable(), runs: z.int(), wait_ms: ms, delayed: z.int() })
  .meta({ id: 'BranchWaitItem' });

const findingFields = { metric: z.enum(['duration', 'queue_wait']), direction: z.enum(['high', 'low']) };

const AnomalyItem = z
  .object({
    run: RunRef,
    at: instant,
    ...findingFields,
    severity: z.enum(['moderate', 'high', 'extreme']),
    score: z.number(),
    value_ms: ms,
    expected_ms: ms.meta({ description: 'Median of the runs it is held against.' }),
    limit_ms: ms.nullable().meta({ description: 'From where on a value is unusual.' }),
    sample: z.int().meta({ description: 'Earlier runs it is held against.' }),
    event: z.string(),
    head_branch: z.string().nullable(),
  })
  .meta({ id: 'AnomalyItem' });

const series = z.enum(['default_branch_push', 'pull_request', 'schedule', 'other', 'mixed']);

const LevelShiftItem = z
  .object({
    since: RunRef,
    at: instant,
    ...findingFields,
    series,
    from_ms: ms,
    to_ms: ms,
    change_pct: z.number().nullable(),
    change_low_pct: z.number().nullable().meta({ description: 'Ends of the 95 % interval of the change.' }),
    change_high_pct: z.number().nullable(),
    runs_before: z.int(),
    runs_after: z.int(),
  })
  .meta({ id: 'LevelShiftItem' });

const BaselineItem = z
  .object({
    metric: findingFields.metric,
    series,
    runs: z.int().meta({ description: 'Runs of this kind that passed or failed.' }),
    median_ms: ms,
    spread_ms: ms.meta({ description: 'One robust standard deviation above the median.' }),
    low_ms: ms.nullable().meta({ description: 'At or below it a passed run is unusual; null for queue waits.' }),
    high_ms: ms.meta({ description: 'From here on a run is unusual.' }),
    sample: z.int().meta({ description: 'The newest usual runs behind it, eight to thirty.' }),
  })
  .meta({ id: 'BaselineItem' });

const tally = {
  runs: z.int(),
  passed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  other: z.int(),
  running: z.int(),
};

/** The tables of the answer that can be had as CSV, by the name of their field. */
export const reliabilityTables = [
  'anomalies',
  'level_shifts',
  'baselines',
  'recoveries',
  'flaky_commits',
  'flaky_jobs',
  'queue_histogram',
  'queue_branches',
  'tips',
  'events',
  'branches',
  'actors',
] as const;
export type ReliabilityTable = (typeof reliabilityTables)[number];

const grid = (description: string) => z.array(z.array(z.int().nullable())).meta({ description });

export const WorkflowReliabilityReport = z
  .object({
    table: z.enum(reliabilityTables).meta({ description: 'The table that CSV gives.' }),
    runs_read: z.int(),
    running: z.int().meta({ description: 'Of these, not ended yet.' }),
    default_branch: z.string().nullable(),
    timezone: z.string().meta({ description: 'The zone of hours and weekdays.' }),
    workday: z.object({ start: z.int(), end: z.int() }),
    earlier_attempts: z.int().meta({ description: 'Superseded attempts that are known.' }),
    earlier_attempts_unknown: z.int().meta({
      description:
        'Superseded attempts that are not stored: what they would show of flakiness and recovery is missing.',
    }),
    attempts_with_jobs: z.int().meta({ description: 'Attempts of flaky commits whose jobs are stored.' }),
    attempts_without_jobs: z.int(),
    measurements: z.array(Measurement),
    tips: z.array(TipItem).meta({ description: 'The most pressing first.' }),
    recoveries: z.array(RecoveryItem).meta({ description: 'Failing periods of the default branch, newest first.' }),
    flaky_since: instant.meta({
      description: 'Commits count from here on: of 30 days, or since the oldest run where not all were read.',
    }),
    flaky_commits: z.array(FlakyCommitItem).meta({ description: 'Newest first.' }),
    flaky_jobs: z.array(FlakyJobItem).meta({ description: 'What failed most often first.' }),
    queue_histogram: z.array(WaitBinItem),
    queue_branches: z.array(BranchWaitItem).meta({ description: 'The ten that waited longest in sum.' }),
    queue_hours: grid('Minutes waited, weekdays from Sunday by hours; null where no wait is known.'),
    anomalies: z.array(AnomalyItem).meta({ description: 'Newest first.' }),
    level_shifts: z.array(LevelShiftItem).meta({ description: 'Changes of level that lasted, newest first.' }),
    baselines: z.array(BaselineItem).meta({
      description: 'What the next run of each kind is held against; none for kinds with fewer than eight usual runs.',
    }),
    events: z.array(z.object({ event: z.string(), ...tally })),
    branches: z.array(z.object({ branch: z.string().nullable(), ...tally })),
    actors: z
      .array(z.object({ login: z.string().nullable(), is_bot: z.boolean(), runs: z.int() }))
      .meta({ description: 'Runs by name, bots last; null for deleted accounts. Excludes scheduled runs.' }),
    scheduled: z.int(),
    run_hours: grid('Runs created, weekdays from Sunday by hours.'),
    partial: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'WorkflowReliabilityReport' });
