import { z } from 'zod';
import { bounded, owner, repo } from '../../api/parameters.ts';
import { getTrends } from '../../reports/history/operations.ts';
import { paging } from '../input.ts';
import { tool } from '../tool.ts';

export const trends = tool({
  name: 'trends',
  title: 'Trends',
  question: 'How did the success rate move over the last quarters?',
  description:
    'Stored series: runs, success rate, durations and queue wait by day of a repository, by quarter, or by day of all repositories of an owner (`type` org). Days that were not read are null.',
  input: z.object({
    owner,
    repo: repo.optional(),
    type: z.enum(['daily', 'quarterly', 'org']).default('daily'),
    days: bounded(1, 365, 90),
    quarters: bounded(1, 12, 6),
    ...paging,
  }),
  operations: [getTrends],
  questions: ({ owner, repo, type }) => [{ operation: getTrends, params: { owner, repo, type } }],
  async run({ owner, repo, type, days, quarters }, reader) {
    const part = await reader.read(getTrends, { owner, repo, type, days, quarters });
    const { coverage } = part.answer;
    if (coverage.partial)
      reader.notes.push({
        code: 'incomplete',
        text: 'Something of the window was not read: its days are null, or lack a repository.',
      });
    return {
      subject: { owner, ...(repo === undefined ? {} : { repo }) },
      parts: [{ ...part, answer: { ...part.answer, ...provenance(coverage, part.readAt) } }],
      measurements: [],
      items: part.answer.data
        .map((point) => ({ key: 'date' in point ? point.date : point.quarter, value: point }))
        .reverse(),
      page: `/reports?owner=${owner}${repo === undefined ? '' : `&repo=${repo}`}`,
    };
  },
});

/** What other answers say in fields of their own. */
const provenance = (
  { synced_through, partial, timezone }: { synced_through: string | null; partial: boolean; timezone: string },
  readAt: string,
) => ({ generated_at: synced_through ?? readAt, data_source: 'database', partial, timezone });
