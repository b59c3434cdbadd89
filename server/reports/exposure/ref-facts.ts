import type { Instant } from '../../metrics/kernel/facts.ts';
import { isAlarming, isReadable, type LedgerRow } from '../../metrics/security/ref-ledger.ts';
import { shortRefName, type UsedRef } from '../../scan/action-uses.ts';
import type { SeenRelease } from '../../store/action-ledger.ts';
import type { UseOnDays } from '../../store/exposed-uses.ts';
import type { RefFacts } from './verdict/job-evidence.ts';
import type { Suspect } from './verdict/suspect.ts';

/** What is stored of the refs that may be of the suspect. */
interface KnownRefs {
  uses: readonly UseOnDays[];
  histories: ReadonlyMap<number, LedgerRow[]>;
  since: readonly { ref: string; day: string }[];
  releases: readonly SeenRelease[];
  shownNames: readonly string[];
}

/** What is known of them, as far as whoever asks may see it. */
export function toFacts(
  { window: { from } }: Suspect,
  { uses, histories, since, releases, shownNames }: KnownRefs,
): RefFacts {
  const shown = new Set([...shownNames, ...uses.flatMap(({ actionKey, isHidden }) => (isHidden ? [] : actionKey))]);
  const tags = new Set(uses.flatMap((use) => (use.isBranch === false && !use.isHidden ? toKey(use) : [])));
  const byRef = new Map(uses.map((use) => [toKey(use), use.isHidden ? null : (histories.get(use.refId) ?? [])]));
  const older = from === null ? new Set<string>() : listOlder(from, [...histories.values()].flat(), since);
  return {
    history: (used) => {
      const found = byRef.get(toKey(used));
      return found === undefined ? [] : found;
    },
    immutable: (used) => {
      const { actionKey, ref } = used;
      const history = byRef.get(toKey(used)) ?? [];
      const isOf = (one: SeenRelease) => one.actionKey === actionKey && one.tag === shortRefName(ref);
      if (!tags.has(toKey(used))) return null;
      return releases.find((one) => one.immutable && isOf(one) && hasStayed(history, one)) ?? null;
    },
    isOlder: (commit) => older.has(commit),
    isShown: ({ actionKey }) => shown.has(actionKey),
  };
}

/** Whether every observation of a tag, from the last before its release was seen, is of that commit and one repository. */
function hasStayed(history: readonly LedgerRow[], { commit, seenAt }: SeenRelease): boolean {
  const rows = history.filter(isReadable);
  const since = rows.slice(
    Math.max(
      0,
      rows.findLastIndex(({ observedFrom }) => observedFrom <= seenAt),
    ),
  );
  const repositories = new Set(since.map(({ codehostId }) => codehostId));
  return repositories.size === 1 && since.every((row) => row.commit === commit);
}

/**
 * What was seen before an instant, which may be later than the compromise began: nothing that an alarming move led to, or
 * one that is not judged yet.
 */
function listOlder(from: Instant, rows: readonly LedgerRow[], since: KnownRefs['since']): Set<string> {
  const older = new Set([
    ...since.flatMap(({ ref, day }) => (day < toDay(from) ? ref : [])),
    ...rows.flatMap(({ observedFrom, commit }) => (observedFrom < from ? (commit ?? []) : [])),
  ]);
  for (const { commit, tagObject } of rows.filter((row) => isAlarming(row) !== false))
    for (const doubted of [commit, tagObject]) if (doubted !== null) older.delete(doubted);
  return older;
}

const toDay = (at: Instant): string => new Date(at).toISOString().slice(0, 10);

const toKey = ({ actionKey, ref }: UsedRef): string => `${actionKey} ${ref}`;
