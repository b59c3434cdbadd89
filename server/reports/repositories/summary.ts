import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Codehost, Freshness } from '../../codehost/client/client.ts';
import { describePartial } from '../../codehost/client/readable-items.ts';
import type { RepositoryName, RepositoryState, WorkflowRun } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { noteFreshUntil } from '../../platform/freshness.ts';
import { Problem } from '../../platform/problem.ts';
import { isStoredOnly, withRequests } from '../../platform/stored-only.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { ifReadable } from '../kernel/coverage.ts';
import { provenance } from '../kernel/instants.ts';
import { noteCanonicalName, noteFreshness, noteListing } from '../kernel/notes.ts';
import { RunSummary, summarize } from '../runs/summary.ts';
import { knownUntil } from './facts.ts';

/** A repository in a list: what one request returns for fifty of them, and its recent runs. */
export const ListedRepositorySummary = z
  .object({
    owner: z.string(),
    repo: z.string(),
    default_branch: z.string().nullable(),
    head_status: z
      .enum(['error', 'failure', 'pending', 'success'])
      .nullable()
      .meta({ description: 'Combined check status of the head of the default branch.' }),
    visibility: z.string(),
    archived: z.boolean(),
    fork: z.boolean(),
    open_issues: z.int().nullable().meta({ description: 'null when the tracker is switched off.' }),
    open_prs: z.int().nullable(),
    workflow_files: z.int().nullable().meta({
      description: 'On the default branch; workflows managed by GitHub have none.',
    }),
    ...RunSummary.shape,
    ...provenance,
  })
  .meta({ id: 'ListedRepositorySummary' });

export const RepositorySummary = ListedRepositorySummary.extend({
  workflow_count: z.int().nullable().meta({
    description: 'Number of workflows; above 100, as counted by GitHub. null when unknown.',
  }),
}).meta({ id: 'RepositorySummary' });

/** Default branch, head status, counts and the recent history of a repository's runs. */
export async function repositorySummary(input: RepositoryName, context: Context, reply: Reply) {
  const codehost = await context.codehost();
  // Whether the caller may still see it, the state says only when it is requested.
  if (isStoredOnly()) await withRequests(() => codehost.repositories.about(input));
  const [calendar, [state], workflows] = await Promise.all([
    teamCalendar(context),
    codehost.repositories.states([input]),
    ifReadable(codehost.workflows.count(input)),
  ]);
  if (!state) throw await whyUnseen(input, codehost);
  const partialReason = describePartial('repositories', null, state.unread);
  noteListing(reply, { ...state, partialReason, partial: false });
  noteCanonicalName(reply, codehost, input);
  if (workflows) noteFreshness(reply, workflows);
  const summary = await computeSummary(state, calendar, context, reply);
  return { ...summary, workflowCount: workflows?.count ?? null };
}

/** The batch omits what the token cannot see; a request for the repository itself shows why. */
async function whyUnseen(name: RepositoryName, codehost: Codehost): Promise<Problem> {
  await codehost.repositories.get(name);
  return new Problem('not_found', 'There is no such repository, or the token cannot see it.');
}

/** The summary of a repository whose state is known already. */
export async function computeSummary(
  state: RepositoryState & Freshness,
  calendar: Calendar,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof ListedRepositorySummary>> {
  noteFreshness(reply, state);
  // Stored facts are shared: an old answer does not prove that the caller may still see them.
  const stored = state.stale ? null : await storedHistory(state, context);
  const history = stored ?? (await liveHistory(state, context, reply));
  const { runs, complete, until, asOf, source } = history;
  return {
    ...state,
    openPrs: state.openPullRequests,
    ...summarize(runs, { now: until, calendar, defaultBranch: state.defaultBranch, complete }),
    generatedAt: asOf,
    dataSource: source,
  };
}

interface History {
  runs: WorkflowRun[];
  complete: boolean;
  /** When the last day ends of which its runs are known. */
  until: number;
  asOf: number;
  source: 'live' | 'mixed';
}

const windowMs = 31 * dayMs;
/** Stored runs that were synchronized more recently than this need no request. */
const freshMs = 300_000;
const historyLimit = 100;

async function storedHistory(state: RepositoryState, { services: { store, clock } }: Context): Promise<History | null> {
  const known = await store?.repositories.find(state);
  const cursor = known && (await store?.cursors.get(known.id));
  const now = clock.now();
  if (!store || !known || !cursor?.syncedThrough || cursor.syncedThrough < now - freshMs) return null;
  noteFreshUntil(cursor.syncedThrough + freshMs);
  const runs = await store.runs.recent(known.id, { limit: historyLimit });
  const oldest = runs.at(-1)?.createdAt ?? now;
  const isBackfilled = cursor.backfilledTo !== null && cursor.backfilledTo <= now - windowMs;
  const complete = (runs.length < historyLimit && isBackfilled) || oldest < now - windowMs;
  return { runs, complete, until: now, asOf: cursor.syncedThrough, source: 'mixed' };
}

async function liveHistory(name: RepositoryName, context: Context, reply: Reply): Promise<History> {
  const listing = await (await context.codehost()).runs.recent(name, 0, 1);
  noteListing(reply, { ...listing, partial: false });
  const oldest = listing.items.at(-1)?.createdAt ?? 0;
  const now = context.services.clock.now();
  const complete = !listing.partial || oldest < now - windowMs;
  return { runs: listing.items, complete, until: knownUntil(now, [listing]), asOf: listing.asOf, source: 'live' };
}
