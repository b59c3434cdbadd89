import { z } from 'zod';
import { org } from '../../api/parameters.ts';
import { getOrgOverview } from '../../reports/organization/operations.ts';
import { getOrgHealthScorecard } from '../../reports/scorecard/operations.ts';
import type { Draft } from '../draft.ts';
import { paging } from '../input.ts';
import { measure, type Place } from '../measurement.ts';
import type { Reader } from '../reader.ts';
import { sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';

/** As many repositories as the operations read at most. */
const mostRead = { overview: 50, health: 20 };

const uncounted = 'Runs of the repositories could not be counted.';

const ofOverview: readonly Place[] = [
  { key: 'total_repos', label: 'Repositories', unit: 'count', better: 'neither', at: '/total_repos', missing: null },
  {
    key: 'active_repos',
    label: 'Active repositories',
    unit: 'count',
    better: 'neither',
    at: '/active_repos',
    missing: uncounted,
  },
  {
    key: 'total_runs',
    label: 'Workflow runs',
    unit: 'count',
    better: 'neither',
    at: '/aggregate/total_runs',
    missing: uncounted,
  },
  {
    key: 'pooled_success_rate',
    label: 'Success rate of all runs together',
    unit: 'percent',
    better: 'higher',
    at: '/aggregate/pooled_success_rate',
    n: '/aggregate/pooled_success_rate_sample',
    missing: 'No run that was read passed or failed.',
  },
];

const ofScorecard: readonly Place[] = [
  {
    key: 'median_score',
    label: 'Health score, median',
    unit: 'score',
    better: 'higher',
    at: '/median_score',
    n: '/repos_analysed',
    metric: null,
    missing: 'No repository has a score, or scores are still being computed.',
  },
];

export const organization = tool({
  name: 'organization',
  title: 'Organization',
  question: 'Which repositories of acme have the lowest health scores?',
  description:
    'An organization: `view` overview has totals of 30 days and its repositories, `view` health their health scores, the worst first.',
  input: z.object({ org, view: z.enum(['overview', 'health']), ...paging }),
  operations: [getOrgOverview, getOrgHealthScorecard],
  questions: ({ org, view }) => [
    view === 'overview'
      ? { operation: getOrgOverview, params: { org } }
      : { operation: getOrgHealthScorecard, params: { org } },
  ],
  run: ({ org, view }, reader) => (view === 'overview' ? overviewOf(org, reader) : healthOf(org, reader)),
});

async function overviewOf(org: string, reader: Reader): Promise<Draft> {
  const part = await reader.read(getOrgOverview, { org, limit: mostRead.overview });
  const page = `/org/${org}`;
  noteRest(reader, part.answer.repos.length, part.answer.total_repos);
  const shared = sharedOf(reader, { org }, page);
  return {
    subject: { org },
    parts: [part],
    measurements: ofOverview.map((place) => measure(part, place, shared)),
    items: part.answer.repos.map(({ repo, summary, runs_30d, workflow_count, partial }) => ({
      key: String(repo.id),
      value: {
        owner: repo.owner,
        repo: repo.name,
        visibility: repo.visibility,
        success_rate: summary?.success_rate ?? null,
        success_rate_sample: summary?.success_rate_sample ?? 0,
        health: summary?.health.label ?? null,
        runs_30d,
        workflow_count,
        partial,
      },
    })),
    total: part.answer.total_repos,
    page,
  };
}

async function healthOf(org: string, reader: Reader): Promise<Draft> {
  const part = await reader.read(getOrgHealthScorecard, { org, limit: mostRead.health });
  const page = `/org/${org}/health`;
  noteRest(reader, part.answer.repos.length, part.answer.repos_eligible);
  if (part.answer.computing)
    reader.notes.push({ code: 'computing', text: 'Scores are being computed. Call again in a minute.' });
  const shared = sharedOf(reader, { org }, page);
  return {
    subject: { org },
    parts: [part],
    measurements: ofScorecard.map((place) => measure(part, place, shared)),
    // The order of the answer: the worst first.
    items: part.answer.repos.map(({ partial_detail: _detail, ...one }) => ({
      key: `${one.owner}/${one.repo}`,
      value: one,
    })),
    total: part.answer.repos_eligible,
    page,
  };
}

function noteRest({ notes }: Reader, shown: number, total: number): void {
  if (shown < total) notes.push({ code: 'first_only', text: `${shown} of ${total} repositories can be listed.` });
}
