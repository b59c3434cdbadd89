import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { nameHost } from '../../platform/host-name.ts';
import type { Pass } from '../../sync/cursor.ts';
import { noteCanonicalName } from '../kernel/notes.ts';
import { listVisibleRepositories, visibleRepositories, visibleRepository } from '../repositories/visibility.ts';
import type { progressCodes, RepositoryProgress, SyncProgress } from './progress-schema.ts';

type State = Domain<typeof RepositoryProgress>['state'];
type Code = (typeof progressCodes)[number];
type Known = Awaited<ReturnType<Context['store']['syncProgress']['of']>>[number];

const inOrder: readonly State[] = ['running', 'waiting', 'failed', 'done'];

const reasons: Record<Code, string> = {
  upstream_rate_limited: 'The token’s rate limit is nearly used up.',
  upstream_unavailable: 'GitHub did not respond.',
  session_ended: 'The session that started the sync has ended.',
  access_lost: 'The account that started the sync no longer has access.',
  internal: 'Something went wrong.',
  not_continued: 'Sync stopped. Sync again to continue.',
};

interface ProgressInput {
  owner?: string | undefined;
  repo?: string | undefined;
  limit: number;
  offset: number;
}

/** How far the runs of repositories that the caller's token can see have been read, and whether anybody is at it. */
export async function syncProgress(
  { owner, repo, limit, offset }: ProgressInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof SyncProgress>> {
  // Without a database this fails before anything is requested from the platform.
  const { store, services } = context;
  const visible = new Map((await visibleTo(context, owner, repo)).map((one) => [one.id, one]));
  if (owner && repo) noteCanonicalName(reply, await context.codehost(), { owner, repo });
  const known = await store.syncProgress.of([...visible.keys()], services.clock.now());
  const all = known
    .map((one) => ({ one, name: formatName(visible.get(one.codehostId)), ...computeStatus(one) }))
    .sort((a, b) => inOrder.indexOf(a.state) - inOrder.indexOf(b.state) || a.name.localeCompare(b.name));
  const shown = all.slice(offset, offset + limit);
  const repositories = await Promise.all(
    shown.map(async ({ one: { repoId, cursor }, name, state, code, resumeAt }) => ({
      repo: name,
      state,
      code,
      reason: code && nameHost(reasons[code], services.env),
      resumeAt,
      runsStored: repoId === null ? 0 : (await store.runs.summary(repoId)).total,
      ...computeReach(cursor),
    })),
  );
  const many = (state: State) => all.filter((one) => one.state === state).length;
  return {
    repositories,
    limit,
    offset,
    running: many('running'),
    waiting: many('waiting'),
    failed: many('failed'),
    done: many('done'),
  };
}

async function visibleTo(context: Context, owner?: string, repo?: string): Promise<Repository[]> {
  if (owner && repo) return [await visibleRepository({ owner, repo }, context)];
  return owner ? (await listVisibleRepositories(owner, context)).items : visibleRepositories(context);
}

const formatName = (repository: Repository | undefined) => `${repository?.owner}/${repository?.repo}`;

/** What came of the background reading counts for as long as nobody has read the rest. */
function computeStatus({ cursor, isBeingRead, background }: Known): {
  state: State;
  code: Code | null;
  resumeAt: Instant | null;
} {
  const none = { code: null, resumeAt: null };
  const isRead = cursor !== null && cursor.resume === null;
  if (isBeingRead || background?.state === 'running') return { state: 'running', ...none };
  if (isRead || !background || background.state === 'done')
    return isRead ? { state: 'done', ...none } : { state: 'waiting', code: 'not_continued', resumeAt: null };
  return { ...background, state: background.state };
}

type Reach = Pick<Domain<typeof RepositoryProgress>, 'from' | 'through' | 'readPct'>;

/** Newest first, so that what is newer than where a pass has come has been read. */
function computeReach(cursor: Known['cursor']): Reach {
  if (!cursor) return { from: null, through: null, readPct: null };
  const { syncedThrough, backfilledTo, resume } = cursor;
  const passes = listPasses(resume);
  const backfill = passes.find(({ kind }) => kind === 'backfill');
  if (syncedThrough === null) {
    const [first] = passes;
    if (!first) return { from: null, through: null, readPct: null };
    const hasBegun = first.readDownTo < first.through;
    const [from, through] = hasBegun ? [first.readDownTo, first.through] : [null, null];
    return { from, through, readPct: share(first, hasBegun ? first.readDownTo : null) };
  }
  const from = Math.min(backfill?.readDownTo ?? Number.POSITIVE_INFINITY, backfilledTo ?? syncedThrough);
  const readPct = backfill ? share({ from: backfill.from, through: syncedThrough }, from) : 100;
  return { from, through: syncedThrough, readPct };
}

/** A pass, and those that it came before. */
const listPasses = (pass: Pass | null): Pass[] => (pass ? [pass, ...listPasses(pass.afterwards)] : []);

/** How much of a window has been read from its end down to an instant. */
function share({ from, through }: Pick<Pass, 'from' | 'through'>, readTo: Instant | null): number {
  if (readTo === null || through <= from) return 0;
  return Math.floor((100 * Math.min(through - from, through - readTo)) / (through - from));
}
