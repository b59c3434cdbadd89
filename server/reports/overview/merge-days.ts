import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { People } from '../../metrics/people/people.ts';
import { addDays } from '../../metrics/people/workday-hours.ts';
import type { Bots } from '../../metrics/pull-requests/bots.ts';
import { scopeHoursToMerge, scopeMerges } from '../../metrics/pull-requests/merges.ts';
import type { MergeRecord } from '../../metrics/pull-requests/pull-requests.ts';
import type { MergedOfRepositories } from '../../store/merged-pull-requests.ts';
import type { CiScope } from '../ci/reading.ts';
import { isCut } from '../kernel/period.ts';
import type { ScopeOverview } from './schema.ts';

interface Merges extends Pick<MergedOfRepositories, 'counted' | 'stored'> {
  pullRequests: readonly MergeRecord[];
}

/** The merges of a window by day; nothing is known of days after the repository that is least up to date was read. */
export function listMergeDays(
  { counted, stored, pullRequests }: Merges,
  { window, days, calendar }: Pick<CiScope, 'window' | 'days' | 'calendar'>,
  { people, bots, now }: { people: People; bots?: Bots | undefined; now: Instant },
): Domain<typeof ScopeOverview>['mergeDays'] {
  const scope = { window, people, bots };
  const merged = pullRequests.flatMap((one) => (one.mergedAt === null ? [] : [{ one, at: one.mergedAt }]));
  const byDay = Map.groupBy(merged, ({ at }) => calendar.getDay(at));
  const through = Math.min(...counted.map((id) => stored.get(id)?.to ?? Number.NEGATIVE_INFINITY));
  const lastRead = counted.length === 0 ? null : calendar.getDay(through);
  const today = calendar.getDay(now);
  const isRead = (day: string) =>
    lastRead !== null && (calendar.getStart(addDays(day, 1)) - 1 <= through || (day === today && lastRead === today));
  return days.map((date) => {
    const own = isRead(date) ? (byDay.get(date) ?? []).map(({ one }) => one) : null;
    const hours = scopeHoursToMerge(scope)(own ?? []);
    return {
      date,
      merged: own && scopeMerges(scope)(own).value,
      medianHoursToMerge: hours.value,
      partial: isCut(date, window, calendar),
    };
  });
}
