import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import type { SeenEvents } from './alert-events.ts';
import type { Queries, Tables } from './database.ts';

/** The ORM converts columns of the same name by the table that comes last, so events do. */
export const selectEvents = ({ db }: Queries) =>
  db
    .selectFrom('repos')
    .rightJoin('alert_events', 'alert_events.repoId', 'repos.id')
    .selectAll('alert_events')
    .select((eb) => sql<string | null>`${eb.ref('repos.owner')} || '/' || ${eb.ref('repos.name')}`.as('repo'));

/** Whether the rule of an event exists and is on. */
export const isOfActiveRule = (eb: ExpressionBuilder<Tables, 'alert_events'>) =>
  eb.exists(
    eb
      .selectFrom('alert_rules')
      .select('alert_rules.id')
      .whereRef('alert_rules.id', '=', 'alert_events.ruleId')
      .where('alert_rules.enabled', '=', true),
  );

/** Events of a scope by its key, or of all; those that somebody may know of, or all. */
export function isListed(scopeKey: string | null, seen: SeenEvents | null) {
  const eb = expressionBuilder<Tables, 'alert_events'>();
  const ofScope = scopeKey === null ? [] : [eb('alert_events.scopeKey', '=', scopeKey)];
  if (seen === null) return eb.and(ofScope);
  const ofRepositories = eb('alert_events.repoId', '=', eb.fn.any(eb.val([...seen.repoIds])));
  return eb.and([
    ...ofScope,
    eb('alert_events.scope', '=', eb.fn.any(eb.val([...seen.scopes]))),
    eb.or([eb('alert_events.repoId', 'is', null), ofRepositories]),
  ]);
}
