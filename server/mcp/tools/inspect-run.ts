import { z } from 'zod';
import { bounded, identifier, repository } from '../../api/parameters.ts';
import { conclusions } from '../../metrics/kernel/facts.ts';
import { getStoredRuns } from '../../reports/history/operations.ts';
import { getRunDetails } from '../../reports/runs/operations.ts';
import { paging } from '../input.ts';
import { repositoryPage } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

/** As many as the operation answers at once. */
const maxRuns = 500;

export const inspectRun = tool({
  name: 'inspect_run',
  title: 'Runs',
  question: 'Which step of run 4711 failed?',
  description:
    'The newest stored runs of a repository, by conclusion where it is given or, with run_id, the jobs and steps of the latest attempt of one run.',
  input: z.object({
    ...repository,
    run_id: identifier.optional(),
    conclusion: z.enum(conclusions).optional(),
    offset: bounded(0, 100_000, 0).meta({ description: 'Of a list: how many of the newest runs to skip.' }),
    ...paging,
  }),
  operations: [getStoredRuns, getRunDetails],
  needs: 'Stored runs and trends, for lists',
  questions: ({ owner, repo, run_id, conclusion }) =>
    run_id === undefined
      ? [{ operation: getStoredRuns, params: { owner, repo, conclusion } }]
      : [{ operation: getRunDetails, params: { owner, repo, run_id } }],
  async run({ owner, repo, run_id, conclusion, offset }, reader) {
    const page = repositoryPage({ owner, repo });
    if (run_id !== undefined) {
      const jobs = await reader.read(getRunDetails, { owner, repo, run_id });
      return {
        subject: { owner, repo, run_id },
        parts: [jobs],
        measurements: [],
        items: jobs.answer.map(jobItem),
        page,
      };
    }
    const stored = await reader.read(getStoredRuns, { owner, repo, conclusion, limit: maxRuns, offset });
    const { runs, total } = stored.answer;
    const end = offset + runs.length;
    if (total > end && runs.length > 0)
      reader.notes.push({
        code: 'more_runs',
        text: `These pages end at run ${end} of ${total}: offset ${end} lists the next ones.`,
      });
    return {
      subject: { owner, repo },
      parts: [stored],
      measurements: [],
      items: runs.map((run) => ({
        key: String(run.id),
        get value() {
          return runValue(run);
        },
      })),
      total,
      page,
    };
  },
});

type Job = z.output<typeof getRunDetails.output>[number];
type Run = z.output<typeof getStoredRuns.output>['runs'][number];

const jobItem = ({
  id,
  name,
  status,
  conclusion,
  started_at,
  completed_at,
  duration_ms,
  queue_wait_ms,
  ...job
}: Job) => ({
  key: String(id),
  value: {
    job_id: id,
    job: untrusted(name),
    status,
    conclusion,
    started_at,
    completed_at,
    duration_ms,
    queue_wait_ms,
    run_attempt: job.run_attempt,
    runner_group: untrusted(job.runner_group_name),
    labels: job.labels.map(untrusted),
    steps: (job.steps ?? []).map((step) => ({
      number: step.number,
      step: untrusted(step.name),
      conclusion: step.conclusion,
      duration_ms: step.duration_ms,
    })),
  },
});

const runValue = (run: Run) => ({
  run_id: run.id,
  workflow_id: run.workflow_id,
  workflow: untrusted(run.workflow_name),
  run_number: run.run_number,
  run_attempt: run.run_attempt,
  status: run.status,
  conclusion: run.conclusion,
  event: untrusted(run.event),
  branch: untrusted(run.head_branch),
  sha: run.head_sha,
  created_at: run.created_at,
  duration_ms: run.duration_ms,
  queue_wait_ms: run.queue_wait_ms,
});
