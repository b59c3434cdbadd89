import { aWorkflow } from '../../codehost-double/builders.ts';
import { aJob } from '../../metrics/worlds.ts';
import type { Service } from '../../support/service.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A private repository with one workflow; `run` puts an attempt with jobs that last so many minutes. */
export function costlyRepository(
  { double, clock }: Pick<Service, 'double'> & { clock: { now(): number } },
  facts: object = { private: true, visibility: 'private' },
) {
  const workflows = [aWorkflow('octo', 'costly', { id: 9001, createdAt: clock.now() })];
  double.addRepository({ name: 'octo/costly', facts: { id: 90_777, ...facts }, members: ['ann'], workflows });
  return (id: number, parts: object, ...jobs: { minutes: number; label?: string; parts?: object }[]) => {
    const run = { id, createdAt: clock.now() - 5 * hour, attempt: 1, workflowId: 9001, ...parts };
    const startedAt = 'startedAt' in run ? (run.startedAt as number) : run.createdAt;
    double.putRun('octo/costly', { updatedAt: startedAt + 10 * minute, ...run });
    const made = jobs.map(({ minutes, label = 'ubuntu-24.04', parts: rest }, index) =>
      aJob({
        id: id * 100 + run.attempt * 10 + index,
        runId: id,
        attempt: run.attempt,
        labels: [label],
        createdAt: startedAt,
        startedAt,
        completedAt: startedAt + minutes * minute,
        ...rest,
      }),
    );
    double.putJobs('octo/costly', id, run.attempt, made);
  };
}
