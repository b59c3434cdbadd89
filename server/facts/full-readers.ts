import type { Listing } from '../codehost/client/client.ts';
import { joinedReasons } from '../codehost/client/readable-items.ts';
import { type KindTotals, noTotals } from '../codehost/client/totals.ts';
import type { DeliveryReads } from '../codehost/delivery/client.ts';
import type { Instant, RepositoryName } from '../metrics/kernel/facts.ts';
import type { FactKind, FactOf } from './fact-repository.ts';

/** A first reading of everything of one kind since an instant. */
export interface FullReading<Fact> {
  listing: Listing<Fact>;
  /** true when a cap, and nothing else, left some out. */
  capped: boolean;
  totals: KindTotals;
}

type FullReader<Kind extends FactKind> = (
  codehost: DeliveryReads,
  name: RepositoryName,
  since: Instant,
) => Promise<FullReading<FactOf[Kind]>>;

/** As many commits as any figure reads. */
const maxCommits = 2000;

export const fullReaders: { [Kind in FactKind]: FullReader<Kind> } = {
  async pull_requests(codehost, name, since) {
    return toFullReading(await codehost.pullRequests.closed(name, since));
  },
  async commits(codehost, name, since) {
    const listing = await codehost.commits.history(name, since, maxCommits);
    return toFullReading(listing, { head: listing.head });
  },
  async issues(codehost, name, since) {
    const [open, closed] = await Promise.all([codehost.issues.open(name), codehost.issues.closed(name, since)]);
    const listing: Listing<FactOf['issues']> = {
      items: [...open.items, ...closed.items],
      partial: open.partial || closed.partial,
      partialReason: joinedReasons([open.partialReason, closed.partialReason]),
      totalCount: null,
      stale: open.stale || closed.stale,
      asOf: Math.min(open.asOf, closed.asOf),
    };
    const hasGaps = [open, closed].some(({ partial, capped }) => partial && !capped);
    const openCount = open.totalCount;
    const total = openCount === null || closed.allTime === null ? null : openCount + closed.allTime;
    return toFullReading({ ...listing, capped: !hasGaps }, { total, openCount });
  },
  async deployments(codehost, name, since) {
    const listing = await codehost.deployments.since(name, since);
    return toFullReading(listing, { total: listing.totalCount, newestAt: listing.newestAt });
  },
  async releases(codehost, name, since) {
    const listing = await codehost.releases.since(name, since);
    return toFullReading(listing, { total: listing.total });
  },
};

const toFullReading = <Fact>(listing: Listing<Fact>, totals: Partial<KindTotals> = {}): FullReading<Fact> => ({
  listing,
  capped: listing.partial && listing.capped === true,
  totals: { ...noTotals, ...totals },
});
