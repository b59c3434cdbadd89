import type { Instant } from '../metrics/facts.ts';
import type { Database, Queries } from './database.ts';
import { fromMs } from './wire-sql.ts';

/** How far the letter of a week has come for a rule. */
export interface WeeklyDigest {
  ruleId: number;
  /** `claimed`: it is not known whether it went out. `failed`: it was refused, and may be tried again. */
  status: 'claimed' | 'sent' | 'failed' | 'missed';
  /** Attempts so far, also those that came to no end. */
  attempts: number;
}

/** A letter that is to be sent now. */
export interface ClaimedDigest {
  id: number;
  destination: string;
  /** An earlier attempt has no known end: the letter may have gone out. */
  isUnsure: boolean;
}

/** The letters of a week, one for each rule and ISO week, such as `2026-W47`. */
export const weeklyDigests = (database: Database) => ({
  /** What was begun in a week. */
  of: (week: string): Promise<WeeklyDigest[]> =>
    database.query<WeeklyDigest>(
      `select rule_id as "ruleId", status, attempts from digest_sends
       where kind = 'leadership' and slot = $1 and rule_id is not null order by rule_id`,
      [week],
    ),
  /**
   * Reserves the week's letter of a rule for one attempt; null when it went out or was given up, after that many
   * attempts, and when the rule is gone, off or muted by now. The caller is alone with it.
   */
  async claim(ruleId: number, week: string, mostAttempts: number, now: Instant): Promise<ClaimedDigest | null> {
    return (await database.query<ClaimedDigest>(claim, [ruleId, week, mostAttempts, now]))[0] ?? null;
  },
  /** Notes that a letter went out. */
  sent: (id: number, now: Instant): Promise<void> => finish(database, { id, status: 'sent', error: null }, now),
  /** Notes that a letter was refused for certain. */
  refused: (id: number, error: string, now: Instant): Promise<void> =>
    finish(database, { id, status: 'failed', error }, now),
  /** Notes that an attempt failed, and that it is unknown whether the letter went out. */
  async unsure(id: number, error: string): Promise<void> {
    await database.query('update digest_sends set error = $2 where id = $1', [id, error]);
  },
  /** Gives up what did not go out before this week, and in it too where it is over; the rules tell so. */
  giveUp: (week: string, isOver: boolean, now: Instant): Promise<void> =>
    database.transaction(async ({ query }) => {
      await tell(await query<Told>(giveUp, [week, isOver, now]), true, now, query);
    }),
  /** Records that these rules got no letter in a week, where nothing was begun; the rules tell so. */
  miss: (ruleIds: readonly number[], week: string, now: Instant): Promise<void> =>
    database.transaction(async ({ query }) => {
      await tell(await query<Told>(miss, [ruleIds, week, now]), true, now, query);
    }),
});

const claim = `
  with before as materialized (
    select status from digest_sends where kind = 'leadership' and rule_id = $1 and slot = $2
  )
  insert into digest_sends as d (kind, slot, rule_id, destination, status, attempts, events, started_at)
  select 'leadership', $2, id, destination, 'claimed', 1, 0, ${fromMs('$4')} from alert_rules
  where id = $1 and enabled and (muted_until is null or muted_until <= ${fromMs('$4')}) and destination is not null
  on conflict (rule_id, slot) where kind = 'leadership' do update set
    status = 'claimed', attempts = d.attempts + 1, destination = excluded.destination, finished_at = null
  where d.status in ('claimed', 'failed') and d.attempts < $3::int
  returning id::float8 as id, destination,
    coalesce((select status from before) = 'claimed', false) as "isUnsure"`;

/** Weeks compare as text. */
const giveUp = `
  update digest_sends set status = 'missed', finished_at = ${fromMs('$3')}
  where kind = 'leadership' and status in ('claimed', 'failed')
    and (slot collate "C" < $1 or (slot = $1 and $2::boolean))
  returning rule_id as "ruleId"`;

const miss = `
  insert into digest_sends (kind, slot, rule_id, destination, status, events, started_at, finished_at)
  select 'leadership', $2, id, destination, 'missed', 0, ${fromMs('$3')}, ${fromMs('$3')}
  from alert_rules where id = any ($1::int[]) and destination is not null
  on conflict (rule_id, slot) where kind = 'leadership' do nothing
  returning rule_id as "ruleId"`;

const finished = `
  update digest_sends set status = $2, error = $3, finished_at = ${fromMs('$4')} where id = $1
  returning rule_id as "ruleId"`;

/** Since when nothing of a rule can be delivered; null again once a letter went out. */
const setFailing = `
  update alert_rules
  set delivery_failing_since = case when $2::boolean then coalesce(delivery_failing_since, ${fromMs('$3')}) end
  where id = any ($1::int[])`;

interface Told {
  /** null when the rule was deleted. */
  ruleId: number | null;
}

interface Ending {
  id: number;
  status: 'sent' | 'failed';
  error: string | null;
}

const finish = (database: Database, { id, status, error }: Ending, now: Instant): Promise<void> =>
  database.transaction(async ({ query }) => {
    await tell(await query<Told>(finished, [id, status, error, now]), status === 'failed', now, query);
  });

/** Lets the rules say whether their letters go out. */
const tell = (rows: readonly Told[], isFailing: boolean, now: Instant, query: Queries['query']) =>
  query(setFailing, [rows.flatMap(({ ruleId }) => ruleId ?? []), isFailing, now]);
