import { z } from 'zod';
import { type Context, changedBy } from '../../access/context.ts';
import { administrator, feature } from '../../access/rules.ts';
import { operation, perMinute } from '../../api/operation.ts';
import { nextAfter } from '../../api/parameters.ts';
import { plainText, within } from '../../platform/fields.ts';
import { invalidRequest, Problem } from '../../platform/problem.ts';
import { listVisibleRepositories, visibleRepository } from '../../reports/repositories/visibility.ts';
import { alertChannels } from '../../store/entities/alert-rule.ts';
import { assertDestination } from '../destinations.ts';
import { measureRule } from '../measure-rule.ts';
import { leadershipDigest, toMetricKey, watchable } from '../rules.ts';
import { parseScope, type Scope } from '../scope.ts';
import { openForMs, ShownEvent, ShownRule, shownEvent } from '../shown.ts';
import { readAlerts } from '../source.ts';
import { findVisibilityScope } from '../visible.ts';
import { cursor, nextCursor, noEvents, readEventPage } from './event-page.ts';
import { shownRules, theRule } from './rules-with-state.ts';

/** What a rule can watch, for those who choose. */
export const ruleMetrics = watchable;

export const writes = perMinute('alert-rules', 30, { per: 'account', counts: 'after' });

const scope = z
  .string()
  .refine((text) => parseScope(text) !== null, 'must name a repository or an organization')
  .meta({ description: '`repo:<owner>/<repo>` or `org:<org>`.' });

const metric = z
  .string()
  .transform(toMetricKey)
  .pipe(
    z.enum(
      watchable.map(({ key }) => key),
      'is not a metric for alert rules',
    ),
  );

/** In the unit of the metric; 0 means whenever there is data. */
export const threshold = z.number().min(0).max(1e9);
export const windowHours = within(1, 2160);
export const destination = z.string().max(2000);
export const minSample = within(1, 1000);

/** What a rule says to people; emptied with null. */
export const ruleNotes = {
  owner_note: z.string().max(500).pipe(plainText).nullable().optional(),
  runbook_url: z
    .url({ protocol: /^https?$/, error: 'is not an http or https address' })
    .max(500)
    .nullable()
    .optional()
    .meta({ description: 'What to do when the rule fires.' }),
};

/** The tables of the answer that can be had as CSV. */
const alertTables = ['rules', 'events'] as const;

export const AlertList = z
  .object({
    rules: z.array(ShownRule),
    events: z.array(ShownEvent),
    table: z.enum(alertTables).meta({ description: 'The table that CSV gives.' }),
    next_cursor: nextCursor,
    open_count: z.int().nullable().meta({ description: 'Open events, of all and not only of the newest.' }),
  })
  .meta({ id: 'AlertList' });

const Listing = z.object({
  scope: scope.optional(),
  events: z.enum(['0', '1']).default('0'),
  table: z.enum(alertTables).default('rules'),
  cursor,
});

export const getAlerts = operation({
  method: 'GET',
  path: '/api/alerts',
  summary: 'Alert rules with their state; with events=1 also the newest events; CSV: what `table` names',
  access: feature('alerts'),
  failures: ['upstream_unavailable'],
  input: Listing,
  output: AlertList,
  cache: 'private, no-store',
  rows: ({ table, rules, events }) =>
    table === 'rules' ? rules : events.map(({ details, ...event }) => ({ ...event, subject: nameSubject(details) })),
  nextPage: (answer) => (answer.table === 'events' ? nextAfter(answer) : null),
  run: list,
});

/** The workflow or pull request of an event; the row that a file takes its columns from has no details. */
const nameSubject = (details: z.output<typeof ShownEvent>['details'] | null) =>
  details?.workflow ?? details?.title ?? null;

async function list({ scope: text, events: requested, table, cursor }: z.output<typeof Listing>, context: Context) {
  const isWanted = table === 'events' || requested === '1';
  const source = await readAlerts(context);
  const { alertRules, alertEvents } = source;
  const key = text === undefined ? null : (parseScope(text)?.scopeKey ?? null);
  const rules = await alertRules.list(key);
  const isAdmin = await mayAdminister(context);
  const now = context.services.clock.now();
  const subjects = isWanted && !isAdmin ? await context.store.alertEvents.subjects(key) : [];
  const visibility = isAdmin ? null : await findVisibilityScope({ rules, subjects }, context);
  const page = isWanted ? await readEventPage(alertEvents, { cursor, scopeKey: key, visibility }) : noEvents;
  const seen = rules.filter((rule) => visibility?.sees(rule.scope) ?? true);
  const activeRules = new Set(rules.filter(({ enabled }) => enabled).map(({ id }) => id));
  return {
    rules: await shownRules(seen, { source, context, visibility }),
    events: page.events.map((event) => shownEvent(event, { isAdmin, now, activeRules })),
    table,
    nextCursor: page.nextCursor,
    openCount: isWanted ? await alertEvents.countOpen(now - openForMs, key, visibility) : null,
  };
}

/** An access token sees what people see who administer nothing, whoever made it. */
export async function mayAdminister(context: Context): Promise<boolean> {
  const { isAdmin, accessToken } = await context.actor();
  return accessToken === null && (context.services.env.MODE === 'standalone' || isAdmin);
}

/** The fields of a rule that is made, or tried before it is. */
export const ruleFields = {
  scope,
  metric,
  threshold: threshold.optional().meta({ description: 'Needed for all but the leadership digest.' }),
  window_hours: windowHours.default(24),
  min_sample: minSample.optional(),
};

const NewRule = z.object({
  ...ruleFields,
  channel: z.enum(alertChannels).default('browser'),
  destination: destination.optional(),
  ...ruleNotes,
});

export const SavedRule = z
  .object({ rule: ShownRule, duplicate: z.literal(true).optional() })
  .meta({ id: 'SavedAlertRule' });

export const createAlert = operation({
  method: 'POST',
  path: '/api/alerts',
  summary: 'Create an alert rule or a weekly leadership digest; an identical rule is returned, not duplicated',
  access: administrator,
  failures: ['not_found', 'upstream_unavailable'],
  limit: writes,
  input: NewRule,
  output: SavedRule,
  successes: { 200: 'The rule already existed.', 201: 'The rule was created.' },
  async run(given, context, reply) {
    const parsed = parseScope(given.scope);
    if (!parsed) throw new Error('The scope was checked.');
    const { scope, scopeKind, scopeKey } = parsed;
    const notes = { ownerNote: given.owner_note ?? null, runbookUrl: given.runbook_url ?? null };
    const values = { ...toRuleValues(given, parsed), ...notes };
    await assertDestination(values, context);
    await assertVisible(parsed, context);
    const rule = { ...values, scope, scopeKind, scopeKey };
    const created = await context.store.alertRules.create(rule, await changedBy(context));
    if (!created) throw invalid('scope', 'The limit of 500 rules is reached. Delete one first.');
    if (!created.isDuplicate) {
      reply.status = 201;
      await measureRule(created.rule, { ...context.services, store: context.store });
    }
    return { rule: await theRule(created.rule, context), ...(created.isDuplicate && { duplicate: true as const }) };
  },
});

export const invalid = (field: string, message: string) => invalidRequest([{ field, reason: 'invalid', message }]);

/** Checks across fields. */
export function checkedRule(
  { metric, threshold }: Pick<z.output<typeof NewRule>, 'metric' | 'threshold'>,
  scope: Scope,
): void {
  if (metric === leadershipDigest && scope.scopeKind !== 'org')
    throw invalid('scope', 'The leadership digest needs an organization, not a repository.');
  if (metric !== leadershipDigest && threshold === undefined)
    throw invalidRequest([{ field: 'threshold', reason: 'missing', message: 'threshold is missing.' }]);
  assertThreshold(metric, threshold ?? 0);
}

function toRuleValues(given: z.output<typeof NewRule>, scope: Scope) {
  checkedRule(given, scope);
  const isDigest = given.metric === leadershipDigest;
  const channel = isDigest ? ('email' as const) : given.channel;
  return {
    metric: given.metric,
    channel,
    destination: given.destination ?? null,
    minSample: given.min_sample ?? null,
    threshold: isDigest ? 0 : (given.threshold ?? 0),
    windowHours: isDigest ? 168 : given.window_hours,
  };
}

export function assertThreshold(metric: string, threshold: number): void {
  const isShare = watchable.some(({ key, unit }) => key === metric && unit === 'percent');
  if (isShare && threshold > 100) throw invalid('threshold', 'threshold is a percentage, at most 100.');
}

/** What is watched must be there for whoever sets the rule, by their own token. */
export async function assertVisible({ owner, repo }: Scope, context: Context): Promise<void> {
  if (repo !== null) return void (await visibleRepository({ owner, repo }, context));
  const { items } = await listVisibleRepositories(owner, context);
  if (items.length === 0) throw new Problem('not_found', 'Organization not found.');
}
