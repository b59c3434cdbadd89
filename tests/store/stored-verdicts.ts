import type { MeasuredDays } from '../../server/advisor/verdict/measured-days.ts';
import type { ProposedChange } from '../../server/advisor/verdict/proposed.ts';
import { advance, beginVerdict, checkPresence } from '../../server/advisor/verdict/verdict.ts';
import type { Repository } from '../../server/metrics/kernel/facts.ts';
import type { Store } from '../../server/store/orm.ts';

const day = 86_400_000;

const measure = { per: 'update', workflowId: 7001, without: null } as const;

/** So many days of eight updates each, which took these minutes together. */
const daysOf = (count: number, from: number, minutes: (at: number) => number): MeasuredDays => {
  const days = Array.from({ length: count }, (_, index) => from + index * day);
  const isWeekend = (at: number) => [0, 6].includes(new Date(at).getUTCDay());
  const stratum = (week: 'weekday' | 'weekend') => {
    const isWithin = (at: number) => isWeekend(at) === (week === 'weekend');
    return {
      event: 'pull_request',
      branch: 'other' as const,
      week,
      units: days.map((at) => (isWithin(at) ? 8 : 0)),
      values: days.map((at) => (isWithin(at) ? minutes(at) : 0)),
    };
  };
  return { days, strata: [stratum('weekday'), stratum('weekend')] };
};

interface Told {
  id: string;
  now: number;
  /** What it saved of the minutes in the 28 days after the merge. */
  savedPct: number;
  /** The same of later days; as before where it is left out. */
  latelyPct?: number;
  /** 40 where it is left out. */
  mergedDaysAgo?: number;
  /** Since when its workflow is found disabled; it is not where this is left out. */
  disabledAt?: number;
}

/** A change that was predicted to save 14 to 19 %, with what was measured of it. Its pull request is #41. */
export async function keepVerdict(
  store: Store,
  repository: Repository,
  { id, now, savedPct, latelyPct = savedPct, mergedDaysAgo = 40, disabledAt }: Told,
): Promise<void> {
  const repoId = await store.repositories.track(repository, 'ann', now);
  const today = Math.floor(now / day) * day;
  const mergedAt = today - mergedDaysAgo * day + day / 2;
  const from = mergedAt + day / 2;
  const change: ProposedChange = {
    id,
    kind: 'ADV-01',
    title: 'Cancel superseded runs',
    path: '.github/workflows/ci.yml',
    workflowId: 7001,
    promised: { low: 14, mid: 16.5, high: 19 },
  };
  await keepMerged(store, repository, { change, mergedAt });
  const usual = (at: number) => 80 + ((at / day) % 3) * 8;
  const before = daysOf(63, from - 64 * day, usual);
  const saved = (at: number) => (at < from + 28 * day ? savedPct : latelyPct);
  const own = daysOf(mergedDaysAgo - 1, from, (at) => usual(at) * (1 - saved(at) / 100));
  const begun = beginVerdict(mergedAt, change.promised, { measure, before, control: null });
  const advanced = advance(begun, { own, control: null }, now, [id]);
  const verdict = disabledAt === undefined ? advanced : checkPresence(advanced, 'disabled', disabledAt);
  await store.advisorVerdicts.put(repoId, { operationId, commit: null, change, verdict }, now);
}

const operationId = '6f1d7a52-1f0e-4e5c-9a3b-0c1d2e3f4a5b';

/** A pull request from here that was merged, #41. */
export async function keepMerged(
  { advisorPullRequests }: Store,
  repository: Repository,
  { change, mergedAt }: { change: ProposedChange; mergedAt: number },
): Promise<void> {
  const openedAt = mergedAt - day;
  const wanted = {
    operationId,
    userId: 1,
    login: 'ann',
    key: null,
    requestHash: 'request',
    subjectHash: 'subject',
    repository,
    ids: [change.id],
    baseBlobs: {},
  };
  const claim = await advisorPullRequests.claim(wanted, openedAt);
  if (claim.kind !== 'own') throw new Error('The pull request is claimed already.');
  await advisorPullRequests.done(
    claim.claimed,
    {
      number: 41,
      htmlUrl: `${repository.htmlUrl}/pull/41`,
      createdAt: openedAt,
      branch: 'ci-advisor/one',
      baseBranch: 'main',
      baseCommit: 'a'.repeat(40),
      commit: 'b'.repeat(40),
      isDraft: false,
      title: 'CI: cancel superseded runs',
      ids: [change.id],
      proposed: [change],
    },
    null,
  );
  await advisorPullRequests.become(operationId, { state: 'merged', mergedAt, mergeCommit: 'c'.repeat(40) });
}
