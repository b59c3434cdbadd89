import type { Services } from '../access/context.ts';
import { peopleIn } from '../identity/people.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import { teamCalendar } from '../reports/kernel/calendar.ts';
import type { Store } from '../store/orm.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { countRuns, toRank } from './rank.ts';
import { repositoryValues } from './repository-values.ts';

/** What this process computed last, so that what has not changed since need not be computed again. */
interface Computed {
  /** When all were computed. */
  allAt: number;
  /** By the database's own id, what the facts were at then. */
  versions: Map<number, string>;
  /** And how many runs it had when all were computed: which are shown does not change within the hour. */
  ranks: Map<number, number>;
}

const computedBy = new WeakMap<Store, Computed>();

export interface Refreshed {
  repositories: number;
  /** false when some are left. */
  complete: boolean;
}

/** What cannot be reached any more may have become private, as badges treat it too. */
const isKnownPublic = (known: KnownRepository) => !known.private && known.unreachableSince === null;

/** Computes the metrics of repositories with new facts, and once an hour of all; none where nobody can read them. */
export async function refreshRepositoryMetrics(
  services: Services & { store: Store },
  mayContinue: () => boolean,
): Promise<Refreshed> {
  const { store, clock, env } = services;
  const isServed = env.METRICS_TOKEN !== undefined || env.METRICS_LISTEN !== undefined;
  if (!isServed || env.METRICS_REPOSITORIES === 'none') return { repositories: 0, complete: true };
  const now = clock.now();
  const last = computedBy.get(store);
  const isFull = !last || now - last.allAt >= hourMs || now < last.allAt;
  const computed = isFull
    ? { allAt: now, versions: new Map<number, string>(), ranks: new Map<number, number>() }
    : last;
  computedBy.set(store, computed);
  const tracked = await store.repositories.tracked();
  const exposed = tracked.filter((one) => env.METRICS_REPOSITORIES === 'all' || isKnownPublic(one));
  const versions = await store.versions.read(exposed.map(scopeOf));
  const [people, calendar] = await Promise.all([peopleIn(services), teamCalendar({ services })]);
  let repositories = 0;
  for (const known of exposed) {
    const version = versions.get(scopeOf(known)) ?? '';
    if (computed.versions.get(known.id) === version) continue;
    if (!mayContinue()) return { repositories, complete: false };
    const values = await repositoryValues(known, { services, store, people, calendar, now });
    const rank = computed.ranks.get(known.id) ?? countRuns(values);
    computed.ranks.set(known.id, rank);
    await store.exportedValues.replace(known.id, [...values, toRank(rank, now)]);
    computed.versions.set(known.id, version);
    repositories++;
  }
  return { repositories, complete: true };
}

const scopeOf = ({ codehostId }: KnownRepository) => `repo:${codehostId}` as const;
