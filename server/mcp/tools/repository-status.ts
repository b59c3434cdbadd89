import { z } from 'zod';
import { repository } from '../../api/parameters.ts';
import { getRepositorySummary } from '../../reports/repositories/operations.ts';
import { getRepositoryOverview } from '../../reports/workflows/operations.ts';
import { paging } from '../input.ts';
import { measure, type Place } from '../measurement.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

const openCounts: readonly Place[] = [
  {
    key: 'open_prs',
    label: 'Open pull requests',
    unit: 'count',
    better: 'neither',
    at: '/open_prs',
    missing: 'Open pull requests could not be counted.',
    metric: null,
  },
  {
    key: 'open_issues',
    label: 'Open issues',
    unit: 'count',
    better: 'neither',
    at: '/open_issues',
    missing: 'The issue tracker is off, or its issues could not be counted.',
    metric: null,
  },
];

export const repositoryStatus = tool({
  name: 'repository_status',
  title: 'Status',
  question: 'Does anything in acme/shop need attention?',
  description:
    'State of one repository now: checks of the default branch, success rate, open pull requests and issues, and the state of each workflow.',
  input: z.object({ ...repository, ...paging }),
  operations: [getRepositorySummary, getRepositoryOverview],
  questions: ({ owner, repo }) => [{ operation: getRepositorySummary, params: { owner, repo } }],
  async run({ owner, repo }, reader) {
    const input = { owner, repo };
    const [summary, overview] = await Promise.all([
      reader.read(getRepositorySummary, input),
      reader.read(getRepositoryOverview, input),
    ]);
    const page = repositoryPage(input);
    const shared = sharedOf(reader, input, page);
    const { head_status, latest_run_at, latest_status, latest_conclusion, health, archived } = summary.answer;
    return {
      subject: input,
      parts: [summary, overview],
      measurements: [
        measure(
          summary,
          {
            key: 'success_rate',
            label: 'Success rate of the newest runs',
            unit: 'percent',
            better: 'higher',
            at: '/success_rate',
            n: '/success_rate_sample',
            missing: 'No run that was read passed or failed.',
            metric: null,
          },
          shared,
        ),
        ...openCounts.map((place) => measure(summary, place, shared)),
      ],
      items: [
        {
          key: 'repository',
          value: {
            kind: 'repository',
            default_branch: untrusted(summary.answer.default_branch),
            head_status,
            health: health.label,
            latest_run_at,
            latest_status,
            latest_conclusion,
            archived,
          },
        },
        ...overview.answer.map(({ id, name, state, default_branch, summary: runs, flaky }) => ({
          key: String(id),
          value: {
            kind: 'workflow',
            workflow_id: id,
            name: untrusted(name),
            state,
            default_branch,
            success_rate: runs?.success_rate ?? null,
            success_rate_sample: runs?.success_rate_sample ?? 0,
            flaky_rate_pct: flaky?.rate_pct ?? null,
            latest_run_at: runs?.latest_run_at ?? null,
          },
        })),
      ],
      page,
    };
  },
});
