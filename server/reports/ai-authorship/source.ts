import type { Context } from '../../access/context.ts';
import { agentDataVersion } from '../../metrics/ai-authorship/agents.ts';
import { mayTellOfBeforeRow } from '../../metrics/ai-authorship/floors.ts';
import type { MarkedGroup } from '../../metrics/ai-authorship/groups.ts';
import { marksLookBack } from '../../metrics/ai-authorship/look-back.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { type AiAuthorshipSettings, markTableVersion } from '../../settings/ai-authorship.ts';
import type { MarksCursor } from '../../store/pull-request-marks.ts';
import { type AdvisorScopeInput, scopeOf } from '../advisor/scope.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { assertOwner, listVisibleRepositories, nameKey, visibleRepository } from '../repositories/visibility.ts';
import { sampleGroups } from './demo.ts';
import { readOpened } from './demo-opened.ts';
import { addMonths, findMonths, type Months, type MonthsInput, startOfMonth } from './months.ts';

/** Why marks of a scope are not complete. */
export const marksGaps = [
  'list_truncated',
  'repositories_unread',
  'reading_underway',
  'other_table',
  'month_begun',
  'before_look_back',
  'before_row',
] as const;
export type MarksGap = (typeof marksGaps)[number];

/** What is known of the marks in a scope, which the caller may see. */
export interface MarksReading {
  months: Months;
  calendar: Calendar;
  now: Instant;
  /** Those of the scope whose marks were read to their end. */
  repositories: Repository[];
  /** How far each repository was read, by its id. */
  readings: ReadonlyMap<number, MarksCursor>;
  /** Of the scope; and of the other visible repositories of its organization, where it is one repository. */
  groups: MarkedGroup[];
  rest: MarkedGroup[];
  /** Repositories that the caller sees and that are not excluded, and those of them whose marks were read to their end. */
  visible: number;
  read: number;
  gaps: MarksGap[];
  /** Months of which not every pull request was read. */
  partialMonths: ReadonlySet<string>;
  tableVersion: string;
  /** The oldest time up to which any of the repositories was read; null where none was. */
  asOf: Instant | null;
}

export interface AuthorshipInput extends AdvisorScopeInput, MonthsInput {}

/** Reads the stored marks of an organization or a repository: visible rows first, so that floors are of these alone. */
export async function readMarks(
  input: AuthorshipInput,
  settings: AiAuthorshipSettings,
  context: Context,
): Promise<MarksReading> {
  const calendar = await teamCalendar(context);
  const now = context.services.clock.now();
  const months = findMonths(input, now, calendar);
  const { inScope, outside, isTruncated } = await listRepositories(input, settings, context);
  const version = context.isDemo
    ? agentDataVersion
    : markTableVersion(settings, { timezone: calendar.timezone, botLogins: context.services.env.BOT_LOGINS });
  const stored = await readStored([...inScope, ...outside], { months, version, now, calendar }, context);
  const finished = inScope.flatMap(({ id }) => stored.readings.get(id) ?? []).filter(({ readThrough }) => readThrough);
  const asOf = finished.length === 0 ? null : Math.min(...finished.map(({ readThrough }) => readThrough ?? now));
  const isInScope = new Set(inScope.map(({ id }) => id));
  const groups = stored.groups.filter(({ repositoryId }) => isInScope.has(repositoryId));
  const lookBack = now - marksLookBack;
  const isBegun = (month: string) => startOfMonth(addMonths(month, 1), calendar) > (asOf ?? 0);
  const isEarly = (month: string) => startOfMonth(month, calendar) < lookBack;
  const gaps: [MarksGap, boolean][] = [
    ['list_truncated', isTruncated],
    ['repositories_unread', finished.length < inScope.length],
    ['reading_underway', finished.some(({ pass }) => pass !== null)],
    ['other_table', finished.some((one) => one.version !== version)],
    ['month_begun', isBegun(months.to)],
    ['before_look_back', isEarly(months.from)],
    ['before_row', mayTellOfBeforeRow(groups)],
  ];
  return {
    months,
    calendar,
    now,
    repositories: inScope.filter(({ id }) => stored.readings.get(id)?.readThrough),
    readings: stored.readings,
    groups,
    rest: stored.groups.filter(({ repositoryId }) => !isInScope.has(repositoryId)),
    visible: inScope.length,
    read: finished.length,
    gaps: gaps.flatMap(([gap, isThere]) => (isThere ? gap : [])),
    partialMonths: new Set(months.all.filter((month) => isBegun(month) || isEarly(month))),
    tableVersion: version,
    asOf,
  };
}

interface StoredOptions {
  months: Months;
  version: string;
  now: Instant;
  calendar: Calendar;
}

/** The marks of repositories that were read to their end once, and how far each was; the sample invents both. */
async function readStored(
  repositories: readonly Repository[],
  { months, version, now, calendar }: StoredOptions,
  context: Context,
): Promise<{ groups: MarkedGroup[]; readings: Map<number, MarksCursor> }> {
  const ids = repositories.map(({ id }) => id);
  if (context.isDemo) {
    const reading = { version, readThrough: now, pass: null };
    const opened = await readOpened(repositories, calendar, context);
    return { groups: sampleGroups(opened, months, now), readings: new Map(ids.map((id) => [id, reading])) };
  }
  const { pullRequestMarks } = context.store;
  const readings = await pullRequestMarks.readings(ids);
  const finished = ids.filter((id) => readings.get(id)?.readThrough);
  return { groups: await pullRequestMarks.groups(finished, months), readings };
}

/** The repositories of a scope that the caller sees and that are not excluded, and the others of its organization. */
async function listRepositories(
  input: AuthorshipInput,
  { repositories_excluded }: AiAuthorshipSettings,
  context: Context,
): Promise<{ inScope: Repository[]; outside: Repository[]; isTruncated: boolean }> {
  const excluded = new Set(repositories_excluded.map((name) => name.toLowerCase()));
  const scope = scopeOf(input);
  const alone = 'org' in scope ? null : await visibleRepository(scope, context);
  const owner = 'org' in scope ? scope.org : scope.owner;
  const { items, partial } = await listVisibleRepositories(owner, context);
  if (items.length === 0 && alone === null) await assertOwner(owner, context);
  const counted = items.filter((one) => !excluded.has(nameKey(one)));
  if (alone === null) return { inScope: counted, outside: [], isTruncated: partial };
  return {
    inScope: excluded.has(nameKey(alone)) ? [] : [alone],
    outside: counted.filter(({ id }) => id !== alone.id),
    isTruncated: false,
  };
}
