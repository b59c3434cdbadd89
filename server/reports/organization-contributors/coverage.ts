import type { Reply } from '../../access/context.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { noteListing } from '../kernel/notes.ts';
import { toRepositoryCoverage } from '../kernel/repository-coverage.ts';
import { maxRead, type TeamReading } from './reading.ts';

/** Of how many repositories the figures of an organization's people are. */
export function coverTeam({ repositories, isListTruncated }: TeamReading, truncatedPrs: number) {
  return toRepositoryCoverage({
    // Which repository was left for the next answer, its row says.
    repositories: repositories.map(({ set, reason }) => ({
      included: set !== null,
      reason: reason === 'not_yet_read' ? ('page_cap' as const) : reason,
    })),
    isListTruncated,
    cap: repositories.some(({ reason }) => reason === 'not_yet_read') ? maxRead : null,
    reasons: truncatedPrs > 0 ? ['upstream_truncated'] : [],
  });
}

type TeamCoverage = ReturnType<typeof coverTeam>;

/** Whether something of the synchronized repositories is missing; the others are named, and no later answer has more. */
export const isPartial = ({ reasons }: TeamCoverage): boolean => reasons.some((reason) => reason !== 'not_synced');

/** Reports how complete and how fresh a reading is; gives the time of its oldest part. */
export function noteReading({ window, repositories }: TeamReading, coverage: TeamCoverage, reply: Reply): Instant {
  const sets = repositories.flatMap(({ set }) => set ?? []);
  const asOf = Math.min(window.to, ...sets.map((set) => set.asOf));
  const partialReason = joinedReasons(sets.map((set) => set.partialReason));
  noteListing(reply, { partial: isPartial(coverage), partialReason, stale: sets.some(({ stale }) => stale), asOf });
  return asOf;
}
