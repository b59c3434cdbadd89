import { alertDeliveries } from '../../jobs/alert-deliveries.ts';
import { alertEvaluation } from '../../jobs/alert-evaluation.ts';
import { housekeeping } from '../../jobs/housekeeping.ts';
import type { Job } from '../../jobs/job.ts';
import { prFacts } from '../../jobs/pr-facts.ts';
import { purge } from '../../jobs/purge.ts';
import { rollups } from '../../jobs/rollups.ts';
import { runJob } from '../../jobs/run-job.ts';
import { runsSync } from '../../jobs/runs-sync.ts';
import { workday } from '../../server/settings/workday.ts';
import { addRule, servicesOf } from '../alerts/stage.ts';
import type { Fault } from '../codehost-double/faults.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import type { Service } from '../support/service.ts';
import { hour, minute } from '../sync/stage.ts';
import { type Dice, type Event, fillWorld, hushed, letHappen, repositories } from './activity.ts';
import type { Deployment } from './deployment.ts';
import { findLost, findSentTwice, findWrongDays, type Sending } from './invariants.ts';
import type { Cut } from './life.ts';

/** A deployment that is used. */
export interface World {
  trace: string[];
  /** Lets one thing happen. */
  step(): Promise<void>;
  /** Reads and sends what is left, and answers what does not hold; null where everything does. */
  endDay(): Promise<string | null>;
}

const jobs: readonly Job[] = [runsSync, prFacts, alertEvaluation, alertDeliveries, rollups, housekeeping, purge];

/** What people read: of a repository, of its organization, and of all that they see. */
const questions = [
  ...repositories.flatMap((name) => {
    const [owner, repo] = name.split('/');
    const about = `owner=${owner}&repo=${repo}`;
    return [
      `db/runs?${about}&limit=20`,
      `db/trends?${about}&days=30`,
      `codehost/workflows?${about}`,
      `codehost/repo-overview?${about}`,
    ];
  }),
  'db/overview?org=octo',
  'db/pull-requests?org=octo',
  'db/deployments?org=octo',
  'codehost/org-merge-queues?org=octo',
  'db/compare?owner=octo&metrics=success_rate,duration_p95,runs,merged,first_review&days=7',
  'db/workflows?org=octo&range=7',
  'db/trends?owner=octo&type=org&days=30',
  'db/cost?org=octo&by=repository',
  'db/collection?owner=octo',
  'codehost/repos',
];

const faults: readonly Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'reset' },
  { kind: 'cut_body' },
  { kind: 'malformed_json' },
  { kind: 'primary_limit' },
  { kind: 'secondary_limit', retryAfter: 60 },
];

/** For so long access to a repository is not asked for again. */
const provenMs = 5 * minute;

/** Tracks the repositories, with an alert rule each, as whoever sets a deployment up does. */
export async function beginWorld(deployment: Deployment, random: Dice): Promise<World> {
  const { double, clock, mail, store, cookies, service } = deployment;
  fillWorld(double, clock.now());
  await store.settings.put(workday.key, { value: { ...workday.fallback, timezone: 'UTC' }, by: by(clock) });
  await store.rollups.rebuild('UTC');
  for (const name of repositories) {
    const [owner, repo] = name.split('/');
    const headers = { cookie: cookies.ann };
    const { status, text } = await service.ask('POST', `/api/db/sync?owner=${owner}&repo=${repo}`, { headers });
    if (status !== 200) throw new Error(text);
    const destination = `${repo}@codehost.example`;
    await addRule(servicesOf(service.app), { scope: `repo:${name}`, channel: 'email', destination, threshold: 10 });
  }

  const trace: string[] = [];
  const pending: Event[] = [];
  const acknowledged: Event[] = [];
  const sendings: Sending[] = [];
  let nextId = 90_000_000;
  /** So many of the next emails are not taken. */
  let rejectedEmails = 0;
  /** Since when bo may not read the hushed repository. */
  let hushedSince: number | null = null;
  /** What bo learned that bo may not know. */
  let leaked: string | null = null;

  const note = (what: string) => void trace.push(`${new Date(clock.now()).toISOString()} ${what}`);

  const drawCut = (): Cut | null =>
    random(4) > 0 ? null : { after: random(60), isHandled: random(2) === 0, kills: random(2) === 0 };

  async function perform<T>(what: string, work: (service: Service) => Promise<T>, cut: Cut | null): Promise<T | null> {
    const outcome = await deployment.perform(work, cut);
    for (const sent of mail.requests.splice(0)) {
      sendings.push({ sent });
      if (rejectedEmails-- > 0) sendings.push({ disturbed: true });
    }
    if (outcome.wasCut) sendings.push({ disturbed: true });
    note(`${what}: ${outcome.kind}${outcome.wasCut ? `, cut after ${cut?.after}` : ''}`);
    return outcome.kind === 'done' ? outcome.value : null;
  }

  async function deliver(cut: Cut | null) {
    const index = random(pending.length);
    const [event] = pending.splice(index, 1);
    if (!event) return;
    const { body, headers } = event;
    const answer = await perform(
      `webhook ${event.id}`,
      (service) => service.ask('POST', '/api/webhooks/codehost', { body, headers }),
      cut,
    );
    if (answer?.status === 200) acknowledged.push(event);
    // It may come once more, whether it was taken or not.
    if (random(4) === 0) pending.push(event);
  }

  async function read(cut: Cut | null) {
    const reader = random(2) === 0 ? 'ann' : 'bo';
    const question = questions[random(questions.length)] ?? '';
    const headers = { cookie: cookies[reader] };
    const answer = await perform(
      `${reader} ${question}`,
      (service) => service.ask('GET', `/api/${question}`, { headers }),
      cut,
    );
    const mayNot = reader === 'bo' && hushedSince !== null && clock.now() - hushedSince > provenMs;
    // A request that names it is answered by its name.
    const learned = answer && (answer.status === 200 ? answer.text : answer.text.replaceAll(hushed, ''));
    if (mayNot && learned && /hushed/.test(learned)) leaked ??= `${question} shows bo what bo may not see`;
    if (answer?.status === 500) leaked ??= `${question} is answered with 500: ${answer.text}`;
  }

  const runs = (job: Job, cut: Cut | null) =>
    perform(
      job.name,
      ({ app }) =>
        runJob(job, app.services, { slot: String(trace.length), trigger: 'internal', stopping: app.services.stopping }),
      cut,
    );

  async function step() {
    clock.advance((1 + random(90)) * minute);
    const kind = random(20);
    if (kind < 6) {
      const events = letHappen(double, clock.now(), () => nextId++, random);
      // Some are never delivered.
      pending.push(...events.filter(() => random(10) > 0));
      note(`${events.length} events`);
    } else if (kind < 11) {
      for (let count = 1 + random(4); count > 0; count--) await deliver(drawCut());
    } else if (kind < 14) await read(drawCut());
    else if (kind < 17) await runs(jobs[random(jobs.length)] as Job, drawCut());
    else if (kind === 17) {
      const fault = faults[random(faults.length)] as Fault;
      const [after, times] = [random(5), 1 + random(4)];
      double.fault({ after, times }, fault);
      note(`${fault.kind} after ${after}, ${times} times`);
    } else if (kind === 18) {
      rejectedEmails = 1 + random(2);
      mail.trouble({ status: 503, times: rejectedEmails });
      note('mail is away');
    } else if (random(3) === 0) changeAccess();
    else {
      const cut = drawCut();
      await deployment.restart(cut);
      note('restart');
    }
  }

  function changeAccess() {
    if (hushedSince === null) double.removeAccess(hushed, 'bo');
    else repositoryOf(double.world, hushed).collaborators.push('bo');
    hushedSince = hushedSince === null ? clock.now() : null;
    note(`bo ${hushedSince === null ? 'may' : 'may not'} read ${hushed}`);
  }

  async function endDay() {
    const [violation] = double.violations;
    // Before the platform is read, which would bring back what was lost.
    const lost = await findLost(deployment.store, acknowledged);
    double.reset();
    clock.advance(2 * hour);
    await deployment.restart(null);
    for (const job of [...jobs, alertDeliveries]) await runs(job, null);
    return violation ?? lost ?? leaked ?? (await findWrongDays(deployment.store)) ?? findSentTwice(sendings);
  }

  return { trace, step, endDay };
}

const by = ({ now }: Deployment['clock']) => ({ actor: { id: 101, login: 'ann' }, requestId: 'setup', now: now() });
