import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Codehost, Freshness, Listing } from '../../codehost/client/client.ts';
import { hasName } from '../../domain/name-filter.ts';
import type { Repository, RepositoryState } from '../../metrics/kernel/facts.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { type AttentionLevel, attentionLevels, byAttention } from '../../metrics/runs/attention.ts';
import { hostName, nameHost } from '../../platform/host-name.ts';
import { Problem } from '../../platform/problem.ts';
import { withRequests } from '../../platform/stored-only.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { provenance } from '../kernel/instants.ts';
import { noteFreshness, noteListing, noteTotal } from '../kernel/notes.ts';
import { RepoItem, repoItem } from '../repositories/list.ts';
import { describeDenied, isHeadRead, type KnownState, readStates } from '../repositories/states.ts';
import { computeSummary, ListedRepositorySummary } from '../repositories/summary.ts';
import { sameName } from '../repositories/visibility.ts';
import { type KnownSlowdowns, readSlowdowns } from './slowdowns.ts';

/** Heads are read of this many repositories, the latest pushed first; the rest is ordered without them. */
const headLimit = 200;

export const AttentionReport = z
  .object({
    items: z.array(
      z.object({
        repository: RepoItem,
        attention: z.object({ level: z.enum(attentionLevels), reason: z.string() }),
        summary: ListedRepositorySummary.nullable().meta({
          description: 'null when it could not be read; see `problem`.',
        }),
        head_read: z.boolean().meta({
          description: 'Whether the checks of the default branch could be read, be it that there are none.',
        }),
        problem: z
          .object({ code: z.string(), error: z.string() })
          .nullable()
          .meta({ description: 'Why the summary, or a part of it, could not be read.' }),
      }),
    ),
    total: z.int().meta({ description: 'Repositories that match the filters.' }),
    failing: z.int().meta({ description: 'Of those, repositories whose default branch is known to fail.' }),
    slowing: z
      .int()
      .meta({ description: 'Of the others, repositories with a workflow that takes longer than before.' }),
    all: z.int().meta({ description: 'Repositories before the filters.' }),
    page: z.int(),
    pages: z.int(),
    per_page: z.int(),
    languages: z.array(z.string()),
    heads_read: z.int().meta({ description: 'Repositories of which the checks of the default branch could be read.' }),
    durations_known: z.int().meta({
      description: 'Of those, repositories whose stored runs show whether a workflow takes longer than before.',
    }),
    ...provenance,
  })
  .meta({ id: 'AttentionReport' });

export interface AttentionInput {
  org?: string | undefined;
  q?: string | undefined;
  visibility: 'all' | 'public' | 'private';
  language?: string | undefined;
  page: number;
  per_page: number;
}

/** The repositories of an organization, or those of another account that are among the caller's own. */
async function listOwned(owner: string, repositories: Codehost['repositories']): Promise<Listing<Repository>> {
  try {
    return await repositories.ofOrganization(owner);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
    const listing = await repositories.mine();
    const items = listing.items.filter((one) => sameName(one.owner, owner));
    if (items.length === 0) throw error;
    return { ...listing, items };
  }
}

/** Repositories in the order in which they ask to be looked at, one page of them with their summaries. */
export async function repositoryAttention(
  input: AttentionInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof AttentionReport>> {
  const codehost = await context.codehost();
  const { repositories } = codehost;
  // It proves what the caller may see, also for an answer of what is stored.
  const listing = await withRequests(() => (input.org ? listOwned(input.org, repositories) : repositories.mine()));
  noteListing(reply, listing);
  noteTotal(reply, listing);
  const matching = listing.items.filter((one) => matches(one, input));
  const wanted = headOrder(matching).slice(0, headLimit);
  const [calendar, { states, partialReason }, slowdowns] = await Promise.all([
    teamCalendar(context),
    readStates(codehost, wanted),
    readSlowdowns(wanted, listing, context.services),
  ]);
  noteListing(reply, { ...listing, partialReason });
  // Also of what is on another page, as the order and the counts rest on it.
  for (const state of states.filter(({ stale }) => stale)) noteFreshness(reply, state);
  const heads = new Map(states.map((state) => [key(state), state]));
  const ordered = byAttention(
    matching.map((repository) => facts(repository, heads.get(key(repository)), slowdowns.get(repository.id))),
    { now: context.services.clock.now(), calendar },
  );
  const perPage = input.per_page;
  const pages = Math.max(1, Math.ceil(ordered.length / perPage));
  const page = Math.min(input.page, pages);
  const visible = ordered.slice((page - 1) * perPage, page * perPage);
  const isWanted = new Set(wanted);
  const items = await Promise.all(
    visible.map(async (one) => {
      const shown = await item(one, listing, calendar, context, reply);
      const { repository, state } = one.repository;
      return {
        ...shown,
        problem: shown.problem ?? (isWanted.has(repository) ? toUnreadProblem(state, context) : null),
      };
    }),
  );
  return {
    items,
    total: matching.length,
    failing: countLevel(ordered, 'failing'),
    slowing: countLevel(ordered, 'slowing'),
    all: listing.items.length,
    page,
    pages,
    perPage,
    languages: [...new Set(listing.items.flatMap((one) => one.language ?? []))].sort(),
    headsRead: states.filter(isHeadRead).length,
    durationsKnown: slowdowns.size,
    ...getSource([listing, ...states], visible, items),
  };
}

/** As old as its oldest part; from both sources as soon as one summary or reason rests on stored runs. */
function getSource(
  read: readonly Freshness[],
  visible: readonly Ordered[],
  items: readonly { summary: Summary | null }[],
) {
  const summaries = items.flatMap(({ summary }) => summary ?? []);
  const stored = visible.flatMap(({ repository: { durationsAsOf }, attention: { level } }) =>
    level === 'slowing' && durationsAsOf !== null ? durationsAsOf : [],
  );
  const live = [...read.map(({ asOf }) => asOf), ...summaries.map((one) => one.generatedAt)];
  const instants = [...live, ...stored];
  const isMixed = stored.length > 0 || summaries.some((one) => one.dataSource !== 'live');
  return { generatedAt: Math.min(...instants), dataSource: isMixed ? ('mixed' as const) : ('live' as const) };
}

type Summary = Domain<typeof ListedRepositorySummary>;

const key = ({ owner, repo }: { owner: string; repo: string }) => `${owner}/${repo}`.toLowerCase();

function matches(repository: Repository, { q, visibility, language }: AttentionInput): boolean {
  if (visibility !== 'all' && (visibility === 'private') !== repository.private) return false;
  if (language && repository.language !== language) return false;
  return hasName([`${repository.owner}/${repository.repo}`, repository.description], q);
}

const headOrder = (repositories: readonly Repository[]) =>
  repositories.toSorted((a, b) => Number(a.archived) - Number(b.archived) || (b.pushedAt ?? 0) - (a.pushedAt ?? 0));

const facts = (repository: Repository, state: KnownState | undefined, known: KnownSlowdowns | undefined) => ({
  name: `${repository.owner}/${repository.repo}`,
  headStatus: state?.headStatus ?? null,
  health: null,
  pushedAt: repository.pushedAt,
  archived: repository.archived,
  slowdowns: known?.slowdowns ?? null,
  durationsAsOf: known?.asOf ?? null,
  repository,
  state,
});

interface Ordered {
  repository: ReturnType<typeof facts>;
  attention: { level: AttentionLevel; reason: string };
}

const countLevel = (ordered: readonly Ordered[], wanted: AttentionLevel) =>
  ordered.filter(({ attention: { level } }) => level === wanted).length;

async function item(
  { repository: { repository, state }, attention }: Ordered,
  listed: Freshness,
  calendar: Calendar,
  context: Context,
  reply: Reply,
) {
  const headRead = state !== undefined && isHeadRead(state);
  const shown = { repository: repoItem(repository), attention, headRead };
  try {
    const summary = await computeSummary(state ?? unread(repository, listed), calendar, context, reply);
    return { ...shown, summary, problem: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    reply.headers.set('X-Partial', 'true');
    return {
      ...shown,
      summary: null,
      problem: { code: error.code, error: nameHost(error.message, context.services.env) },
    };
  }
}

/** What a row lacks. */
function toUnreadProblem(state: KnownState | undefined, { services }: Context) {
  if (state?.unread === null) return null;
  if (state?.unread && state.isDenied)
    return { code: 'upstream_forbidden', error: `The token may not read ${describeDenied(state.unread)}.` };
  const fields = state?.unread?.fields.join(', ') ?? 'status and counts';
  return {
    code: 'upstream_unavailable',
    error: `${hostName(services.env)} did not return ${fields} of this repository.`,
  };
}

/** What the list itself shows of a repository whose head was not looked at. */
const unread = (
  { id, owner, repo, defaultBranch, visibility, archived, fork }: Repository,
  { stale, asOf }: Freshness,
): RepositoryState & Freshness => ({
  stale,
  asOf,
  id,
  owner,
  repo,
  defaultBranch,
  visibility,
  archived,
  fork,
  headStatus: null,
  openIssues: null,
  openPullRequests: null,
  workflowFiles: null,
});
