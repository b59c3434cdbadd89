import { describe, expect, test } from 'vitest';
import { isElsewhere } from '../../server/access/same-site.ts';
import type { Answered } from '../support/service.ts';
import { anyDatabase } from '../support/service.ts';
import { expectProblem, visitService } from './endpoints.ts';

const visit = visitService({ DATABASE_URL: anyDatabase });
const own = 'http://localhost:3000';
const foreign = 'https://elsewhere.example';

type Case = [name: string, headers: Record<string, string>, allowed: boolean];

/** The helper fills in an origin where there is none; an empty one counts as absent. */
const cases: Case[] = [
  ['the own origin', { origin: own }, true],
  ['the own origin, whatever the browser says of the site', { origin: own, 'sec-fetch-site': 'cross-site' }, true],
  ['a foreign origin', { origin: foreign }, false],
  ['a foreign origin that calls itself the same', { origin: foreign, 'sec-fetch-site': 'same-origin' }, false],
  ['an origin that is kept back', { origin: 'null' }, false],
  ['the own host on another port', { origin: 'http://localhost:3001' }, false],
  ['the own host with encryption', { origin: 'https://localhost:3000' }, false],
  ['an origin that begins like the own', { origin: `${own}.elsewhere.example` }, false],
  ['the own origin in capitals', { origin: own.toUpperCase() }, false],
  ['no origin, the same site', { origin: '', 'sec-fetch-site': 'same-origin' }, true],
  ['no origin, typed by a person', { origin: '', 'sec-fetch-site': 'none' }, true],
  ['no origin, a sister site', { origin: '', 'sec-fetch-site': 'same-site' }, false],
  ['no origin, another site', { origin: '', 'sec-fetch-site': 'cross-site' }, false],
  ['no origin, another site, JSON', { origin: '', 'sec-fetch-site': 'cross-site', 'content-type': json() }, false],
  ['neither, JSON', { origin: '', 'content-type': json() }, true],
  ['neither, a form', { origin: '', 'content-type': 'application/x-www-form-urlencoded' }, false],
  ['neither, plain text', { origin: '', 'content-type': 'text/plain' }, false],
  ['neither, no type', { origin: '' }, false],
];

function json() {
  return 'application/json';
}

const expectVerdict = (answer: Answered, allowed: boolean) => {
  if (allowed) expect(answer.status).toBe(200);
  else expectProblem(answer, 403, 'csrf_rejected');
};

describe.each(cases)('a write from %s', (_, headers, allowed) => {
  test(allowed ? 'is taken' : 'is refused', async () => {
    const request = { as: 'token-ann', headers };
    const synchronized = await visit.service.ask('POST', '/api/db/sync?owner=octo&repo=no-actions', request);
    expectVerdict(synchronized, allowed);
    visit.service.clock.advance(60_000);
    expectVerdict(await visit.service.ask('POST', '/api/auth/logout', { headers }), allowed);
    expectVerdict(await visit.service.ask('DELETE', '/api/auth/setup', { headers }), allowed);
  });
});

test.each<[string, Record<string, string>]>([
  ['Origin', { origin: foreign }],
  ['Origin header is null', { origin: 'null' }],
  ['Sec-Fetch-Site', { origin: '', 'sec-fetch-site': 'cross-site' }],
  ['Origin and Sec-Fetch-Site are missing', { origin: '' }],
])('an error names the header: %s', async (named, headers) => {
  const answer = await visit.service.ask('POST', '/api/auth/logout', { headers });
  expectProblem(answer, 403, 'csrf_rejected');
  expect(answer.body.error).toContain(named);
});

test('an error names the address that forms are accepted at', async () => {
  const answer = await visit.service.ask('POST', '/api/auth/setup', { headers: { origin: 'http://127.0.0.1:3000' } });
  expect(answer.body.error).toContain(`${own}, where this installation answers`);
  expect(answer.body.error).toContain('APP_URL');
});

test.each<[string, boolean]>([
  [foreign, true],
  ['http://localhost:3001', true],
  ['https://localhost:3000', true],
  [own, false],
  [own.toUpperCase(), false],
  ['null', false],
  ['', false],
])('the origin %j is another address: %s', (origin, expected) => {
  const headers = new Headers(origin ? { origin } : {});
  expect(isElsewhere({ headers, services: visit.service.app.services })).toBe(expected);
});

describe('a foreign page', () => {
  test('cannot sign a visitor in with somebody else’s token', async () => {
    const answer = await visit.service.ask('POST', '/api/auth/setup', {
      body: { pat: 'token-bo' },
      headers: { origin: foreign },
      from: '10.7.0.1',
    });
    expectProblem(answer, 403, 'csrf_rejected');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(visit.service.double.requests).toEqual([]);
  });

  test('changes nothing and asks the platform nothing', async () => {
    const cookie = await visit.service.signIn('token-bo');
    visit.service.double.requests.length = 0;
    const headers = { cookie, origin: foreign };
    expectProblem(await visit.service.ask('POST', '/api/db/sync', { headers }), 403, 'csrf_rejected');
    expectProblem(await visit.service.ask('POST', '/api/auth/logout', { headers }), 403, 'csrf_rejected');
    expect(visit.service.double.requests).toEqual([]);
    expect((await visit.service.ask('GET', '/api/auth/me', { headers: { cookie } })).status).toBe(200);
  });

  test('may cause reads, of which it sees nothing', async () => {
    const answer = await visit.service.ask('GET', '/api/auth/me', { as: 'token-ann', headers: { origin: foreign } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a stranger is reported to sign in first', async () => {
    expectProblem(
      await visit.service.ask('POST', '/api/db/sync', { headers: { origin: foreign } }),
      401,
      'unauthenticated',
    );
  });
});
