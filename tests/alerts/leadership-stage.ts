import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { JobContext } from '../../jobs/job.ts';
import { type DueDigests, weekAt } from '../../server/alerts/leadership-digest.ts';
import { dueEmails } from '../../server/alerts/leadership-emails.ts';
import type { AlertRule, AlertRuleChange, AlertRuleValues } from '../../server/store/alert-rules.ts';
import { day, hour } from '../store/world.ts';
import { type AiDouble, startAiDouble } from '../support/ai-double.ts';
import type { TestDatabase } from '../support/database.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { type Service, startService } from '../support/service.ts';
import { addRule, type Ready, servicesOf } from './stage.ts';

const secret = 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE';

/** A service that writes to leaders, with what it writes through; each test has a week of its own and no rules. */
export function leadershipStage(given: TestDatabase) {
  const stage = {
    mail: null as unknown as MailDouble,
    ai: null as unknown as AiDouble,
    service: null as unknown as Service,
    services: null as unknown as Ready,
    /** The same service in another process; null where the database has one process. */
    async beside(): Promise<Service | null> {
      return given.name === 'embedded' ? null : startService(env, stage.service);
    },
    ...weekdays((): Service => stage.service),
    ...rulesOf((): Ready => stage.services),
    /** What the job says of weekly emails. */
    async run(): Promise<unknown> {
      const request = { headers: { authorization: `Bearer ${secret}` } };
      const { status, body } = await stage.service.ask('GET', '/api/cron/sync', request);
      expect(status).toBe(200);
      return body.leadership_digest;
    },
    jobOf: (more: Partial<JobContext> = {}): JobContext => ({
      services: stage.services,
      signal: new AbortController().signal,
      mayContinue: () => true,
      since: null,
      until: stage.service.clock.now() + 240_000,
      ...more,
    }),
    async dueNow(): Promise<DueDigests> {
      const due = await dueEmails(stage.jobOf());
      if (!due) throw new Error('Nothing is due.');
      return due;
    },
    /** The words of an email that was sent, the last one where it is not said. */
    words: (index = -1): string => String(stage.mail.requests.at(index)?.body.text).replace(/\s+/g, ' '),
  };
  let env: Record<string, string> = {};
  beforeAll(async () => {
    [stage.mail, stage.ai] = await Promise.all([startMailDouble(), startAiDouble()]);
    const { keys, url } = stage.mail;
    env = {
      DATABASE_URL: await given.migrated(),
      CODEHOST_TOKEN: 'token-ann',
      CRON_SECRET: secret,
      RESEND_FROM: 'alerts@codehost.example',
      RESEND_API_KEY: keys.resend,
      RESEND_API_URL: url,
      OPENAI_API_KEY: 'openai-key-CANARY',
      OPENAI_BASE_URL: stage.ai.url,
    };
    stage.service = await startService(env);
    stage.services = servicesOf(stage.service.app);
  });
  beforeEach(() => stage.eve());
  afterEach(async () => {
    await stage.forgetRules();
    stage.mail.reset();
    stage.ai.reset();
  });
  afterAll(async () => {
    await stage.service?.close();
    await Promise.all([stage.mail?.close(), stage.ai?.close()]);
  });
  return stage;
}

/** Moves the clock from week to week. */
const weekdays = (service: () => Service) => ({
  /** The eve of the next Monday. */
  eve() {
    const { clock, double } = service();
    clock.advance(weekAt(clock.now()).monday + 7 * day - hour - clock.now());
    // What nobody pushes to is not scored after a while.
    for (const { facts } of double.world.repositories)
      if (!facts.archived && facts.pushedAt !== null) facts.pushedAt = clock.now();
  },
  /** That day of the week, Monday being the first, early in the morning; after a Sunday that of the next. */
  on(weekday: number) {
    const { clock } = service();
    const { monday, day: today } = weekAt(clock.now());
    clock.advance(monday + (today === 6 ? 7 : 0) * day + (weekday - 1) * day + 3 * hour - clock.now());
  },
});

/** Rules and how they stand, past the doors. */
function rulesOf(services: () => Ready) {
  const by = () => ({ actor: { id: 101, login: 'ann' }, requestId: null, now: services().clock.now() });
  const rules = () => services().store.alertRules;
  const remove = ({ id }: AlertRule) => rules().remove(id, by());
  return {
    /** A rule, unless said otherwise about an organization with one repository, and that without a score. */
    lead: (more: Partial<AlertRuleValues> = {}): Promise<AlertRule> =>
      addRule(services(), {
        scope: 'org:sealed',
        metric: 'leadership_digest',
        threshold: 0,
        windowHours: 168,
        channel: 'email',
        destination: 'lead@codehost.example',
        ...more,
      }),
    change: (rule: AlertRule, to: AlertRuleChange) => rules().change(rule.id, to, by()),
    remove,
    async forgetRules() {
      for (const rule of await rules().list()) await remove(rule);
    },
    /** How far this week's email has come. */
    async statusOf({ id }: AlertRule) {
      const all = await services().store.weeklyDigests.of(weekAt(services().clock.now()).week);
      return all.find(({ ruleId }) => ruleId === id)?.status ?? null;
    },
    isFailing: async ({ id }: AlertRule) => ((await rules().find(id))?.deliveryFailingSince ?? null) !== null,
  };
}
