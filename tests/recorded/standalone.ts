import { startService } from '../support/service.ts';
import { askAround } from './around.ts';
import { addBusyRepository } from './busy-repository.ts';
import { callerOf } from './caller.ts';
import { askAboutMetrics } from './metrics.ts';
import { goodQuestion, readsOf, withQuery } from './questions.ts';
import type { Recorder } from './recorder.ts';
import { sendWrites } from './writes.ts';

/** One person with a token of their own, without a database: every operation that reads, in every way. */
export async function recordStandalone(recorder: Recorder): Promise<void> {
  const service = await startService({ RATE_LIMIT_SESSION_PER_MINUTE: '0', RATE_LIMIT_DEMO_PER_MINUTE: '0' });
  try {
    const busy = addBusyRepository(service.double.world);
    const call = callerOf(service, recorder);
    recorder.chapter('standalone');
    const reads = readsOf(await call('GET', '/api/openapi.json', { as: null }));
    for (const read of reads) {
      const path = withQuery(read.path, goodQuestion(read));
      for (const as of [null, 'token-bo', 'token-ann-two', 'token-ann-fine']) await call('GET', path, { as });
      await call('GET', path, { bearer: 'token-ann' });
      await askAround(call, read, busy);
    }
    await askAboutMetrics(call, reads, busy.workflowId);
    await askUnknown(call);
    await signInAndOut(call);
    await sendWrites(call);
  } finally {
    await service.close();
  }
}

type Call = ReturnType<typeof callerOf>;

/** Addresses and methods that nothing is declared for. */
async function askUnknown(call: Call): Promise<void> {
  for (const as of [null, 'token-ann'])
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing',
      '/api/health/',
      '/api/codehost',
      '/api/cron',
      '/api/CODEHOST/repos',
    ])
      for (const method of ['GET', 'DELETE', 'OPTIONS']) await call(method, path, { as });
  for (const path of ['/api/auth/login', '/api/auth/callback', '/api/cron/sync', '/api/webhooks/codehost'])
    for (const method of ['GET', 'POST']) await call(method, path, { as: null });
}

async function signInAndOut(call: Call): Promise<void> {
  const setUp = '/api/auth/setup';
  for (const pat of ['token-bo', 'token-nobody', '', 'two words', 'x'.repeat(501), 7, null])
    await call('POST', setUp, { as: null, body: { pat } });
  for (const body of [{}, [], 'no json', '{"pat":', '"text"']) await call('POST', setUp, { as: null, body });
  const crossSite = { origin: 'https://elsewhere.example' };
  await call('POST', setUp, { as: null, body: { pat: 'token-bo' }, headers: crossSite });
  await call('POST', setUp, { as: null, body: 'pat=token-bo', headers: { 'content-type': 'text/plain' } });
  for (const cookie of ['das_session=x', 'das_session=', 'das_session=v1.abc.def'])
    await call('GET', '/api/auth/me', { as: null, headers: { cookie } });
  for (const [method, path] of [
    ['DELETE', setUp],
    ['POST', '/api/auth/logout'],
  ] as const) {
    await call(method, path, { as: null });
    await call(method, path, { headers: crossSite });
    await call(method, path, { as: 'token-bo' });
  }
}
