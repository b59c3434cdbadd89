import { z } from 'zod';
import { clamped, identifier, repository } from '../../api/parameters.ts';
import { getJobStats } from '../../reports/jobs/operations.ts';
import { explanations } from '../../reports/kernel/explanations.ts';
import { getWorkflowReliability } from '../../reports/reliability/operations.ts';
import { getWorkflowHealth } from '../../reports/workflows/operations.ts';
import { paging } from '../input.ts';
import { levelShiftItem } from '../level-shift.ts';
import { measureListed } from '../measurement.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

export const whyIsCiSlow = tool({
  name: 'why_is_ci_slow',
  title: 'Time of a workflow',
  question: 'Which job should we make faster first, and since when is it slow?',
  description:
    'Where the time of a workflow goes: since when it is slower, jobs by how often they are on the critical path, the longest jobs and steps with percentiles, and the wait for runners. `sample` is the number of newest runs.',
  input: z.object({ ...repository, workflow_id: identifier, sample: clamped(1, 100, 30), ...paging }),
  operations: [getJobStats],
  questions: ({ owner, repo, workflow_id, sample }) => [
    { operation: getJobStats, params: { owner, repo, workflow_id, per_page: sample } },
  ],
  async run({ owner, repo, workflow_id, sample }, reader) {
    const subject = { owner, repo, workflow_id };
    const [stats, health, reliability] = await Promise.all([
      reader.read(getJobStats, { ...subject, per_page: sample }),
      reader.read(getWorkflowHealth, { ...subject, per_page: sample }),
      reader.readPart('since_when', getWorkflowReliability, { ...subject, per_page: sample }),
    ]);
    const page = repositoryPage({ owner, repo }, `/workflows/${workflow_id}`);
    const shared = sharedOf(reader, { ...subject, per_page: sample }, page);
    const { critical_path, jobs, steps } = stats.answer;
    return {
      subject,
      parts: [stats, health, ...(reliability ? [reliability] : [])],
      measurements: measureListed(health, shared, (key) => explanations.has(key)),
      items: [
        ...(reliability?.answer.level_shifts ?? []).map(levelShiftItem),
        ...critical_path.jobs.map(({ name, ...rest }) => ({
          key: `path ${name}`,
          value: { kind: 'critical_path', job: untrusted(name), runs: critical_path.runs, ...rest },
        })),
        ...jobs.map(({ name, group: _group, ...rest }) => ({
          key: `job ${name}`,
          value: { kind: 'job', job: untrusted(name), ...rest },
        })),
        ...steps.map(({ job, step, ...rest }) => ({
          key: `step ${job} / ${step}`,
          value: { kind: 'step', job: untrusted(job), step: untrusted(step), ...rest },
        })),
      ],
      page,
    };
  },
});
