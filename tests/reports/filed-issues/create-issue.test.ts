import { beforeEach, describe, expect, test } from 'vitest';
import { expectFields, expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type RequestOptions, startService } from '../../support/service.ts';
import { issuesOfWeb, type Wish, wishes } from './filed-issues.ts';

const minute = 60_000;
const hour = 60 * minute;
const issuesPath = '/repos/octo/web/issues';

aDatabase((database) => {
  const visit = storedService(database);
  const file = (wish: Wish = {}, request: RequestOptions = {}) => wishes(visit.service)(wish, request);
  const filed = () => issuesOfWeb(visit.service, 'Slow');
  beforeEach(visit.anew);

  describe('an issue', () => {
    test('is filed in the caller’s name, with a mark nobody sees', async () => {
      const answer = await file({ title: '  Slow checks ', body: 'Since *Monday*.\r\nSee @team.' });
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          ok: true,
          number: expect.any(Number),
          title: 'Slow checks',
          deduplicated: false,
          html_url: `https://codehost.example/octo/web/issues/${answer.body.number}`,
          created_at: new Date(visit.service.clock.now()).toISOString(),
        },
      ]);
      const [issue, ...others] = filed();
      expect(others).toEqual([]);
      expect(issue).toMatchObject({ title: 'Slow checks', author: { login: 'ann' } });
      expect(issue?.body).toMatch(
        /^Since \*Monday\*\.\nSee @team\.\n\n<!-- delivery-analytics operation [\w-]{36} -->$/,
      );
      expect(answer.headers.get('x-ratelimit-limit')).toBe('5');
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('4');
      expect(visit.service.double.violations).toEqual([]);
    });

    test('without a text holds the mark alone', async () => {
      expect((await file({ body: undefined })).status).toBe(201);
      expect(filed()[0]?.body).toMatch(/^<!-- .* -->$/);
    });
  });

  describe('requested again', () => {
    test('with the same key is answered by what came of the first, for a day', async () => {
      const first = await file({ key: 'key-00000001' });
      for (let n = 0; n < 6; n++) {
        const again = await file({ key: 'key-00000001' });
        expect([again.status, again.body]).toEqual([201, first.body]);
        expect(again.headers.get('idempotent-replay')).toBe('true');
      }
      expect(first.headers.has('idempotent-replay')).toBe(false);
      expect(filed()).toHaveLength(1);
      visit.service.clock.advance(24 * hour);
      expect((await file({ key: 'key-00000001' })).headers.has('idempotent-replay')).toBe(false);
      expect(filed()).toHaveLength(2);
    });

    test('with the same key and other words is a conflict; of somebody else it is another key', async () => {
      await file({ key: 'key-00000001' });
      expectProblem(await file({ key: 'key-00000001', body: 'other' }), 409, 'idempotency_conflict');
      const bo = { headers: bearerOf('token-bo') };
      expect((await file({ key: 'key-00000001', body: 'other' }, bo)).status).toBe(201);
      expect(filed()).toHaveLength(2);
    });

    test('without a key within a quarter of an hour is the same issue, whatever the case of its title', async () => {
      const first = await file({ title: 'Slow checks' });
      visit.service.clock.advance(15 * minute - 1);
      const again = await file({ title: ' slow CHECKS', body: 'other' });
      expect([again.status, again.body]).toMatchObject([200, { number: first.body.number, deduplicated: true }]);
      visit.service.clock.advance(1);
      expect((await file({ title: 'Slow checks' })).body.deduplicated).toBe(false);
      expect(filed()).toHaveLength(2);
    });

    test('of many at once, one is filed and the others are reported to wait', async () => {
      const url = database.name === 'postgresql' ? await database.address() : null;
      const one = url ? await startService({ DATABASE_URL: url }) : visit.service;
      const other = url ? await startService({ DATABASE_URL: url }, one) : one;
      for (const key of ['key-00000001', undefined]) {
        const title = `Slow ${key}`;
        const at = [one, other, one, other];
        const answers = await Promise.all(at.map((service) => wishes(service)({ title, key })));
        expect(issuesOfWeb(one, title)).toHaveLength(1);
        for (const answer of answers.filter(({ status }) => status === 409)) {
          expectProblem(answer, 409, 'in_progress');
          expect(answer.headers.get('retry-after')).toBe('2');
        }
        const numbers = answers.filter(({ status }) => status < 300).map(({ body }) => body.number);
        expect(new Set(numbers).size).toBe(1);
      }
      if (url) for (const service of [other, one]) await service.close();
    });
  });

  describe('when the platform does not answer', () => {
    test('an issue that it created all the same is found, not filed twice', async () => {
      visit.service.double.fault({ method: 'POST', path: issuesPath }, { kind: 'reset' });
      const answer = await file();
      expect([answer.status, answer.body.number]).toEqual([201, filed()[0]?.number]);
      expect(filed()).toHaveLength(1);
    });

    test('one that it did not create is said not to be there, and is filed when requested again', async () => {
      visit.service.double.fault({ method: 'POST', path: issuesPath }, { kind: 'reset', lost: true });
      const answer = await file({ key: 'key-00000001' });
      expectProblem(answer, 502, 'upstream_unavailable');
      expect([answer.body.details.maybe_created, filed()]).toEqual([false, []]);
      const posts = visit.service.double.requests.filter(({ operation }) => operation === 'issues/create');
      expect(posts).toHaveLength(1);
      expect((await file({ key: 'key-00000001' })).status).toBe(201);
      expect(filed()).toHaveLength(1);
    });

    test.each(['key-00000001', undefined])(
      'nor says what is there, it may have; key %s finds it later',
      async (key) => {
        visit.service.double.fault({ method: 'POST', path: issuesPath }, { kind: 'malformed_json' });
        visit.service.double.fault({ method: 'GET', path: issuesPath, times: 3 }, { kind: 'status', status: 503 });
        const answer = await file({ key });
        expectProblem(answer, 502, 'upstream_unavailable');
        expect(answer.body.details.maybe_created).toBe(true);
        const later = await file({ key });
        expect([later.status, later.body.number]).toEqual([key ? 201 : 200, filed()[0]?.number]);
        expect(filed()).toHaveLength(1);
      },
    );

    test.each([true, undefined])(
      'nor does whoever asked first come back (lost: %s), the next takes over',
      async (lost) => {
        const { double, clock } = visit.service;
        const { promise: until, resolve: breakOff } = Promise.withResolvers<void>();
        double.fault({ method: 'POST', path: issuesPath }, { kind: 'reset', until, ...(lost && { lost }) });
        const first = file({ key: 'key-00000001' });
        await expect.poll(() => double.requests.some(({ operation }) => operation === 'issues/create')).toBe(true);
        expectProblem(await file({ key: 'key-00000001' }), 409, 'in_progress');
        clock.advance(minute);
        expect((await file({ key: 'key-00000001' })).status).toBe(201);
        breakOff();
        expect((await first).status).toBe(201);
        expect(filed()).toHaveLength(1);
      },
    );
  });

  test('whoever looked for so long that another may be at it does not send it', async () => {
    const { double, clock } = visit.service;
    const request = (method: string) =>
      double.requests.filter((one) => one.method === method && one.path === issuesPath);
    double.fault({ method: 'POST', path: issuesPath }, { kind: 'status', status: 503 });
    double.fault({ method: 'GET', path: issuesPath, times: 3 }, { kind: 'status', status: 503 });
    expectProblem(await file({ key: 'key-00000001' }), 502, 'upstream_unavailable');
    double.fault({ method: 'GET', path: issuesPath }, { kind: 'latency', ms: 500 });
    const late = file({ key: 'key-00000001' });
    await expect.poll(() => request('GET')).toHaveLength(4);
    clock.advance(minute);
    expectProblem(await late, 409, 'in_progress');
    expect([request('POST').length, filed()]).toEqual([1, []]);
    expect((await file({ key: 'key-00000001' })).status).toBe(201);
    expect(filed()).toHaveLength(1);
  });

  test('five an hour and address are sent; rejected, replayed and repeated wishes take no place', async () => {
    expectFields(await file({ title: '' }), ['title', 'invalid']);
    for (let n = 1; n <= 5; n++) {
      expect((await file({ title: `Slow ${n}`, key: `key-0000000${n}` })).headers.get('x-ratelimit-remaining')).toBe(
        String(5 - n),
      );
      expect((await file({ title: `Slow ${n}`, key: `key-0000000${n}` })).status).toBe(201);
      if (n < 5) expect((await file({ title: `Slow ${n}` })).status).toBe(200);
      visit.service.clock.advance(minute);
    }
    visit.service.double.requests.length = 0;
    for (const headers of [undefined, { 'x-forwarded-for': '1.2.3.4' }]) {
      const sixth = await file({ title: 'Slow 6' }, headers ? { headers } : {});
      expectProblem(sixth, 429, 'rate_limited');
      expect(sixth.headers.get('retry-after')).toBe(String(55 * 60));
      expect(sixth.headers.get('x-ratelimit-limit')).toBe('5');
      expect(sixth.headers.get('x-ratelimit-remaining')).toBe('0');
    }
    expectProblem(await file({ title: 'Slow 5' }), 429, 'rate_limited');
    expect(visit.service.double.requests).toEqual([]);
    expect((await file({ title: 'Slow 6' }, { from: '10.0.5.2' })).status).toBe(201);
    visit.service.clock.advance(55 * minute);
    expect((await file({ title: 'Slow 7' })).status).toBe(201);
  });
});
