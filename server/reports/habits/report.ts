import type { Actor, Context, Reply } from '../../access/context.ts';
import { decide, offers } from '../../access/decision.ts';
import { feature } from '../../access/rules.ts';
import type { Domain } from '../../api/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs, staleAfterMs, type Window } from '../../metrics/kernel/window.ts';
import { type Habits, habitFigures, type LargeItem } from '../../metrics/people/habit-figures.ts';
import { createPeople, loginKey, type People } from '../../metrics/people/people.ts';
import type { HabitThresholds } from '../../metrics/people/working-habits.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { habitThresholds } from '../../settings/working-habits.ts';
import { noteCanonicalName } from '../kernel/notes.ts';
import { listVisibleRepositories, visibleRepository } from '../repositories/visibility.ts';
import { demoHabits, type HabitSource } from './demo.ts';
import type { HabitsReport } from './schema.ts';

export interface HabitsInput {
  owner: string;
  repo?: string | undefined;
  login?: string | undefined;
  days?: 30 | 90 | undefined;
}

type Answer = Domain<typeof HabitsReport>;

/**
 * Sizes of commits and pull requests by person, from the database. Who may not see everybody sees what their own
 * account did: of anybody else no row is read, and no link between accounts is followed.
 */
export async function habitsReport(input: HabitsInput, context: Context, reply: Reply): Promise<Answer> {
  // Whatever is known of whom: that comes after the decision, so that an error reveals nothing of it.
  const viewer = await findViewer(input, context);
  const { days = 30, owner, repo } = input;
  const { store, clock } = context.services;
  const to = clock.now();
  const thresholds = await habitThresholds(store);
  const params = { days, from: to - days * dayMs, to, scope: viewer.scope, thresholds } as const;
  if (!store && !context.isDemo) return { ...params, ...nothing, available: false, owner, repo: repo ?? null };
  const place = await findPlace(input, context);
  if (repo) noteCanonicalName(reply, await context.codehost(), { owner, repo });
  const here = { ...params, owner: place.owner, repo: place.repo };
  if (place.repo !== null && place.repositories.size === 0) return { ...here, ...nothing, untrackedRepo: true };
  const figures = await computeFigures(viewer, place, { window: { from: to - days * dayMs, to }, thresholds, context });
  return { ...here, available: true, untrackedRepo: false, ...figures };
}

interface Viewer {
  scope: 'all' | 'self';
  /** The only login requested; null requests everybody. */
  login: string | null;
}

/** What the caller is shown; throws before anything is looked up for one who may not ask this. */
export async function findViewer({ login }: HabitsInput, context: Context): Promise<Viewer> {
  const actor = await context.actor();
  const seesAll = offers(everybody, context, actor);
  if (!seesAll && login === undefined) throw needsLogin(actor);
  // Also notes what would be denied while access is not enforced; figures of a person leave by an access token only where
  // it was made for them.
  if (seesAll || actor.accessToken || !isOwn(login, actor)) await decide(everybody, context);
  return seesAll ? { scope: 'all', login: login ?? null } : { scope: 'self', login: actor.login };
}

const everybody = feature('workingHabits');

const isOwn = (login: string | undefined, actor: Actor): boolean =>
  login !== undefined && login.toLowerCase() === actor.login.toLowerCase();

const needsLogin = ({ login }: Actor) =>
  invalidRequest([
    { field: 'login', reason: 'missing', message: `login is required: you may see your own, which is ${login}.` },
  ]);

/** The tracked repositories that the caller's token can see, and the requested names in the platform's own spelling. */
interface Place {
  owner: string;
  repo: string | null;
  /** Full names by the ids that the source knows them by. */
  repositories: ReadonlyMap<number, string>;
  source: HabitSource;
  /** There may be tracked repositories beyond those. */
  isListTruncated: boolean;
}

async function findPlace({ owner, repo }: HabitsInput, context: Context): Promise<Place> {
  const { items: seen, partial: isListTruncated } = repo
    ? { items: [await visibleRepository({ owner, repo }, context)], partial: false }
    : await listVisibleRepositories(owner, context);
  const requested = { owner: seen[0]?.owner ?? owner, repo: repo ? (seen[0]?.repo ?? repo) : null, isListTruncated };
  const fullName = (one: RepositoryName) => `${one.owner}/${one.repo}`;
  if (context.isDemo) {
    const source = demoHabits(await context.codehost(), seen, context.services.clock.now());
    return { ...requested, source, repositories: new Map(seen.map((one) => [one.id, fullName(one)])) };
  }
  const { repositories, workingHabits: source } = context.store;
  const known = repo ? await Promise.all(seen.map((one) => repositories.find(one))) : await repositories.tracked(owner);
  const names = new Map(seen.map((one) => [one.id, fullName(one)]));
  const tracked = known.flatMap((one): [number, string][] => {
    const name = one?.tracked ? names.get(one.codehostId) : undefined;
    return one && name ? [[one.id, name]] : [];
  });
  return { ...requested, source, repositories: new Map(tracked) };
}

interface FigureRequest {
  window: Window;
  thresholds: HabitThresholds;
  context: Context;
}

async function computeFigures({ scope, login }: Viewer, place: Place, { window, thresholds, context }: FigureRequest) {
  const { source } = place;
  const repoIds = [...place.repositories.keys()];
  const isSelf = scope === 'self';
  const own = isSelf ? login : null;
  const [facts, read, people] = await Promise.all([
    source.facts({ repoIds, ...window, login: own }),
    source.coverage(repoIds),
    isSelf ? withoutLinks(context) : peopleIn(context.services),
  ]);
  const habits = habitFigures(facts, {
    thresholds,
    people,
    only: login && toPersonKey(login, people),
    namesOthers: !isSelf,
  });
  const { prsMerged, prsSynced } = habits.known;
  const isRead = read.reposSynced === repoIds.length && prsSynced === prsMerged && repoIds.length > 0;
  const upToDate = read.syncedThrough !== null && read.syncedThrough >= window.to - staleAfterMs;
  return {
    people: await nameAnswerAuthors(habits, place, (items) => source.shas(items, own)),
    totals: isSelf ? null : habits.totals,
    commitSizes: habits.commitSizes,
    coverage: {
      reposTracked: repoIds.length,
      reposSynced: read.reposSynced,
      ...habits.known,
      syncedThrough: read.syncedThrough,
      lastRunAt: read.lastRunAt,
      upToDate,
      partial: place.isListTruncated || !isRead || !upToDate,
    },
  };
}

const withoutLinks = ({ services }: Context): People => createPeople([], services.env.BOT_LOGINS);

/** Of whoever has this login, or is linked to it; a bot's carries the suffix. */
const toPersonKey = (login: string, people: People): string =>
  people.toKey({ login, avatarUrl: '', isBot: loginKey(login) !== login.toLowerCase() });

type FindShas = HabitSource['shas'];

async function nameAnswerAuthors(
  { rows }: Habits,
  { repositories }: Place,
  findShas: (places: Parameters<FindShas>[0]) => ReturnType<FindShas>,
): Promise<Answer['people']> {
  const commits = rows.flatMap(({ largest }) => largest.flatMap((item) => (item.kind === 'commit' ? [item] : [])));
  const shas = await findShas(
    commits.map(({ pullRequest: { repoId, number }, position }) => ({ repoId, number, position })),
  );
  const shaByItem = new Map<LargeItem, string | null>(commits.map((commit, index) => [commit, shas[index] ?? null]));
  return rows.map((row) => ({
    ...row,
    // A commit that was put anew between the two readings is left out rather than shown without its name.
    largest: row.largest.flatMap((item) => {
      const { repoId, number, mergedAt, isTruncated } = item.pullRequest;
      const sha = shaByItem.get(item) ?? null;
      if (item.kind === 'commit' && sha === null) return [];
      const { kind, files, lines } = item;
      const known = item.kind === 'pr' ? item.commits : null;
      const size = { files, lines, commits: known, commitsTruncated: item.kind === 'pr' && isTruncated };
      return [{ kind, repo: repositories.get(repoId) ?? '', number, sha, ...size, mergedAt }];
    }),
  }));
}

const nothing = {
  available: true,
  untrackedRepo: false,
  people: [],
  totals: null,
  commitSizes: [],
  coverage: {
    reposTracked: 0,
    reposSynced: 0,
    prsMerged: 0,
    prsSynced: 0,
    prsTruncated: 0,
    commitsUnmeasured: 0,
    syncedThrough: null,
    lastRunAt: null,
    upToDate: false,
    partial: true,
  },
};
