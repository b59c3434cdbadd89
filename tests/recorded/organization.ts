import { type Member, settle } from '../access/personas.ts';
import { type AiDouble, startAiDouble } from '../support/ai-double.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { type Service, startService } from '../support/service.ts';
import { askAround, type Busy } from './around.ts';
import { addBusyRepository } from './busy-repository.ts';
import { type Caller, callerOf } from './caller.ts';
import { goodQuestion, type Read, readsOf, withQuery } from './questions.ts';
import type { Recorder } from './recorder.ts';
import { sendFirstWrites, sendWrites } from './writes.ts';

const minute = 60_000;
const key = 'key-of-tests-0123';

/** Many people with groups and features, beside providers of texts and mail. */
export async function recordOrganization(recorder: Recorder): Promise<void> {
  const [provider, mail] = [await startAiDouble(), await startMailDouble()];
  const shared = {
    MODE: 'organization',
    DATABASE_URL: 'pglite://memory',
    SERVICE_ALLOWED_ORGS: 'octo',
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
  };
  const service = await startService({ ...shared, ...providersOf(provider, mail) });
  const open = await startService({ ...shared, ACCESS_ENFORCEMENT: 'off' }, service);
  try {
    const busy = addBusyRepository(service.double.world);
    const call = callerOf(service, recorder);
    recorder.chapter('organization');
    const reads = readsOf(await call('GET', '/api/openapi.json', { as: null }));
    await service.signIn('token-ann');
    await askAsEverybody(call, reads, await settle(inTurns(service)));
    await askAsAdministrator(call, reads, busy);
    await signIn(service, call);
    recorder.chapter('written in an organization');
    const members = await settle(inTurns(open));
    for (const as of [null, members['in devops'], members['in no group']]) await sendFirstWrites(call, as);
    await sendWrites(call);
    for (const { path } of reads.filter(isForAdministrators)) await call('GET', path);
    recorder.chapter('texts');
    service.clock.advance(2 * minute);
    await askForTexts(call, provider);
    recorder.chapter('access not enforced');
    const freely = callerOf(open, recorder);
    for (const read of reads)
      await freely('GET', withQuery(read.path, goodQuestion(read)), { as: members['in no group'] });
  } finally {
    await open.close();
    await service.close();
    await provider.close();
    await mail.close();
  }
}

const providersOf = (provider: AiDouble, mail: MailDouble) => ({
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: provider.url,
  POSTMARK_API_URL: mail.url,
  POSTMARK_API_KEY: mail.keys.postmark,
  POSTMARK_FROM: 'lamps@codehost.example',
  RESEND_API_URL: mail.url,
});

/** Nobody signs in at the same moment as somebody else, so that sessions have an order. */
const inTurns = (service: Service): Service => ({
  ...service,
  signIn: (token) => {
    service.clock.advance(1000);
    return service.signIn(token);
  },
});

const isForAdministrators = ({ path }: Read) => /^\/api\/(admin|settings|jobs)/.test(path);

async function askAsEverybody(call: Caller, reads: Read[], members: Record<Member, string>): Promise<void> {
  const callers = [null, 'token-ann', ...Object.values(members)];
  for (const read of reads)
    for (const as of callers) await call('GET', withQuery(read.path, goodQuestion(read)), { as });
  for (const bearer of [members['in dev'], members['in no group'], 'token-bo', 'token-nobody'])
    for (const path of ['/api/auth/me', '/api/codehost/repos', '/api/admin/users']) await call('GET', path, { bearer });
}

async function askAsAdministrator(call: Caller, reads: Read[], busy: Busy): Promise<void> {
  for (const read of reads.filter(isForAdministrators)) await askAround(call, read, busy);
  for (const query of ['q=person', 'group=dev', 'group=none', 'limit=2&offset=1', 'q=%25&limit=1'])
    await call('GET', `/api/admin/users?${query}`);
  for (const query of ['category=access', 'actor=ann', 'action=login', 'before=3', 'category=all&limit=3'])
    await call('GET', `/api/admin/audit?${query}`);
  for (const login of ['person-0', 'person-3', 'nobody', 'bo']) await call('GET', `/api/admin/access?login=${login}`);
}

/** The way to the platform and back, as far as it can be gone by whoever did not begin it. */
async function signIn({ double }: Service, call: Caller): Promise<void> {
  for (const path of ['', '?return_to=/cost', '?return_to=//evil.example', '?return_to=https://evil.example/'])
    await call('GET', `/api/auth/login${path}`, { as: null });
  for (const query of ['', '?code=x&state=y', '?error=access_denied', '?error=access_denied&state=y'])
    for (const headers of [undefined, { accept: 'text/html' }])
      await call('GET', `/api/auth/callback${query}`, { as: null, headers });
  double.consent({ login: 'bo', token: 'token-bo' });
  const begun = await call('GET', '/api/auth/login?return_to=/cost', {
    as: null,
    reported: 'of somebody who is no member',
  });
  const consented = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  const { pathname, search } = new URL(consented.headers.get('location') ?? '');
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const reported = 'from the platform, of somebody who is no member';
  await call('GET', `${pathname}${search}`, { as: null, headers: { cookie }, reported, shown: pathname });
  await call('POST', '/api/auth/setup', { as: null, body: { pat: 'token-ann' } });
}

const written = {
  insights: { summary: 'Mostly fine.', bullets: ['One person knows most.'], actions: ['Share reviews.'] },
  explanation: { explanation: 'It waited.', check: 'Look at the runner.' },
  cause: {
    hypotheses: [{ rank: 9, hypothesis: 'A cause', evidence: 'It fails.', confidence: 'low', next_step: 'Look.' }],
  },
};

async function askForTexts(call: Caller, provider: AiDouble): Promise<void> {
  const ci = 'owner=octo&repo=web&workflow_id=7001';
  await call('PUT', '/api/settings/ai', { body: { enabled: false, provider: 'anthropic' } });
  await call('GET', '/api/ai/status');
  provider.usual = JSON.stringify(written.insights);
  for (const query of ['org=octo', 'owner=octo&repo=web', 'owner=octo&repo=tide', 'owner=octo&repo=tide&refresh=1', ''])
    await call('GET', `/api/ai/insights?${query}`);
  provider.usual = JSON.stringify(written.explanation);
  for (const metric of ['duration', 'queue_wait', 'nothing'])
    await call('GET', `/api/ai/anomaly-explanation?${ci}&metric=${metric}`);
  provider.usual = JSON.stringify(written.cause);
  await call('GET', `/api/ai/root-cause?${ci}`);
  await call('GET', '/api/ai/root-cause?owner=octo&repo=api&workflow_id=7101');
  provider.usual = 'no JSON';
  await call('GET', '/api/ai/insights?owner=octo&repo=api');
}
