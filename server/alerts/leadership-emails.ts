import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobContext } from '../../jobs/job.ts';
import type { Context, Services } from '../access/context.ts';
import { hasSpareQuota } from '../codehost/client/rate-limit.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { openServiceToken } from '../platform/service-token.ts';
import { teamCalendar } from '../reports/kernel/calendar.ts';
import { eligibleAmong } from '../reports/scorecard/eligibility.ts';
import { computeScore, type Row } from '../reports/scorecard/row.ts';
import type { AlertRule } from '../store/alert-rules.ts';
import {
  type DueDigests,
  dueDigests,
  generateAiSummary,
  type ScoredOrganization,
  sendLeadershipDigest,
  type WeeklyEmail,
  weeklyEmail,
} from './leadership-digest.ts';

/** What came of the weekly emails. */
export interface LeadershipReport {
  rules: number;
  sent: number;
  failures: number;
}

/** How long organizations are scored at most, all together. */
export const scoringMs = 60_000;
/** Of an organization, those that were pushed to last. */
const maxRepositories = 10;

/** What is due today; null when nothing is, and where there is no database or no token to read with. */
export async function dueEmails({ services }: Pick<JobContext, 'services'>): Promise<DueDigests | null> {
  const { store, env, log } = services;
  if (!store || !env.CODEHOST_TOKEN) return null;
  return dueDigests({ ...services, store }).catch((error: unknown) => {
    log.error({ err: error }, 'the due weekly emails could not be determined');
    return null;
  });
}

/** Emails by the scope of their rules. */
export type WrittenEmails = ReadonlyMap<string, WeeklyEmail>;

/**
 * Writes an email for each organization, with what of it could be scored in time. None where nothing of it could be
 * read, or there was no time left for it: that is for another run.
 */
export async function writeEmails(
  due: Pick<DueDigests, 'week' | 'rules'>,
  context: JobContext,
): Promise<WrittenEmails> {
  const { clock } = context.services;
  const organizations = [...new Map(due.rules.map((rule) => [rule.scopeKey, rule])).values()];
  const until = Math.min(context.until, clock.now() + scoringMs);
  const scored = new Map<string, ScoredOrganization>();
  for (const [index, rule] of organizations.entries()) {
    const share = (until - clock.now()) / (organizations.length - index);
    const found = await scoresFor(rule, endingAt(clock.now() + share, context));
    if (found) scored.set(rule.scopeKey, found);
  }
  const emails = new Map<string, WeeklyEmail>();
  for (const [scopeKey, scores] of scored) {
    const left = context.mayContinue() ? context.until - clock.now() : 0;
    const written = left > 0 ? await within(left, generateAiSummary(scores, due.week, context.services)) : null;
    emails.set(scopeKey, weeklyEmail(scores, due.week, written));
  }
  return emails;
}

/** Sends what was written, as long as there is time. An email that could not be written has failed. */
export async function sendEmails(
  due: DueDigests,
  emails: WrittenEmails,
  { services, mayContinue }: JobContext,
): Promise<LeadershipReport> {
  const report = { rules: due.rules.length, sent: 0, failures: 0 };
  const { store } = services;
  for (const rule of due.rules) {
    const email = emails.get(rule.scopeKey);
    if (!email) report.failures++;
    if (!store || !email || !mayContinue()) continue;
    const outcome = await sendLeadershipDigest(rule, email, due, { ...services, store }).catch((error: unknown) => {
      services.log.error({ err: error, rule_id: rule.id }, 'a weekly email could not be sent');
      return 'failed';
    });
    if (outcome === 'sent') report.sent++;
    if (outcome === 'failed') report.failures++;
  }
  return report;
}

/** The same job with an earlier end. */
export function endingAt(until: Instant, context: JobContext): JobContext {
  const { clock } = context.services;
  return { ...context, until, mayContinue: () => context.mayContinue() && clock.now() < until };
}

async function scoresFor(rule: AlertRule, context: JobContext): Promise<ScoredOrganization | null> {
  const { log } = context.services;
  try {
    return await scores(rule.scope.slice('org:'.length), context);
  } catch (error) {
    log.warn({ err: error, rule_id: rule.id }, 'an organization could not be scored for its weekly email');
    return null;
  }
}

/** Scores with the service's own token, one repository after the other, while time and quota last. */
async function scores(org: string, { services, mayContinue, until }: JobContext): Promise<ScoredOrganization | null> {
  const context = contextOf(services);
  const codehost = await context.codehost();
  const { items } = await codehost.repositories.ofOrganization(org);
  const chosen = eligibleAmong(items, services.clock.now()).candidates.slice(0, maxRepositories);
  const calendar = await teamCalendar(context);
  const rows: Row[] = [];
  let tried = 0;
  for (const repository of chosen) {
    if (!mayContinue() || !(await hasSpareQuota(codehost).catch(toRejected))) break;
    tried++;
    const scored = await within(
      until - services.clock.now(),
      computeScore(repository, calendar, context).catch(toRejected),
    );
    // What is older than it should be is not all that there is to know.
    if (scored) rows.push({ ...scored.row, partial: scored.row.partial || scored.stale });
  }
  return chosen.length > 0 && tried === 0 ? null : { org, rows, repositories: chosen.length };
}

/** A repository that the platform does not give is not scored; a rejected token and a defect end all. */
function toRejected(error: unknown): null {
  if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
  return null;
}

/** The context that reports need, where there is no request: the platform as the service sees it. */
function contextOf(services: Services): Context {
  const { env } = services;
  if (!env.CODEHOST_TOKEN) throw new Problem('service_token_missing', 'CODEHOST_TOKEN is not set.');
  const codehost = services.connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
  return {
    services,
    requestId: randomUUID(),
    method: 'GET',
    url: new URL(env.APP_URL),
    headers: new Headers(),
    address: '',
    signal: services.stopping,
    isDemo: false,
    actor: () => Promise.reject(new Problem('unauthenticated', 'Nobody asks.')),
    connect: () => codehost,
    codehost: async () => codehost,
    get store() {
      if (services.store) return services.store;
      throw new Problem('db_not_configured', 'No database is configured, so nothing is stored.');
    },
  };
}

/** What comes in time; null for what does not, which nobody waits for any more. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const timeout = new AbortController();
  const late = sleep(Math.max(0, ms), null, { signal: timeout.signal }).catch(() => null);
  return Promise.race([work, late]).finally(() => timeout.abort());
}
