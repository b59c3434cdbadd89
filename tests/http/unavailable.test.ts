import { beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { rememberedOwner } from '../../server/access/admission.ts';
import { panel } from '../../server/http/adapters.ts';
import { createContext } from '../../server/http/context.ts';
import { getOrganizations } from '../../server/reports/repositories/operations.ts';
import { expectProblem, freshService } from '../api/endpoints.ts';
import { me, signedIn } from '../api/session/signing-in.ts';

const visit = freshService({ MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo' });
const alone = freshService({ STANDALONE_ALLOWED_LOGINS: '' });
const minute = 60_000;

let warned: MockInstance;

beforeEach(() => {
  warned = vi.spyOn(visit.service.app.services.log, 'warn');
});

const pending = (operation: string, path: string) => [
  { operation, method: 'GET', url: `${visit.service.double.url}${path}` },
];

test('a membership that the platform does not tell in time is logged with the request', async () => {
  const cookie = await signedIn(visit.service, { login: 'ann' });
  const path = '/user/memberships/orgs/octo';
  visit.service.double.fault({ path, times: 9 }, { kind: 'hang' });
  visit.service.clock.advance(6 * minute);
  const answer = await me(visit.service, cookie);
  expectProblem(answer, 503, 'authz_unavailable');
  const cause = { error: 'not done within 5000 ms', pending: pending('get own membership', path) };
  const line = { status: 503, code: 'authz_unavailable', cause, request_id: answer.headers.get('x-request-id') };
  expect(warned.mock.calls).toContainEqual([line, 'a request could not be answered']);
});

test('panels that are not ready in time are logged with the request that they wait for, whichever began it', async () => {
  const cookie = await signedIn(visit.service, { login: 'ann' });
  visit.service.double.fault({ path: '/user/orgs', times: 9 }, { kind: 'hang' });
  const context = createContext(visit.service.app.services, {
    method: 'GET',
    url: new URL('http://localhost:3000/'),
    headers: new Headers({ cookie }),
    address: '127.0.0.1',
    signal: new AbortController().signal,
  });
  const late = () => panel(getOrganizations, { context, params: {}, extraTimeMs: -11_000 });
  for (const shown of await Promise.all([late(), late()])) expect(shown).toMatchObject({ problem: { status: 502 } });
  const cause = {
    error: 'not done within 1000 ms',
    request: 'GET /api/codehost/orgs',
    pending: [expect.objectContaining({ operation: expect.any(String), url: expect.stringContaining('/user/orgs') })],
  };
  const line = [
    { status: 502, code: 'upstream_unavailable', cause, request_id: context.requestId },
    'a request could not be answered',
  ];
  expect(warned.mock.calls).toEqual([line, line]);
});

test('an owner who cannot be stored is logged with the reason', async () => {
  const { services } = alone.service.app;
  const lines = vi.spyOn(services.log, 'warn');
  const claim = () => Promise.reject(new Error('no space left on device'));
  services.owner = rememberedOwner({ find: async () => null, canClaim: async () => true, claim });
  expectProblem(
    await alone.service.ask('POST', '/api/auth/setup', { body: { pat: 'token-ann' } }),
    503,
    'authz_unavailable',
  );
  expect(lines.mock.calls).toEqual([
    [expect.objectContaining({ cause: 'no space left on device' }), 'a request could not be answered'],
  ]);
});
