import { delivered, jobEvent, runEvent, webhookSecret } from '../codehost-double/webhook.ts';
import { jobsOf, repositoryOf } from '../codehost-double/world.ts';
import { type Service, startService } from '../support/service.ts';
import { askAround } from './around.ts';
import { addBusyRepository } from './busy-repository.ts';
import { type Caller, callerOf } from './caller.ts';
import { goodQuestion, type Read, readsOf, withQuery } from './questions.ts';
import type { Recorder } from './recorder.ts';
import { sendWrites } from './writes.ts';

const minute = 60_000;
const cronSecret = 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE';

/** Operations about what is stored. */
const isStored = ({ path }: Read) =>
  /^\/api\/(db|alerts|jobs|auth\/sessions|explain$|codehost\/org-contributors|settings)/.test(path);

const tide = 'owner=octo&repo=tide';

/** What the other questions leave out: the stored history of a repository in which much happens. */
const storedRequests = [
  ...['days=7', 'days=365', 'type=quarterly&quarters=2', 'type=org', 'format=csv'].map(
    (one) => `trends?${tide}&${one}`,
  ),
  ...['metrics=success_rate,duration_p50,duration_p95,queue_p95,runs&days=7', 'metrics=runs&format=csv'].map(
    (one) => `compare?${tide}&${one}`,
  ),
  'compare?owner=octo&metrics=merged,lead_time,first_review&a_from=2026-10-01&a_to=2026-10-31&b_from=2026-11-01&b_to=2026-11-15',
  ...['days=90', 'format=csv', 'login=mira-okafor'].map((one) => `working-habits?owner=octo&${one}`),
  ...['limit=5&offset=5', 'conclusion=failure', 'offset=100000'].map((one) => `runs?${tide}&${one}`),
  'trends?owner=octo&type=org',
].map((one) => `/api/db/${one}`);

/** One person with a database: what is stored before and after it is synchronized, announced and read by night. */
export async function recordStored(recorder: Recorder, databaseUrl: string): Promise<void> {
  const service = await startService({
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
    CODEHOST_WEBHOOK_SECRET: webhookSecret,
    CRON_SECRET: cronSecret,
    CODEHOST_TOKEN: 'token-ann',
  });
  try {
    const busy = addBusyRepository(service.double.world);
    const call = callerOf(service, recorder);
    recorder.chapter('nothing stored');
    const reads = readsOf(await call('GET', '/api/openapi.json', { as: null })).filter(isStored);
    for (const read of reads) await call('GET', withQuery(read.path, goodQuestion(read)));
    recorder.chapter('synchronizing');
    await synchronize(service, call);
    recorder.chapter('synchronized');
    for (const read of reads) await call('GET', withQuery(read.path, goodQuestion(read)));
    recorder.chapter('announced');
    await announce(service, call);
    recorder.chapter('by night');
    await readByNight(service, call);
    recorder.chapter('all read');
    for (const read of reads) await askAround(call, read, busy);
    for (const one of storedRequests) await call('GET', one);
    recorder.chapter('written');
    service.clock.advance(minute);
    await sendWrites(call);
  } finally {
    await service.close();
  }
}

async function synchronize(service: Service, call: Caller): Promise<void> {
  for (const query of ['owner=octo&repo=web', 'owner=octo&repo=tide', 'org=octo', 'owner=octo&repo=empty'])
    for (let times = 0; times < 12; times++) {
      service.clock.advance(minute);
      const { body } = await call('POST', `/api/db/sync?${query}`, { unordered: 'results' });
      if (!body.partial) break;
    }
  for (const query of ['owner=octo&repo=nowhere', 'owner=octo', 'repo=web', 'org=nobody', 'org=octo&owner=octo', ''])
    await call('POST', `/api/db/sync?${query}`);
  await call('POST', '/api/db/sync', { body: { owner: 'octo', repo: 'api' } });
  await call('POST', '/api/db/sync', { body: { owner: 'octo', repo: 7 } });
  await call('POST', '/api/db/sync?owner=octo&repo=web', { as: null });
  await call('POST', '/api/db/sync?owner=octo&repo=secret', { as: 'token-bo' });
}

async function announce(service: Service, call: Caller): Promise<void> {
  const { double, clock } = service;
  const web = repositoryOf(double.world, 'octo/web');
  const createdAt = clock.now() - minute;
  const run = double.putRun('octo/web', { id: 880_001, createdAt, conclusion: 'failure' });
  const waiting = double.putRun('octo/web', { id: 880_002, createdAt, status: 'queued' });
  const [job] = jobsOf(web, run);
  if (!job) throw new Error('The run has no job.');
  const [payload, other] = [runEvent(web, run), runEvent(web, waiting)];
  const deliveries: [name: string, sent: { body: string; headers: Record<string, string> }][] = [
    ['a run', delivered(payload, { delivery: 'delivery-1' })],
    ['the same delivery again', delivered(payload, { delivery: 'delivery-1' })],
    ['a waiting run', delivered(other, { delivery: 'delivery-2' })],
    ['a job', delivered(jobEvent(web, run, job), { delivery: 'delivery-3', event: 'workflow_job' })],
    ['a ping', delivered({ zen: 'Keep it simple.' }, { delivery: 'delivery-4', event: 'ping' })],
    ['another event', delivered({ action: 'opened' }, { delivery: 'delivery-5', event: 'issues' })],
    ['half a run', delivered({ action: 'completed' }, { delivery: 'delivery-6' })],
    ['a wrong secret', delivered(payload, { delivery: 'delivery-7', secret: 'somebody else’s secret' })],
    ['no signature', { body: JSON.stringify(payload), headers: { 'content-type': 'application/json' } }],
  ];
  for (const [name, { body, headers }] of deliveries)
    await call('POST', '/api/webhooks/codehost', { as: null, body, headers, reported: name });
  await call('GET', '/api/webhooks/codehost', { as: null });
  await call('GET', '/api/db/runs?owner=octo&repo=web&limit=20');
  await call('GET', '/api/db/trends?owner=octo&repo=web&days=7');
}

async function readByNight(service: Service, call: Caller): Promise<void> {
  for (const job of ['sync', 'sync-pr-facts', 'sync-commit-facts']) {
    service.clock.advance(minute);
    const path = `/api/cron/${job}`;
    await call('GET', path, { as: null });
    await call('GET', path, { as: null, headers: { authorization: 'Bearer x' } });
    for (let times = 0; times < 6; times++) {
      const headers = { authorization: `Bearer ${cronSecret}` };
      const { body } = await call('GET', path, {
        as: null,
        headers,
        reported: 'by the scheduler',
        unordered: 'results',
      });
      if (!body?.partial) break;
    }
  }
  await call('GET', '/api/jobs');
  await call('GET', '/api/settings/setup');
}
