import { sql } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import { setDelivering, setFailing } from './alert-deliveries.ts';
import type { Database, Queries } from './database.ts';
import type { DigestStatus } from './entities/digest-send.ts';
import { serviceStatements } from './statements.ts';

/** The email of a week for a rule. */
export interface WeeklyDigest {
  ruleId: number;
  status: DigestStatus;
  /** Attempts so far, also those whose result is unknown. */
  attempts: number;
}

/** An email that is to be sent now. */
export interface ClaimedDigest {
  id: number;
  destination: string;
  /** The result of an earlier attempt is unknown: the email may have been sent. */
  isUnsure: boolean;
}

/** The emails of a week, one for each rule and ISO week, such as `2026-W47`. */
export const weeklyDigests = (database: Database) => ({
  /** What was begun in a week. */
  of: (week: string): Promise<WeeklyDigest[]> =>
    database.db
      .selectFrom('digest_sends')
      .select(['ruleId', 'status', 'attempts'])
      .where('kind', '=', 'leadership')
      .where('slot', '=', week)
      .where('ruleId', 'is not', null)
      .orderBy('ruleId')
      .$narrowType<{ ruleId: number }>()
      .execute(),
  /**
   * Reserves the week's email of a rule for one attempt; null when it was sent or given up, after that many attempts,
   * and when the rule is deleted, off or muted by now. The caller is alone with it.
   */
  async claim(ruleId: number, week: string, maxAttempts: number, now: Instant): Promise<ClaimedDigest | null> {
    const parameters = { rule_id: ruleId, week, max_attempts: maxAttempts, now };
    const [claimed] = await database.run<ClaimedDigest>(serviceStatements.claim_weekly_digest, parameters);
    return claimed ?? null;
  },
  /** Records that an email was sent. */
  sent: (id: number, now: Instant): Promise<void> =>
    database.transaction(async (queries) => {
      await setDelivering(queries, await finish(queries, id, { status: 'sent', error: null }, now));
    }),
  /** Records that an email was certainly not sent. */
  failed: (id: number, error: string, now: Instant): Promise<void> =>
    database.transaction(async (queries) => {
      await setFailing(queries, await finish(queries, id, { status: 'failed', error }, now), now);
    }),
  /** Records that an attempt failed, and that it is unknown whether the email was sent. */
  async unsure(id: number, error: string): Promise<void> {
    await database.db.updateTable('digest_sends').set({ error }).where('id', '=', id).execute();
  },
  /** Gives up what was not sent before this week, and in it too where it is over; the rules are failing then. */
  giveUp: (week: string, isOver: boolean, now: Instant): Promise<void> =>
    database.transaction(async (queries) => {
      const missed = await queries.db
        .updateTable('digest_sends')
        .set({ status: 'missed', finishedAt: now })
        .where('kind', '=', 'leadership')
        .where('status', 'in', ['claimed', 'failed'])
        // Weeks compare as text.
        .where((eb) => eb(sql`${eb.ref('slot')} collate "C"`, isOver ? '<=' : '<', week))
        .returning('ruleId')
        .execute();
      await setFailing(queries, listRuleIds(missed), now);
    }),
  /** Records that these rules got no email in a week, where nothing was begun; the rules are failing then. */
  miss: (ruleIds: readonly number[], week: string, now: Instant): Promise<void> =>
    database.transaction(async (queries) => {
      const parameters = { rule_ids: ruleIds, week, now };
      const missed = await queries.run<{ ruleId: number }>(serviceStatements.miss_weekly_digests, parameters);
      await setFailing(queries, listRuleIds(missed), now);
    }),
});

/** Answers the rule, where it was not deleted. */
async function finish(
  { db }: Queries,
  id: number,
  { status, error }: { status: 'sent' | 'failed'; error: string | null },
  now: Instant,
): Promise<(number | null)[]> {
  const finished = await db
    .updateTable('digest_sends')
    .set({ status, error, finishedAt: now })
    .where('id', '=', id)
    .returning('ruleId')
    .execute();
  return listRuleIds(finished);
}

const listRuleIds = (rows: readonly { ruleId: number | null }[]) => rows.map(({ ruleId }) => ruleId);
