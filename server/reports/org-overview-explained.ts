import type { WorkflowRun } from '../metrics/facts.ts';
import { metric } from '../metrics/metric.ts';
import { outcomeOf } from '../metrics/outcome.ts';
import { percentOf } from '../metrics/statistics.ts';
import { conclusiveLatest } from '../metrics/workflow-runs.ts';
import type { EvidenceItem, Explanation } from './explained.ts';
import { explained, runNote } from './explained.ts';
import { iso } from './instants.ts';
import { noteListing } from './notes.ts';
import { reasonsOf } from './org-overview.ts';
import { readOrganization } from './org-overview-reading.ts';

/** Every run of the organization weighs the same, whichever repository it is of. */
const pooledSuccessRate = metric<WorkflowRun>({
  key: 'pooled_success_rate',
  label: 'Success rate of the organization',
  unit: 'percent',
  better: 'higher',
  source: 'runs that passed or failed',
  definition:
    'Runs of the listed repositories in the last 30 days that passed, of those that passed or failed. Every run weighs the same. Of a repository with more than a page of runs the newest 100 count.',
  countsAmong: conclusiveLatest,
  value: (runs) => percentOf(runs, (run) => outcomeOf(run) === 'pass'),
});

/** The runs behind the pooled rate; as many repositories as `per_page` says. */
export const pooledSuccessRateExplanation: Explanation = {
  key: 'pooled_success_rate',
  feature: 'orgOverview',
  needs: ['org'],
  async explain({ org = '', per_page: limit = 20 }, context, reply) {
    const listing = await (await context.codehost()).repositories.ofOrganization(org);
    const reading = await readOrganization({ org, limit: Math.min(limit, 50) }, listing, context);
    const histories = reading.repositories.flatMap(({ history, repository }) =>
      history ? { ...history, name: repository.repo } : [],
    );
    const nameOf = new Map(histories.flatMap(({ recent, name }) => recent.map((run) => [run, name] as const)));
    const asOf = Math.min(listing.asOf, ...histories.map((one) => one.asOf));
    const partial = reasonsOf(reading).length > 0;
    const stale = [listing, ...histories].some((one) => one.stale);
    noteListing(reply, { partial, stale, asOf, totalCount: null });
    return explained(pooledSuccessRate, [...nameOf.keys()], {
      ...{ window: reading.window, partial, asOf },
      source: histories.some(({ source }) => source === 'mixed') ? 'mixed' : 'live',
      item: (run) => itemOf(run, nameOf.get(run) ?? '', context.isDemo),
    });
  },
};

const itemOf = (run: WorkflowRun, repo: string, isDemo: boolean): (typeof EvidenceItem)['_zod']['input'] => ({
  label: `${repo}: ${run.workflowName ?? 'workflow'} #${run.runNumber}`,
  url: isDemo ? null : run.htmlUrl,
  at: iso(run.createdAt),
  value: null,
  note: runNote(run),
});
