import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { catchUp } from '../../jobs/catch-up.ts';
import { addRule, bring, endedRuns, type Ready, repository, servicesOf } from '../alerts/stage.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

const secret = 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE';
let mail: MailDouble;
const started: Service[] = [];

/** A service of which nothing runs by itself unless `SCHEDULER` says otherwise. */
async function start(env: Record<string, string>): Promise<{ service: Service; services: Ready }> {
  const service = await startService({
    DATABASE_URL: anyDatabase,
    CRON_SECRET: secret,
    RESEND_API_KEY: mail.keys.resend,
    RESEND_FROM: 'alerts@codehost.example',
    RESEND_API_URL: mail.url,
    ...env,
  });
  started.push(service);
  return { service, services: servicesOf(service.app) };
}

const cron = (service: Service, route: string) =>
  service.ask('GET', `/api/cron/${route}`, { headers: { authorization: `Bearer ${secret}` } });

beforeAll(async () => {
  mail = await startMailDouble();
});
afterEach(() => mail.reset());
afterAll(async () => {
  for (const service of started) await service.close();
  await mail?.close();
});

const sentTo = () => mail.requests.map(({ body }) => body.to);

test('where nothing runs by itself, each cron call sends the messages that are due', async () => {
  const { service, services } = await start({ CODEHOST_TOKEN: 'token-ann' });
  for (const [index, route] of ['sync', 'sync-pr-facts', 'sync-commit-facts'].entries()) {
    const number = index + 1;
    const destination = `team-${number}@codehost.example`;
    await addRule(services, { scope: `repo:octo/repo-${number}`, channel: 'email', destination });
    await bring(services, endedRuns(services, 6, 6), number);
    expect(sentTo(), 'nothing before the call').toHaveLength(index);
    expect((await cron(service, route)).status).toBe(200);
    expect(sentTo()).toHaveLength(number);
    expect(sentTo()).toContain(destination);
  }
  expect((await cron(service, 'sync')).status).toBe(200);
  expect(sentTo(), 'each once').toHaveLength(3);
});

test('and does so where the job itself has no token to read with', async () => {
  const { service, services } = await start({});
  await addRule(services, { channel: 'email', destination: 'team@codehost.example' });
  await bring(services, endedRuns(services, 6, 6));
  expect((await cron(service, 'sync')).body.code).toBe('service_token_missing');
  expect(sentTo()).toEqual(['team@codehost.example']);
});

test('a caller without the secret causes nothing', async () => {
  const { service, services } = await start({});
  await addRule(services, { channel: 'email', destination: 'team@codehost.example' });
  await bring(services, endedRuns(services, 6, 6));
  expect((await service.ask('GET', '/api/cron/sync')).status).toBe(401);
  expect(sentTo()).toEqual([]);
});

test('evaluates every repository of which webhooks reported, however many', async () => {
  const { service, services } = await start({});
  await addRule(services, { scope: 'org:octo' });
  for (let number = 1; number <= 60; number++) {
    const { id } = await repository(services, number);
    await services.store.runs.ingest(id, endedRuns(services, 6, 6), { syncedAt: services.clock.now() });
  }
  await services.store.runs.recomputeDirty();
  expect(await services.store.alertDue.waiting(100)).toHaveLength(60);
  await cron(service, 'sync');
  expect(await services.store.alertDue.waiting(100)).toEqual([]);
});

test('a job that took all the time of its call leaves the messages to the next one', async () => {
  const { service, services } = await start({ CODEHOST_TOKEN: 'token-ann' });
  await addRule(services, { channel: 'email', destination: 'team@codehost.example' });
  await bring(services, endedRuns(services, 6, 6));
  service.double.fault({ path: '/repos/octo/repo-1*' }, { kind: 'latency', ms: 4000 });
  const call = cron(service, 'sync');
  const underWay = () => services.store.jobRuns.underWay('runs-sync');
  await expect.poll(underWay, { interval: 20 }).not.toBeNull();
  service.clock.advance(291_000);
  expect((await call).status).toBe(200);
  expect(sentTo()).toEqual([]);
  expect((await cron(service, 'sync')).status).toBe(200);
  expect(sentTo()).toEqual(['team@codehost.example']);
});

test('what is under way when the time of a call is over does not keep its caller waiting', async () => {
  const { services } = await start({});
  await addRule(services, { channel: 'email', destination: 'team@codehost.example' });
  await bring(services, endedRuns(services, 6, 6));
  mail.answerAfter(10_000);
  let isAnswered = false;
  const { mailer } = services;
  const send: typeof mailer.send = (message) => mailer.send(message).finally(() => (isAnswered = true));
  await catchUp({ ...services, mailer: { ...mailer, send } }, 3000);
  expect(sentTo()).toEqual(['team@codehost.example']);
  expect(isAnswered).toBe(false);
});
