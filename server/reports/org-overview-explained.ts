import type { Repository, WorkflowRun } from '../metrics/facts.ts';
import type { Metric } from '../metrics/metric.ts';
import {
  activeRepositories,
  createdRuns,
  pooledSuccessRate,
  type RepositoryActivity,
  visibleRepositories,
} from '../metrics/org-summary.ts';
import { type EvidenceItem, type Explanation, explained, runNote } from './explained.ts';
import { iso, isoOrNull } from './instants.ts';
import { noteListing } from './notes.ts';
import { countsOf, reasonsOf } from './org-overview.ts';
import { type OrganizationReading, readOrganization } from './org-overview-reading.ts';

type Item = (typeof EvidenceItem)['_zod']['input'];
type Asked = Parameters<Explanation['explain']>;

/** What the overview reads of an organization; as many repositories as `per_page` says. */
async function read(...[{ org = '', per_page: limit = 20 }, context, reply]: Asked) {
  const listing = await (await context.codehost()).repositories.ofOrganization(org);
  const reading = await readOrganization({ org, limit: Math.min(limit, 50) }, listing, context);
  const histories = reading.repositories.flatMap(({ history, repository }) =>
    history ? { ...history, name: repository.repo } : [],
  );
  const asOf = Math.min(listing.asOf, ...histories.map((one) => one.asOf));
  const partial = reasonsOf(reading).length > 0;
  const stale = [listing, ...histories].some((one) => one.stale);
  noteListing(reply, { partial, stale, asOf, totalCount: null });
  const source = histories.some((one) => one.source === 'mixed') ? ('mixed' as const) : ('live' as const);
  const nameOf = new Map(histories.flatMap(({ recent, name }) => recent.map((run) => [run, name] as const)));
  return { reading, nameOf, about: { window: reading.window, partial, asOf, source } };
}

const ofOrganization = (key: string, explain: Explanation['explain']): Explanation => ({
  ...{ key, feature: 'orgOverview', needs: ['org'], explain },
});

/** The runs behind a number; `counted` tells it where it counts those that were not read too. */
const ofRuns = (metric: Metric<WorkflowRun>, counted?: (reading: OrganizationReading) => number | null) =>
  ofOrganization(metric.key, async (...asked) => {
    const { reading, nameOf, about } = await read(...asked);
    const { isDemo } = asked[1];
    const item = (run: WorkflowRun) => runItem(run, nameOf.get(run) ?? '', isDemo);
    const answer = explained(metric, [...nameOf.keys()], { ...about, item });
    return counted ? { ...answer, value: counted(reading) } : answer;
  });

const visible = ofOrganization(visibleRepositories.key, async ({ org = '' }, context, reply) => {
  const listing = await (await context.codehost()).repositories.ofOrganization(org);
  const { items, partial, asOf } = listing;
  noteListing(reply, { ...listing, totalCount: null });
  const item = (one: Repository) => repositoryItem(one, context.isDemo);
  return explained(visibleRepositories, items, { window: null, partial, asOf, source: 'live', item });
});

const active = ofOrganization(activeRepositories.key, async (...asked) => {
  const { reading, about } = await read(...asked);
  const item = ({ repository }: RepositoryActivity) => repositoryItem(repository, asked[1].isDemo);
  const known = activityOf(reading);
  const partial = reading.listing.partial || known.some(({ isListed, hasRuns }) => isListed && hasRuns === null);
  const answer = explained(activeRepositories, known, { ...about, partial, item });
  return { ...answer, value: countsOf(reading).active };
});

/** Every visible repository; of those that are not listed the runs are known of all or of none. */
function activityOf({ listing, repositories, activeElsewhere }: OrganizationReading): RepositoryActivity[] {
  const listed = repositories.map(({ repository, history }): RepositoryActivity => {
    const total = history?.total ?? null;
    return { repository, isListed: true, hasRuns: total === null ? null : total > 0 };
  });
  const isListed = new Set(listed.map(({ repository }) => repository.id));
  const others = listing.items.filter(({ id }) => !isListed.has(id));
  const hasRuns = (repository: Repository) => activeElsewhere?.includes(repository) ?? null;
  return [...listed, ...others.map((repository) => ({ repository, isListed: false, hasRuns: hasRuns(repository) }))];
}

const runItem = (run: WorkflowRun, repo: string, isDemo: boolean): Item => ({
  label: `${repo}: ${run.workflowName ?? 'workflow'} #${run.runNumber}`,
  url: isDemo ? null : run.htmlUrl,
  at: iso(run.createdAt),
  value: null,
  note: runNote(run),
});

const repositoryItem = ({ repo, htmlUrl, pushedAt, visibility, archived }: Repository, isDemo: boolean): Item => ({
  label: repo,
  url: isDemo ? null : htmlUrl,
  at: isoOrNull(pushedAt),
  value: null,
  note: archived ? `${visibility}, archived` : visibility,
});

/** The headline numbers of an organization. */
export const organizationExplanations: readonly Explanation[] = [
  visible,
  active,
  ofRuns(createdRuns, (reading) => countsOf(reading).runs),
  ofRuns(pooledSuccessRate),
];
