import type { Context, Reply } from '../../access/context.ts';
import type { Repository, WorkflowRun } from '../../metrics/kernel/facts.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import {
  activeRepositories,
  createdRuns,
  pooledSuccessRate,
  type RepositoryActivity,
  visibleRepositories,
} from '../../metrics/runs/org-summary.ts';
import { type EvidenceItem, type ExplainInput, type Explanation, explainMetric, runNote } from '../kernel/evidence.ts';
import { noteListing } from '../kernel/notes.ts';
import { type OrganizationReading, readOrganization } from './reading.ts';
import { computeCounts, findReasons } from './report.ts';

type Item = (typeof EvidenceItem)['_zod']['input'];

/** What the overview reads of an organization; as many repositories as `per_page` says. */
async function read({ org = '', per_page: limit = 20 }: ExplainInput, context: Context, reply: Reply) {
  const listing = await (await context.codehost()).repositories.ofOrganization(org);
  const reading = await readOrganization({ org, limit: Math.min(limit, 50) }, listing, context);
  const histories = reading.repositories.flatMap(({ history, repository }) =>
    history ? { ...history, name: repository.repo } : [],
  );
  const asOf = Math.min(listing.asOf, ...histories.map((one) => one.asOf));
  const partial = findReasons(reading).length > 0;
  const stale = [listing, ...histories].some((one) => one.stale);
  noteListing(reply, { partial, stale, asOf });
  const source = histories.some((one) => one.source === 'mixed') ? ('mixed' as const) : ('live' as const);
  const nameByRun = new Map(histories.flatMap(({ recent, name }) => recent.map((run) => [run, name] as const)));
  return { reading, nameByRun, about: { window: reading.window, partial, asOf, source } };
}

const explainOrganization = (key: string, explain: Explanation['explain']): Explanation => ({
  key,
  feature: 'orgOverview',
  needs: ['org'],
  explain,
});

/** The runs behind a number; `counted` gives it where it includes those that were not read. */
const explainRuns = (metric: Metric<WorkflowRun>, counted?: (reading: OrganizationReading) => number | null) =>
  explainOrganization(metric.key, async (input, context, reply) => {
    const { reading, nameByRun, about } = await read(input, context, reply);
    const item = (run: WorkflowRun) => runItem(run, nameByRun.get(run) ?? '', context.isDemo);
    const answer = explainMetric(metric, [...nameByRun.keys()], { ...about, item });
    return counted ? { ...answer, value: counted(reading) } : answer;
  });

const visible = explainOrganization(visibleRepositories.key, async ({ org = '' }, context, reply) => {
  const listing = await (await context.codehost()).repositories.ofOrganization(org);
  const { items, partial, asOf } = listing;
  noteListing(reply, listing);
  const item = (one: Repository) => repositoryItem(one, context.isDemo);
  return explainMetric(visibleRepositories, items, { window: null, partial, asOf, source: 'live', item });
});

const active = explainOrganization(activeRepositories.key, async (input, context, reply) => {
  const { reading, about } = await read(input, context, reply);
  const item = ({ repository }: RepositoryActivity) => repositoryItem(repository, context.isDemo);
  const known = listActivity(reading);
  const partial = reading.listing.partial || known.some(({ isListed, hasRuns }) => isListed && hasRuns === null);
  const answer = explainMetric(activeRepositories, known, { ...about, partial, item });
  return { ...answer, value: computeCounts(reading).active };
});

/** Every visible repository; of those that are not listed the runs are known of all or of none. */
function listActivity({ listing, repositories, activeElsewhere }: OrganizationReading): RepositoryActivity[] {
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
  at: run.createdAt,
  value: null,
  note: runNote(run),
});

const repositoryItem = ({ repo, htmlUrl, pushedAt, visibility, archived }: Repository, isDemo: boolean): Item => ({
  label: repo,
  url: isDemo ? null : htmlUrl,
  at: pushedAt,
  value: null,
  note: archived ? `${visibility}, archived` : visibility,
});

/** The headline numbers of an organization. */
export const organizationExplanations: readonly Explanation[] = [
  visible,
  active,
  explainRuns(createdRuns, (reading) => computeCounts(reading).runs),
  explainRuns(pooledSuccessRate),
];
