import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import type { Child } from '../support/child.ts';
import type { MailDouble } from '../support/mail-double.ts';
import { rounds } from '../support/rounds.ts';

/** How often a process is killed, for each kind of email and each database. */
export const kills = rounds('DELIVERY_KILLS', 2, 4);

/**
 * A process is killed within this time after it handed over so many emails. Of these moments each has its turn, so
 * that no email is hit more often than it may be tried; in the second one the email has no answer by then.
 */
const moments = [
  { emails: 0, withinMs: 120, answeredAfterMs: 20 },
  { emails: 1, withinMs: 20, answeredAfterMs: 1000 },
  { emails: 2, withinMs: 60, answeredAfterMs: 20 },
  { emails: 3, withinMs: 60, answeredAfterMs: 20 },
];
const momentOf = (killed: number) => moments[killed % moments.length] as (typeof moments)[number];

/** What a process that sends through the double is configured with. */
export const settingsOf = ({ keys, url }: MailDouble, database: string) => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
  RESEND_API_KEY: keys.resend,
  RESEND_FROM: 'alerts@codehost.example',
  RESEND_API_URL: url,
  DATABASE_URL: database,
});

interface Sending {
  mail: MailDouble;
  database: string;
  /** Begins a process, before which so many were killed. It says `begun` when it can send, and `done` at its end. */
  begin(killed: number): Child;
  /** Statements by which what the dead held is taken again at once. */
  expire: readonly string[];
  /** What happens after a kill. */
  meanwhile?(): Promise<void>;
}

/** Kills a process in the midst of its sending, again and again, and lets the last one come to its end. */
export async function killSenders({ mail, database, begin, expire, meanwhile }: Sending): Promise<void> {
  for (let killed = 0; killed < kills; killed++) {
    const { emails, withinMs, answeredAfterMs } = momentOf(killed);
    mail.answerAfter(answeredAfterMs);
    const wanted = mail.requests.length + emails;
    const sender = begin(killed);
    const closed = once(sender.child, 'close');
    await sender.until(() => sender.said.includes('begun') && mail.requests.length >= wanted);
    await sleep(Math.random() * withinMs);
    await sender.kill('SIGKILL');
    await closed;
    // It was at it, and nothing but the kill ended it.
    expect([await sender.exit, sender.said]).toEqual([[null, 'SIGKILL'], 'begun\n']);
    await forgetDead(database, expire);
    await meanwhile?.();
  }
  mail.answerAfter(0);
  const last = begin(kills);
  expect(await last.exit).toEqual([0, null]);
}

/** As if a minute had passed, after which leases of the dead are given to others. */
export const expireLeases = [`update job_leases set expires_at = expires_at - interval '1 minute'`];

/** The same for items of the queue that the dead were at; they are taken again after a second. */
export const expireItems = [
  `update queue.job set heartbeat_on = heartbeat_on - interval '1 minute', retry_delay = 1, retry_backoff = false
     where state = 'active'`,
  `update queue.queue set monitor_claim_on = null, monitor_on = null`,
  `update queue.job set start_after = now() where state in ('created', 'retry')`,
];

async function forgetDead(url: string, expire: readonly string[]) {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
  const { query } = toDatabase(connection.orm);
  const held = await query<{ left: number }>(
    `select date_part('epoch', expires_at - clock_timestamp()) as left from job_leases`,
  );
  for (const { left } of held) expect(left, 'seconds that the dead hold a lease').toBeLessThanOrEqual(30);
  for (const statement of expire) await query(statement);
  await connection.close();
}

/**
 * Each of these keys went out, and no other. What went out twice is the same email under one key, which the provider
 * drops: each kill may leave one, and one where the email had no answer does.
 */
export function expectSentOnce(mail: MailDouble, wanted: readonly string[]): void {
  const byKey = Map.groupBy(mail.requests, ({ headers }) => String(headers['idempotency-key']));
  expect([...byKey.keys()].sort()).toEqual(wanted.toSorted());
  for (const [key, sent] of byKey) expect(new Set(sent.map(({ text }) => text)).size, key).toBe(1);
  const unanswered = Array.from({ length: kills }, (_, killed) => momentOf(killed)).filter(
    ({ emails, withinMs, answeredAfterMs }) => emails > 0 && answeredAfterMs > withinMs,
  );
  const again = mail.requests.length - wanted.length;
  expect(again).toBeGreaterThanOrEqual(unanswered.length);
  expect(again).toBeLessThanOrEqual(kills);
}
