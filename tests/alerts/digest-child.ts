// Sends the emails of a day or of a week until it is killed, as a process of the service does. Says so on stdout.
import { randomUUID } from 'node:crypto';
import { sendDailyDigests } from '../../server/alerts/daily-digest.ts';
import {
  dueDigests,
  type ScoredOrganization,
  sendLeadershipDigest,
  weeklyEmail,
} from '../../server/alerts/leadership-digest.ts';
import { storedAnswers } from '../../server/facts/answers.ts';
import { createMailer } from '../../server/mail/mailer.ts';
import { fixedClock } from '../../server/platform/clock.ts';
import { readEnv } from '../../server/platform/env.ts';
import { createLog } from '../../server/platform/log.ts';
import { openStore } from '../../server/store/orm.ts';

const [settings = '{}', kind, now, score] = process.argv.slice(2);
const env = readEnv(JSON.parse(settings));
const log = createLog('silent');
const clock = fixedClock(Number(now));
const url = env.DATABASE_URL ?? '';
const store = await openStore({ url, log, poolMax: 4, statementTimeoutMs: 60_000, migrate: false });
const answers = storedAnswers(store, clock);
const services = { env, log, clock, store, answers, mailer: createMailer({ env, store, clock, log }) };
const heldUp = () => new Error('A lease is held, though whoever held it is dead.');

/** Under the lease of the job that sends them. */
async function daily() {
  const sent = await store.leases.hold('job:runs-sync', randomUUID(), () => sendDailyDigests(services, () => true));
  if (sent === null) throw heldUp();
}

/** To each rule, about one organization. */
async function weekly() {
  const due = await dueDigests(services);
  if (!due) return;
  const email = weeklyEmail({ org: 'octo', rows: [scoredRow(Number(score))], repositories: 1 }, due.week, null);
  for (const rule of due.rules) if (!(await sendLeadershipDigest(rule, email, due, services))) throw heldUp();
}

const scoredRow = (scored: number): ScoredOrganization['rows'][number] => ({
  owner: 'octo',
  repo: 'web',
  compositeScore: scored,
  riskBand: 'at_risk',
  doraLevel: 'low',
  deliverySource: null,
  tierScore: 25,
  overallBusFactor: 1,
  busFactorScore: 25,
  criticalModules: 0,
  deliveryTiers: { deploymentFrequency: 'low', leadTime: null, changeFailureRate: 'low', timeToRestore: null },
  trend: 'flat',
  reasons: [],
  partial: false,
  partialReasons: [],
  partialDetail: null,
});

process.stdout.write('begun\n');
await (kind === 'weekly' ? weekly() : daily());
process.stdout.write('done\n');
await store.close();
