import type { WorldRepository } from '../../server/demo/world.ts';
import { sampleDelivery } from './sample-delivery.ts';
import type { DoubleRepository, DoubleWorld } from './world.ts';
import { addRepository } from './world-changes.ts';

/** Puts a generated repository, with all its history, into the double's world under a name of its own. */
export function addSample(world: DoubleWorld, name: string, sample: WorldRepository): DoubleRepository {
  const { description, language, stars, archived, fork, defaultBranch, updatedAt, pushedAt } = sample.repository;
  return addRepository(world, {
    name,
    facts: { description, language, stars, archived, fork, defaultBranch, updatedAt, pushedAt },
    empty: sample.state.defaultBranch === null,
    issuesEnabled: sample.state.openIssues !== null,
    ...sampleDelivery(sample),
    headStatus: sample.state.headStatus,
    workflowFiles: sample.workflows.flatMap(({ path }) => (path.startsWith('.github/') ? [path.slice(18)] : [])),
    workflows: sample.workflows,
    runs: new Map(sample.runs.map((run) => [run.id, sample.attempts(run.id)])),
    jobsOf: (run) => sample.jobs(run.id, run.attempt),
  });
}
