import { describe, expect, test } from 'vitest';
import { respond } from '../../../server/http/serve.ts';
import { delivered, jobEvent, runEvent, signatureOf, webhookSecret } from '../../codehost-double/webhook.ts';
import { jobsOf, latestRuns, repositoryOf } from '../../codehost-double/world.ts';
import type { Service } from '../../support/service.ts';
import { anyDatabase } from '../../support/service.ts';
import { expectFields, expectProblem, visitService } from '../endpoints.ts';

const path = '/api/webhooks/codehost';
const CODEHOST_WEBHOOK_SECRET = webhookSecret;
const configured = visitService({ CODEHOST_WEBHOOK_SECRET, DATABASE_URL: anyDatabase });
const withoutSecret = visitService({ DATABASE_URL: anyDatabase });
const withoutDatabase = visitService({ CODEHOST_WEBHOOK_SECRET });
const narrowed = visitService({
  CODEHOST_WEBHOOK_SECRET,
  DATABASE_URL: anyDatabase,
  SERVICE_ALLOWED_ORGS: 'Other,Acme',
});

type Sent = ReturnType<typeof delivered>;

const post = ({ service }: { service: Service }, { body, headers }: Sent) =>
  service.ask('POST', path, { body, headers });
const web = ({ service }: { service: Service }) => repositoryOf(service.double.world, 'octo/web');
const event = (visit: { service: Service }) => {
  const [run] = latestRuns(web(visit));
  if (!run) throw new Error('The world has no run');
  return { run, payload: runEvent(web(visit), run) };
};

/** Whether anything of octo/web is stored. */
const isKnown = async ({ service }: { service: Service }) =>
  (await service.app.services.store?.repositories.find(repositoryOf(service.double.world, 'octo/web').facts)) !== null;

const never = () => Promise.reject(new Error('This is no page.'));

/** Posts a body that notes whether somebody reads it. */
async function postWatched({ service }: { service: Service }, headers: Record<string, string>) {
  let chunksRead = 0;
  const body = {
    async *[Symbol.asyncIterator]() {
      chunksRead++;
      yield Buffer.from('{}');
    },
  };
  const url = new URL(`http://localhost:3000${path}`);
  const incoming = { method: 'POST', url, headers: new Headers(headers), body, signal: new AbortController().signal };
  const { status, body: text } = await respond(service.app.services, incoming, '127.0.0.1', never);
  return { status, code: JSON.parse(String(text)).code, chunksRead };
}

const signature = (value: string) => ({ 'x-hub-signature-256': value });
const hex = signatureOf('{}').slice('sha256='.length);

describe('a signature', () => {
  test('is of no use where no secret is set, and the body is not read', async () => {
    const problem = { status: 503, code: 'webhook_not_configured', chunksRead: 0 };
    expect(await postWatched(withoutSecret, signature(signatureOf('{}')))).toEqual(problem);
    expect(await postWatched(withoutSecret, {})).toEqual(problem);
    expectProblem(await post(withoutSecret, delivered(event(withoutSecret).payload)), 503, 'webhook_not_configured');
    expect(await isKnown(withoutSecret)).toBe(false);
  });

  test.each([
    ['missing', ''],
    ['by SHA-1', `sha1=${hex.slice(0, 40)}`],
    ['without its kind', hex],
    ['truncated', `sha256=${hex.slice(0, 63)}`],
    ['too long', `sha256=${hex}0`],
    ['in capitals', `sha256=${hex.toUpperCase()}`],
    ['of other letters', `sha256=${'g'.repeat(64)}`],
    ['twice', `sha256=${hex}, sha256=${hex}`],
  ])('%s is rejected before the body is read', async (_, value) => {
    const problem = { status: 401, code: 'invalid_signature', chunksRead: 0 };
    expect(await postWatched(configured, value ? signature(value) : {})).toEqual(problem);
    const { payload } = event(configured);
    const sent = delivered(payload);
    expectProblem(
      await post(configured, { ...sent, headers: { ...sent.headers, ...signature(value) } }),
      401,
      'invalid_signature',
    );
    expect(await isKnown(configured)).toBe(false);
  });

  test('of the right shape is read, and rejected when it is of another secret or of other bytes', async () => {
    const { payload } = event(configured);
    const sent = delivered(payload);
    const changed = [sent.body.replace('"id":', '"iD":'), `${sent.body} `, sent.body.slice(0, -1), ''];
    for (const body of changed) {
      expect(body).not.toBe(sent.body);
      expectProblem(await post(configured, { ...sent, body }), 401, 'invalid_signature');
    }
    const foreign = delivered(payload, { secret: 'somebody else’s secret' });
    expectProblem(await post(configured, foreign), 401, 'invalid_signature');
    expect((await postWatched(configured, signature(`sha256=${'0'.repeat(64)}`))).chunksRead).toBe(1);
    expect(await isKnown(configured)).toBe(false);
  });

  test('in a form covers the form, not the payload in it', async () => {
    const sent = delivered(event(configured).payload);
    const body = new URLSearchParams({ payload: sent.body }).toString();
    const headers = { ...sent.headers, 'content-type': 'application/x-www-form-urlencoded' };
    expectProblem(await post(configured, { body, headers }), 401, 'invalid_signature');
  });
});

describe('a body', () => {
  const ping = (bytes: number) => {
    const frame = JSON.stringify({ zen: '' }).length;
    return delivered({ zen: 'x'.repeat(bytes - frame) }, { event: 'ping' });
  };

  test('of 5 MiB is read, one byte more is too large', async () => {
    const largest = ping(5 * 1024 * 1024);
    expect(largest.body).toHaveLength(5 * 1024 * 1024);
    expect((await post(configured, largest)).body).toEqual({ ok: true, event: 'ping' });
    expectProblem(await post(configured, ping(5 * 1024 * 1024 + 1)), 413, 'payload_too_large');
  });

  const raw = (body: string, headers: Record<string, string> = {}) => {
    const sent = delivered({});
    return post(configured, { body, headers: { ...sent.headers, ...signature(signatureOf(body)), ...headers } });
  };

  test.each(['{', '{"action":', 'payload={}', "{'a':1}"])('%s is no JSON', async (body) => {
    expectFields(await raw(body), ['payload', 'invalid']);
  });

  test.each(['[]', 'null', '"text"', '7', 'true'])('%s is no payload', async (body) => {
    expectFields(await raw(body), ['payload', 'invalid']);
  });

  test('that is empty, or a form without a payload, has none', async () => {
    expectFields(await raw(''), ['payload', 'missing']);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expectFields(await raw('other=1', type), ['payload', 'missing']);
    expectFields(await raw('payload=%7B', type), ['payload', 'invalid']);
  });

  test('needs to be named by its event', async () => {
    expectFields(
      await raw('{}', { 'x-github-event': '', 'x-github-delivery': '' }),
      ['event', 'missing'],
      ['delivery', 'missing'],
    );
    expectFields(await raw('{}', { 'x-github-event': 'a b' }), ['event', 'invalid']);
    expectFields(await raw('{}', { 'x-github-delivery': 'x'.repeat(101) }), ['delivery', 'invalid']);
  });

  test.each([
    ['repository', 'missing'],
    ['repository.id', 'missing'],
    ['repository.owner.login', 'missing'],
    ['workflow_run', 'missing'],
    ['workflow_run.id', 'missing'],
    ['workflow_run.workflow_id', 'missing'],
    ['workflow_run.created_at', 'missing'],
    ['action', 'missing'],
  ])('about a run is rejected without %s', async (field, reason) => {
    const payload = structuredClone(event(configured).payload) as object;
    const parts = field.split('.');
    const last = parts.pop() as string;
    const holder = parts.reduce<Record<string, unknown>>(
      (at, part) => at[part] as Record<string, unknown>,
      payload as Record<string, unknown>,
    );
    delete holder[last];
    expectFields(await post(configured, delivered(payload)), [field, reason]);
    expect(await isKnown(configured)).toBe(false);
  });

  test('about a run or a job is rejected for what is of another kind', async () => {
    const { run, payload } = event(configured);
    const wrong = { ...payload, workflow_run: { ...payload.workflow_run, id: 'x', created_at: 'today' } };
    expectFields(
      await post(configured, delivered(wrong)),
      ['workflow_run.id', 'invalid'],
      ['workflow_run.created_at', 'invalid'],
    );
    const [job] = jobsOf(web(configured), run);
    if (!job) throw new Error('The run has no job');
    const { workflow_job: _, ...withoutJob } = jobEvent(web(configured), run, job);
    expectFields(await post(configured, delivered(withoutJob, { event: 'workflow_job' })), ['workflow_job', 'missing']);
    for (const attempt of [0, -1, 1.5, '1']) {
      const odd = { ...payload, workflow_run: { ...payload.workflow_run, run_attempt: attempt } };
      const answer = await post(configured, delivered(odd));
      expectFields(answer, ['workflow_run.run_attempt', 'invalid']);
      expect(answer.body.error).toMatch(/^workflow_run\.run_attempt must be (at least 1|a whole number)\.$/);
    }
    const ofJob = jobEvent(web(configured), run, job);
    const oddJob = { ...ofJob, workflow_job: { ...ofJob.workflow_job, run_attempt: 0 } };
    expectFields(await post(configured, delivered(oddJob, { event: 'workflow_job' })), [
      'workflow_job.run_attempt',
      'invalid',
    ]);
    const beyond = { ...payload, workflow_run: { ...payload.workflow_run, id: 1e300 } };
    expectFields(await post(configured, delivered(beyond)), ['workflow_run.id', 'invalid']);
  });
});

describe('an event', () => {
  test('that only says hello, or that nobody reads, has no effect, and its delivery is not remembered', async () => {
    const { run, payload } = event(configured);
    const delivery = 'once-and-again';
    for (const name of ['ping', 'push', 'workflow_dispatch', 'never_heard_of'])
      expect((await post(configured, delivered(payload, { event: name, delivery }))).body).toEqual(
        name === 'ping' ? { ok: true, event: 'ping' } : { skipped: true, event: name },
      );
    expect(await isKnown(configured)).toBe(false);
    expect((await post(configured, delivered(payload, { delivery }))).body.run_id).toBe(run.id);
  });

  test('without a database is rejected where it says something', async () => {
    const { payload } = event(withoutDatabase);
    expectProblem(await post(withoutDatabase, delivered(payload)), 503, 'db_not_configured');
    expect((await post(withoutDatabase, delivered(payload, { event: 'ping' }))).status).toBe(200);
  });

  test('of an owner that is neither allowed nor tracked is ignored', async () => {
    const { run, payload } = event(narrowed);
    const { service } = narrowed;
    const delivery = 'ignored-first';
    expect((await post(narrowed, delivered(payload, { delivery }))).body).toEqual({ ok: true, ignored: 'owner' });
    expect(await isKnown(narrowed)).toBe(false);
    const ofAllowed = runEvent({ ...web(narrowed), facts: { ...web(narrowed).facts, owner: 'ACME', id: 77_001 } }, run);
    expect((await post(narrowed, delivered(ofAllowed))).body.run_id).toBe(run.id);
    await service.app.services.store?.repositories.track(
      { ...web(narrowed).facts, owner: 'Tracked', id: 77_002 },
      'ann',
      0,
    );
    const ofTracked = runEvent(
      { ...web(narrowed), facts: { ...web(narrowed).facts, owner: 'tracked', id: 77_003 } },
      run,
    );
    expect((await post(narrowed, delivered(ofTracked))).body.run_id).toBe(run.id);
  });
});
