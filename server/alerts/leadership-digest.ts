import { randomUUID } from 'node:crypto';
import type { Services } from '../access/context.ts';
import { digestSnapshot } from '../ai/snapshot-digest.ts';
import { digestSurface } from '../ai/surfaces.ts';
import { type LeadershipEmailData, leadershipEmail } from '../mail/emails/leadership-digest.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import { withoutAddresses } from '../platform/mail-address.ts';
import { Problem } from '../platform/problem.ts';
import type { Row } from '../reports/scorecard/row.ts';
import type { AlertRule } from '../store/alert-rules.ts';
import type { Store } from '../store/orm.ts';
import { ruleHref } from './channels/channel.ts';
import { narrative } from './narrative.ts';
import { leadershipDigest } from './rules.ts';

export type LeadershipServices = Pick<Services, 'answers' | 'clock' | 'env' | 'mailer'> & { store: Store };

/** What of a week is still to be sent. */
export interface DueDigests {
  /** ISO 8601, such as `2026-W47`. */
  week: string;
  /** Complete UTC days since its Monday, two at most. */
  day: number;
  /** The rules whose email did not go out yet. */
  rules: AlertRule[];
  /** Ids of those whose email should have gone out on Monday. */
  late: ReadonlySet<number>;
}

/** The scores of an organization, as far as they could be had. */
export interface ScoredOrganization {
  org: string;
  rows: readonly Row[];
  /** How many repositories were to be scored. */
  repositories: number;
}

/** A week of an organization, the same for all of its rules. */
export type WeeklyEmail = Omit<LeadershipEmailData, 'ruleHref' | 'isDelayed'>;

/** From Monday to Wednesday. */
const sendingDays = 3;
/** On each of these days, so that six attempts reach until Wednesday. */
const attemptsADay = 2;

const attemptsUntil = (day: number) => attemptsADay * (day + 1);

/**
 * The emails that are due: on Monday by UTC date, or what is left of them until Wednesday; null when there are none,
 * or nothing that mail goes out through. What did not go out by then is recorded as missed.
 */
export async function dueDigests({ store, clock, mailer }: LeadershipServices): Promise<DueDigests | null> {
  const now = clock.now();
  const { week, monday, day } = weekAt(now);
  const isOver = day >= sendingDays;
  await store.weeklyDigests.giveUp(week, isOver, now);
  const rules = (await store.alertRules.list()).filter(
    ({ metric, enabled, createdAt }) => metric === leadershipDigest && enabled && createdAt < monday + dayMs,
  );
  if (isOver) await store.weeklyDigests.miss(findMissedRuleIds(rules, monday), week, now);
  if (isOver || rules.length === 0 || (await mailer.status()).provider === null) return null;
  const begun = new Map((await store.weeklyDigests.of(week)).map((one) => [one.ruleId, one]));
  const open = rules.filter(({ id, mutedUntil }) => {
    const { status, attempts } = begun.get(id) ?? { status: 'failed', attempts: 0 };
    const isOpen = (status === 'claimed' || status === 'failed') && attempts < attemptsUntil(day);
    return isOpen && (mutedUntil ?? now) <= now;
  });
  if (open.length === 0) return null;
  const isLate = (rule: AlertRule) => day > 0 && (begun.has(rule.id) || wasOnAt(rule, monday));
  return { week, day, rules: open, late: new Set(open.filter(isLate).map(({ id }) => id)) };
}

/** Whether a rule was on, as far as its latest change tells: what was changed since may have been off. */
const wasOnAt = ({ createdAt, updatedAt, mutedUntil }: AlertRule, at: Instant): boolean =>
  Math.max(createdAt, updatedAt, mutedUntil ?? 0) <= at;

/** Those that were on by the last day of the week's emails. */
function findMissedRuleIds(rules: readonly AlertRule[], monday: Instant): number[] {
  const lastDay = monday + (sendingDays - 1) * dayMs;
  const wasOn = ({ mutedUntil, updatedAt }: AlertRule) =>
    (mutedUntil ?? lastDay) <= lastDay && updatedAt < lastDay + dayMs;
  return rules.filter(wasOn).map(({ id }) => id);
}

/** The ISO week of an instant by its UTC date, its Monday, and how many complete days ago that is. */
export function weekAt(now: Instant): { week: string; monday: Instant; day: number } {
  const today = Math.floor(now / dayMs);
  // 1970-01-01 was a Thursday.
  const day = (today + 3) % 7;
  const thursday = (today - day + 3) * dayMs;
  const year = new Date(thursday).getUTCFullYear();
  const number = Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1;
  return { week: `${year}-W${String(number).padStart(2, '0')}`, monday: (today - day) * dayMs, day };
}

/**
 * What a language model makes of the week; null where none is configured, where it fails, and where there is nothing
 * to report. Never throws: an email does without.
 */
export async function generateAiSummary(
  { org, rows }: ScoredOrganization,
  week: string,
  { ai, log }: Pick<Services, 'ai' | 'log'>,
): Promise<LeadershipEmailData['aiSummary']> {
  const { summary, highlights, concerns, scored } = narrative(rows);
  if (scored === 0) return null;
  const snapshot = digestSnapshot({ org, week, rows, narrative: [summary, ...highlights, ...concerns] });
  const request = { snapshot, scope: `org:${org.toLowerCase()}`, refresh: false, priority: 'digest' as const };
  try {
    const { content, provider, model, unverified } = await ai.generate(digestSurface, request);
    return { text: content.summary, provider, model, unverified };
  } catch (error) {
    if (!(error instanceof Problem))
      log.error({ err: error }, 'the paragraph of a weekly email could not be generated');
    return null;
  }
}

/** The email about an organization's week. */
export function weeklyEmail(
  { org, rows, repositories }: ScoredOrganization,
  week: string,
  aiSummary: LeadershipEmailData['aiSummary'],
): WeeklyEmail {
  return { ...narrative(rows), org, week, repositories, aiSummary, isTest: false };
}

/**
 * Sends a rule its email of the week, unless that went out; null when there is nothing to do any more, or somebody
 * else is at it. A rejected email is tried again, two times a day, as it is by then. At-least-once: an attempt with
 * unknown result is resent with the same idempotency key and the same text.
 */
export async function sendLeadershipDigest(
  rule: AlertRule,
  email: WeeklyEmail,
  due: Pick<DueDigests, 'week' | 'day' | 'late'>,
  services: LeadershipServices,
): Promise<'sent' | 'failed' | null> {
  const key = `leadership:${rule.id}:${due.week}`;
  return services.store.leases.hold(key, randomUUID(), () => attempt({ rule, email, due, key }, services));
}

type SentEmail = WeeklyEmail & Pick<LeadershipEmailData, 'isDelayed'>;

interface Attempt {
  rule: AlertRule;
  email: WeeklyEmail;
  due: Pick<DueDigests, 'week' | 'day' | 'late'>;
  key: string;
}

async function attempt(
  { rule, email, due, key }: Attempt,
  { store, mailer, clock, env, answers }: LeadershipServices,
): Promise<'sent' | 'failed' | null> {
  const digest = await store.weeklyDigests.claim(rule.id, due.week, attemptsUntil(due.day), clock.now());
  if (!digest) return null;
  const earlier = digest.isUnsure ? await answers.get<SentEmail>(key) : null;
  const written = earlier?.value ?? { ...email, isDelayed: due.late.has(rule.id) };
  if (!earlier) await answers.put(key, written, clock.now(), clock.now() + sendingDays * dayMs);
  const content = leadershipEmail({ ...written, ruleHref: ruleHref(rule.id) }, env.APP_URL);
  const sent = await mailer.send({ ...content, to: digest.destination, idempotencyKey: key });
  // What was rejected nobody read: the next attempt shows the state of then, however it ends.
  if (!sent.ok && sent.permanent) await answers.put(key, null, clock.now(), clock.now());
  if (sent.ok) await store.weeklyDigests.sent(digest.id, clock.now());
  else if (sent.permanent) await store.weeklyDigests.failed(digest.id, withoutAddresses(sent.error), clock.now());
  else await store.weeklyDigests.unsure(digest.id, withoutAddresses(sent.error));
  return sent.ok ? 'sent' : 'failed';
}
