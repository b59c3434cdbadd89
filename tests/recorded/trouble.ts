import type { Fault } from '../codehost-double/faults.ts';
import { type Service, startService } from '../support/service.ts';
import { callerOf } from './caller.ts';
import { goodQuestion, readsOf, withQuery } from './questions.ts';
import type { Recorder } from './recorder.ts';

const minute = 60_000;

/** Faults that the service does not try again, each with requests that meet it. */
const faults: [title: string, path: string | RegExp, fault: Fault][] = [
  ['the runs are forbidden', /\/actions\/(runs|workflows)/, { kind: 'status', status: 403 }],
  ['the repository is gone', /^\/repos\/octo\/web/, { kind: 'status', status: 404 }],
  ['the budget of REST is gone', /^\/(repos|orgs|users?)\//, { kind: 'primary_limit' }],
  ['GraphQL forbids', '/graphql', { kind: 'graphql_error', type: 'FORBIDDEN' }],
  ['the platform withholds everything', /.*/, { kind: 'status', status: 451 }],
];

/** A platform that refuses or fails, before anything of it is known and after it was read. */
export async function recordTrouble(recorder: Recorder): Promise<void> {
  for (const [title, path, fault] of faults) {
    const service = await startService({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
    try {
      const call = callerOf(service, recorder);
      await service.signIn('token-ann');
      const paths = await readPaths(service);
      service.double.fault({ path, times: 10_000 }, fault);
      recorder.chapter(title);
      for (const one of paths) await call('GET', one);
      service.double.reset();
      for (const one of paths) await service.ask('GET', one, { as: 'token-ann' });
      service.clock.advance(20 * minute);
      service.double.fault({ path, times: 10_000 }, fault);
      recorder.chapter(`${title}, later`);
      for (const one of paths) await call('GET', one);
    } finally {
      await service.close();
    }
  }
  recorder.chapter('too much');
  await recordLimits(recorder);
}

/** Everything about the platform that is queried with a good question. */
async function readPaths(service: Service): Promise<string[]> {
  const reads = readsOf(await service.ask('GET', '/api/openapi.json'));
  const paths = reads.map((read) => withQuery(read.path, goodQuestion(read)));
  return paths.filter((path) => /^\/api\/(codehost|explain|auth\/me)/.test(path) && !path.includes('org-contributors'));
}

async function recordLimits(recorder: Recorder): Promise<void> {
  const limits = { RATE_LIMIT_SESSION_PER_MINUTE: '3', RATE_LIMIT_DEMO_PER_MINUTE: '2' };
  const service = await startService(limits);
  try {
    const call = callerOf(service, recorder);
    for (let times = 0; times < 5; times++) await call('GET', '/api/auth/me');
    await onlyOneAddress(service, recorder);
    service.double.revokeToken('token-bo');
    await call('GET', '/api/codehost/repos', { as: null, bearer: 'token-bo' });
  } finally {
    await service.close();
  }
}

async function onlyOneAddress({ ask }: Service, recorder: Recorder): Promise<void> {
  const sent = { from: '10.9.9.9', headers: { 'x-request-id': 'recorded' } };
  for (let times = 0; times < 4; times++)
    recorder.add('GET /api/demo from one address', await ask('GET', '/api/demo?resource=repos', sent));
  const wrong = { ...sent, body: { pat: 'token-nobody' } };
  for (let times = 0; times < 12; times++)
    recorder.add('POST /api/auth/setup from one address', await ask('POST', '/api/auth/setup', wrong));
}
