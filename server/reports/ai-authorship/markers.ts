import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Share, Shares } from '../../metrics/ai-authorship/shares.ts';
import type { StoredAuditEntry } from '../../store/audit.ts';
import { type Month, startOfMonth } from './months.ts';
import type { AuthorshipTrend } from './schema.ts';
import type { MarksReading } from './source.ts';

type Marker = Domain<typeof AuthorshipTrend>['markers'][number];

/** More changes of the setting are not looked at. */
const maxChanges = 100;

/** What happened to the marks themselves since the window began, oldest first: a step then is no step in the work. */
export async function listMarkers(
  months: readonly { month: Month; classes: Shares['classes'] }[],
  { months: { from }, calendar }: Pick<MarksReading, 'months' | 'calendar'>,
  context: Context,
): Promise<Marker[]> {
  const changes = context.isDemo
    ? []
    : await context.store.audit.list({
        limit: maxChanges,
        before: null,
        categories: ['settings'],
        actor: null,
        action: 'settings.ai_authorship_saved',
      });
  const since = startOfMonth(from, calendar);
  const ofSettings = changes
    .filter(({ at }) => at >= since)
    .flatMap((entry) => describe(entry).map((marker) => ({ at: calendar.getDay(entry.at), ...marker })));
  return [...firstMark(months), ...ofSettings].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

/** The first month with a mark, where one before it is shown to have none. */
function firstMark(months: readonly { month: Month; classes: Shares['classes'] }[]): Marker[] {
  const marked = months.map(({ classes }) => countMarked(classes));
  const first = marked.findIndex((count) => count !== 0);
  const month = months[first]?.month;
  if (first < 1 || month === undefined || (marked[first] ?? null) === null) return [];
  return [{ at: `${month}-01`, kind: 'first_mark', text: 'First month with a mark' }];
}

/** null where it is hidden. */
function countMarked(classes: readonly (Share & { class: string })[]): number | null {
  const counts = ['agent_authored', 'ai_assisted'].map((own) => classes.find((one) => one.class === own)?.prs ?? null);
  return counts.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}

/** What a change of the setting did, without names of agents or repositories. */
function describe({ before, after }: Pick<StoredAuditEntry, 'before' | 'after'>): Omit<Marker, 'at'>[] {
  const changed = new Map(Object.entries(after ?? {}));
  const isFirst = before === null;
  const found: Omit<Marker, 'at'>[] = [];
  if (changed.has('enabled') && (!isFirst || changed.get('enabled') === true))
    found.push({ kind: 'policy', text: changed.get('enabled') === true ? 'Switched on' : 'Switched off' });
  if (!isFirst && changed.has('repositories_excluded'))
    found.push({ kind: 'policy', text: 'Excluded repositories changed' });
  if (!isFirst && (changed.has('labels') || changed.has('own_agents')))
    found.push({ kind: 'table_change', text: 'Labels or agents changed, and all months were marked anew' });
  return found;
}
