import { describe, expect, test } from 'vitest';
import type { Fault } from '../../codehost-double/faults.ts';
import { logLines } from '../../support/log-lines.ts';
import { visitService } from '../endpoints.ts';
import { agree, begin, comeBack, exchange, expectTurnedAway, holds, sent, sessionOf, signIn } from './signing-in.ts';

const visit = visitService({ MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo' });
const tokenPath = '/login/oauth/access_token';

const faults: Record<string, Fault> = {
  'an error of its own': { kind: 'status', status: 500 },
  'that it knows nothing of it': { kind: 'status', status: 404 },
  'a refusal': { kind: 'status', status: 401, message: 'Bad credentials' },
  'that it is too much': { kind: 'secondary_limit', status: 429 },
  'something that is no JSON': { kind: 'malformed_json' },
  'half an answer': { kind: 'cut_body' },
  'nothing at all': { kind: 'reset' },
  'JSON that says something else': { kind: 'status', status: 200, message: 'canary of the platform' },
};

describe('when a code is to be changed into a token, the platform answers', () => {
  test.each(Object.entries(faults))('%s', async (_, fault) => {
    visit.service.double.fault({ path: tokenPath }, fault);
    expectTurnedAway(await signIn(visit.service, { login: 'ann' }), 'token_exchange');
    expect(sent(visit.service).filter((one) => one === exchange)).toHaveLength(1);
    expect(sent(visit.service)).not.toContain('GET /user');
  });

  test('an error with the status of a success', async () => {
    const begun = await begin(visit.service);
    const lines = await logLines(visit.service.app.services, async () => {
      const answer = await comeBack(visit.service, `/api/auth/callback?code=made-up&state=${begun.state}`, begun.flow);
      expectTurnedAway(answer, 'token_exchange');
    });
    const reported = { level: 40, reason: expect.any(String), request_id: expect.any(String) };
    expect(lines).toContainEqual(expect.objectContaining({ ...reported, msg: 'no token was given' }));
  });

  test('a token that cannot be one', async () => {
    for (const token of ['two words', 'x'.repeat(501), ''])
      expectTurnedAway(await signIn(visit.service, { login: 'ann', token }), 'token_exchange');
    expect(sent(visit.service)).not.toContain('GET /user');
  });
});

describe('when it is to say whose token it gave, the platform answers', () => {
  const reported = Object.entries(faults).filter(([, { kind }]) => kind !== 'cut_body' && kind !== 'reset');

  test.each(reported)('%s', async (name, fault) => {
    const token = `viewer-${name}`.replaceAll(' ', '-');
    visit.service.double.fault({ path: '/user', times: 9 }, fault);
    expectTurnedAway(await signIn(visit.service, { login: 'ann', token }), 'server');
    expect(holds(visit.service, token)).toBe(false);
  });
});

test('when a rejected token is to be taken back, whatever the platform answers', async () => {
  for (const fault of Object.values(faults)) {
    visit.service.double.fault({ path: '/applications/*' }, fault);
    expectTurnedAway(await signIn(visit.service, { login: 'bo' }), 'org_not_allowed');
  }
});

test('a platform that never answers is not waited for', async () => {
  const hangs = async (path: string, login: string) => {
    const begun = await begin(visit.service);
    const returned = await agree(visit.service, begun, { login });
    visit.service.double.fault({ path }, { kind: 'hang' });
    const answer = comeBack(visit.service, returned.path, begun.flow);
    await expect.poll(() => visit.service.double.requests.map((one) => one.path)).toContain(path);
    return { answer };
  };
  const change = await hangs(tokenPath, 'bo');
  const membership = await hangs('/user/memberships/orgs/octo', 'ann');
  expectTurnedAway(await membership.answer, 'authz_unavailable');
  expectTurnedAway(await change.answer, 'token_exchange');
});

test('afterwards somebody can sign in as ever', async () => {
  const answer = await signIn(visit.service, { login: 'ann' });
  expect([answer.headers.get('location'), sessionOf(answer) !== undefined]).toEqual(['/', true]);
});
