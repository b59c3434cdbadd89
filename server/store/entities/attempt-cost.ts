import { defineEntity, p } from '@mikro-orm/core';
import { Repository } from './repository.ts';
import { instant } from './types.ts';

/**
 * What the jobs of a run attempt took, summed while all of them were stored: a part for each kind of runner and UTC day
 * of their start, and one without labels for an attempt without jobs. A re-run has a part for each job with its end, which
 * tells whether it was run in it once the start of the re-run is known. Outlives the jobs.
 */
export const AttemptCost = defineEntity({
  name: 'AttemptCost',
  tableName: 'attempt_costs',
  properties: {
    runId: p.bigint('number').primary(),
    runAttempt: p.integer().primary(),
    part: p.smallint().primary(),
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade'),
    labels: p.json<string[]>().strictNullable(),
    runnerGroup: p.text().strictNullable(),
    startedAt: instant().strictNullable(),
    jobs: p.integer(),
    untimed: p.integer(),
    idle: p.integer(),
    minutes: p.integer(),
    /** Whether a runner took a job of the attempt, or of a re-run this job. */
    hasBegun: p.boolean(),
    endedAt: instant().strictNullable(),
    /** Of the job of a re-run; null elsewhere. */
    completedAt: instant().strictNullable(),
    storedAt: instant(),
  },
  indexes: [
    { name: 'attempt_costs_by_age', properties: ['storedAt'], type: 'brin' },
    { name: 'attempt_costs_by_repo', properties: ['repoId'] },
  ],
});
