import { describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { type Answered, startService } from '../../support/service.ts';
import { issuesOfWeb, type Wish, wishes } from './filed-issues.ts';

const visit = freshService();
const file = (wish: Wish = {}, headers: Record<string, string> = {}) => wishes(visit.service)(wish, { headers });
const issuesPath = '/repos/octo/web/issues';
const lamp = '💡';

describe('what is written', () => {
  const control = (code: number) => `Slow${String.fromCharCode(code)}checks`;
  test.each<[string, Wish, string, boolean]>([
    ['256 characters of a title', { title: lamp.repeat(256) }, 'title', true],
    ['257 characters of a title', { title: lamp.repeat(257) }, 'title', false],
    ['256 characters with spaces around', { title: ` ${'a'.repeat(256)}\n` }, 'title', true],
    ['10,000 characters of a text', { body: lamp.repeat(10_000) }, 'body', true],
    ['10,001 characters of a text', { body: lamp.repeat(10_001) }, 'body', false],
    ['nothing but spaces as a title', { title: '   ' }, 'title', false],
    ['tabs and line breaks', { body: 'a\tb\nc\r\nd' }, 'body', true],
    ['a null in a title', { title: control(0) }, 'title', false],
    ['an escape in a text', { body: control(27) }, 'body', false],
    ['a lone carriage return', { body: control(13) }, 'body', false],
    ['a control character of the second set', { body: control(0x85) }, 'body', false],
    ['half a character', { title: 'Slow \ud83d' }, 'title', false],
    ['a number as a title', { title: 7 }, 'title', false],
  ])('%s', async (_, wish, field, isTaken) => {
    const answer = await file(wish);
    if (isTaken) expect(answer.status).toBe(201);
    else expectFields(answer, [field, 'invalid']);
    const posts = visit.service.double.requests.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(isTaken ? 1 : 0);
  });

  test('under a name nobody knows is rejected', async () => {
    expectFields(await file({ labels: ['x'] } as Wish), ['labels', 'unknown']);
  });

  test.each(['short', 'a'.repeat(129), 'key with spaces', 'key.with.dots', ''])('key %j is refused', async (key) => {
    expectFields(await file({ key }), ['Idempotency-Key', 'invalid']);
  });
});

describe('what the platform refuses', () => {
  const reject = (status: number, message: string, headers: Record<string, string> = {}) =>
    visit.service.double.fault(
      { method: 'POST', path: issuesPath, times: 9 },
      { kind: 'status', status, message, headers },
    );
  const posts = () =>
    visit.service.double.requests.filter(({ path }) => path === issuesPath).map(({ method }) => method);

  test.each<[number, string, number, string, RegExp]>([
    [403, 'Resource not accessible by personal access token', 403, 'upstream_forbidden', /write issues/],
    [403, 'Repository was archived so is read-only.', 403, 'upstream_forbidden', /archived/],
    [404, 'Not Found', 404, 'not_found', /./],
    [410, 'Issues has been disabled in this repository.', 410, 'issues_disabled', /switched off/],
    [422, 'Validation Failed', 422, 'upstream_rejected', /rejected the request/],
    [451, 'Blocked', 451, 'legally_blocked', /./],
    [401, 'Bad credentials', 401, 'unauthenticated', /./],
  ])('%i %s is %i %s', async (upstream, message, status, code, sentence) => {
    reject(upstream, message);
    const answer = await file({ key: 'key-00000001' });
    expectProblem(answer, status, code);
    expect(answer.body.error).toMatch(sentence);
    expect(answer.body.details).toMatchObject({ upstream_status: upstream });
    expect(answer.body.details).not.toHaveProperty('maybe_created');
    expect(posts()).toEqual(['POST']);
  });

  test('is not stored: the same key may be sent again', async () => {
    visit.service.double.fault({ method: 'POST', path: issuesPath }, { kind: 'status', status: 404 });
    expectProblem(await file({ key: 'key-00000001' }), 404, 'not_found');
    expect((await file({ key: 'key-00000001', body: 'other' })).status).toBe(201);
  });

  test.each([2, 60])('for a limit of %i s is not repeated, and says when', async (retryAfter) => {
    visit.service.double.fault({ method: 'POST', path: issuesPath }, { kind: 'secondary_limit', retryAfter });
    const answer = await file();
    expectProblem(answer, 429, 'upstream_rate_limited');
    expect(answer.headers.get('retry-after')).toBe(String(retryAfter));
    expect(posts()).toEqual(['POST']);
    expect(issuesOfWeb(visit.service, 'Slow')).toEqual([]);
  });

  test.each([500, 502, 503])('with %i is sent one time, then looked for', async (status) => {
    visit.service.double.fault({ method: 'POST', path: issuesPath }, { kind: 'status', status });
    expectProblem(await file(), 502, 'upstream_unavailable');
    expect(posts()).toEqual(['POST', 'GET']);
  });

  test('of a repository: no tracker, archived, unseen, renamed', async () => {
    expectProblem(await file({ repo: 'no-issues' }), 410, 'issues_disabled');
    expectProblem(await file({ repo: 'old' }), 403, 'upstream_forbidden');
    expectProblem(await file({ repo: 'nowhere' }), 404, 'not_found');
    const { double } = visit.service;
    double.rename('octo/web', 'octo/shop');
    expect((await file()).body.html_url).toMatch(/\/octo\/shop\/issues\/\d+$/);
    expect(double.violations).toEqual([]);
  });

  test('of a title reports the fields by the platform’s names', async () => {
    const { double } = visit.service;
    double.fault({ method: 'POST', path: issuesPath }, { kind: 'invalid', fields: ['title', 'title', 'body'] });
    const answer = await file();
    expectProblem(answer, 422, 'upstream_rejected');
    expect(answer.body.details).toEqual({ upstream_status: 422, upstream_fields: ['title', 'body'] });
  });
});

test('a forged first address does not get around the limit behind a proxy', async () => {
  const service = await startService({ TRUST_PROXY_HOPS: '1' });
  const answers: Answered[] = [];
  for (let n = 1; n <= 6; n++) {
    const headers = { 'x-forwarded-for': `1.2.3.${n}, 9.9.9.9` };
    answers.push(await wishes(service)({ title: `Slow ${n}` }, { headers }));
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
  await service.close();
});
