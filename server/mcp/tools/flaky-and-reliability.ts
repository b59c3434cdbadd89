import { z } from 'zod';
import { identifier, repository } from '../../api/parameters.ts';
import { explanations } from '../../reports/kernel/explanations.ts';
import { getWorkflowReliability } from '../../reports/reliability/operations.ts';
import { paging } from '../input.ts';
import { levelShiftItem } from '../level-shift.ts';
import { measureListed } from '../measurement.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

export const flakyAndReliability = tool({
  name: 'flaky_and_reliability',
  title: 'Reliability',
  question: 'Which jobs of this workflow are flaky, and what do they cost us?',
  description:
    'Flaky rate and cost, re-run rate, recovery time and queue losses of a workflow, with its flaky jobs, flaky commits, recoveries and shifts of level.',
  input: z.object({ ...repository, workflow_id: identifier, ...paging }),
  operations: [getWorkflowReliability],
  questions: ({ owner, repo, workflow_id }) => [
    { operation: getWorkflowReliability, params: { owner, repo, workflow_id } },
  ],
  async run({ owner, repo, workflow_id }, reader) {
    const subject = { owner, repo, workflow_id };
    const part = await reader.read(getWorkflowReliability, subject);
    const page = repositoryPage({ owner, repo }, `/workflows/${workflow_id}`);
    const { flaky_jobs, flaky_commits, recoveries, level_shifts } = part.answer;
    return {
      subject,
      parts: [part],
      measurements: measureListed(part, sharedOf(reader, subject, page), (key) => explanations.has(key)),
      items: [
        ...flaky_jobs.map(({ job, step, ...rest }) => ({
          key: `job ${job} / ${step}`,
          value: { kind: 'flaky_job', job: untrusted(job), step: untrusted(step), ...rest },
        })),
        ...flaky_commits.map(({ head_branch, run, ...rest }) => ({
          key: `commit ${run.id} ${run.attempt}`,
          value: {
            kind: 'flaky_commit',
            branch: untrusted(head_branch),
            run_id: run.id,
            run_attempt: run.attempt,
            ...rest,
          },
        })),
        ...recoveries.map(({ failed, recovered, ...rest }) => ({
          key: `recovery ${failed.id} ${failed.attempt}`,
          value: { kind: 'recovery', failed_run_id: failed.id, recovered_run_id: recovered?.id ?? null, ...rest },
        })),
        ...level_shifts.map(levelShiftItem),
      ],
      page,
    };
  },
});
