import type { WorkflowRun } from '../metrics/facts.ts';
import { pooledSuccessRate } from '../metrics/org-summary.ts';
import type { EvidenceItem, Explanation } from './explained.ts';
import { explained, runNote } from './explained.ts';
import { iso } from './instants.ts';
import { noteListing } from './notes.ts';
import { reasonsOf } from './org-overview.ts';
import { readOrganization } from './org-overview-reading.ts';

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
