import { describe, expect, it } from 'vitest';
import { clientOf, errorOf, platformOfEachTest } from '../platform.ts';
import { searchAnswer, variablesOf, wirePullRequest } from './wire-delivery.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };
const day = 86_400_000;
const now = Date.parse('2026-03-10T12:00:00Z');
const quarter = now - 90 * day;
const rateLimited = { data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] };

describe('counts', () => {
  const answer = (counts: (number | null)[]) => ({
    data: {
      repository: { name: 'web', owner: { login: 'octo' } },
      ...Object.fromEntries(
        counts.map((issueCount, index) => [`c${index}`, issueCount === null ? null : { issueCount }]),
      ),
    },
  });
  const spans = [quarter, now - 30 * day].map((from) => ({ from, to: from + day }));

  it('are requested once more when a part of them is missing', async () => {
    const errors = [{ type: 'RESOURCE_LIMITS_EXCEEDED', path: ['c1'], message: 'too much' }];
    const part = { ...answer([3, null]), errors };
    platform.handler = (_seen, { json }) => json(200, platform.requests.length > 1 ? answer([3, 4]) : part);
    expect(await clientOf(platform.url).codehost.pullRequests.mergedCounts(web, 'main', spans)).toEqual([3, 4]);
    expect(platform.requests).toHaveLength(2);
    platform.handler = (_seen, { json }) => json(200, part);
    const problem = await errorOf(clientOf(platform.url).codehost.pullRequests.mergedCounts(web, 'main', spans));
    expect([problem.code, platform.requests.length]).toEqual(['upstream_unavailable', 4]);
  });

  it('name the branch and spans that do not overlap', async () => {
    platform.handler = (_seen, { json }) => json(200, answer([0]));
    const from = Date.parse('2026-03-02T00:00:00Z');
    await clientOf(platform.url).codehost.pullRequests.mergedCounts(web, 'release/"1', [{ from, to: from + 7 * day }]);
    expect(variablesOf(platform.requests[0]?.body ?? '').c0).toBe(
      'repo:octo/web is:pr is:merged base:release/1 merged:2026-03-02T00:00:00Z..2026-03-08T23:59:59Z',
    );
  });
});

describe('a search that holds too many', () => {
  /** As many results a day as said, for as long as the range of the search is. */
  const perDay = (count: number) => {
    platform.handler = ({ body }, answer) => {
      const { terms, first, after } = variablesOf(body);
      const [from = 0, to = 0] = /merged:(\S+)\.\.(\S+)/.exec(String(terms))?.slice(1).map(Date.parse) ?? [];
      const issueCount = Math.round(((to - from) / day) * count);
      const start = Number(after ?? 0);
      const shown = Math.min(Number(first), Math.min(issueCount, 1000) - start);
      const items = Array.from({ length: shown }, (_, index) =>
        wirePullRequest({ number: from / 1000 + start + index, mergedAt: new Date(from + 1000).toISOString() }),
      );
      const next = start + shown < Math.min(issueCount, 1000) ? String(start + shown) : null;
      answer.json(200, searchAnswer(items, { issueCount, next }));
    };
  };
  const ranges = () => [
    ...new Set(platform.requests.map(({ body }) => /merged:(\S+)/.exec(String(variablesOf(body).terms))?.[1])),
  ];

  it('is halved by full times that neither overlap nor leave a gap, newest first', async () => {
    perDay(15);
    const merged = await clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now);
    expect([merged.slices, merged.partial]).toEqual([2, false]);
    const [whole = '', newer = '', older = ''] = ranges().map(String);
    expect(older.split('..')[0]).toBe(whole.split('..')[0]);
    expect(newer.split('..')[1]).toBe(whole.split('..')[1]);
    expect(Date.parse(newer.split('..')[0] ?? '') - Date.parse(older.split('..')[1] ?? '')).toBe(1000);
  });

  it('gives 2,000 at most and says so', async () => {
    perDay(40);
    const { codehost, clock } = clientOf(platform.url);
    const merged = await codehost.pullRequests.merged(web, quarter, now);
    expect([merged.items.length, merged.partial]).toEqual([2000, true]);
    const requests = platform.requests.length;
    clock.advance(14 * 60_000);
    await codehost.pullRequests.merged(web, quarter, now);
    expect(platform.requests).toHaveLength(requests);
    expect(merged.totalCount).toBeGreaterThan(3500);
  });

  it('is partial when a half gets no answer, and asks again after a minute', async () => {
    perDay(15);
    const answering = platform.handler;
    platform.handler = (seen, answer) => (ranges().length === 3 ? answer.json(502, {}) : answering(seen, answer));
    const { codehost, clock } = clientOf(platform.url);
    const cut = await codehost.pullRequests.merged(web, quarter, now);
    expect([cut.partial, cut.slices, cut.items.length > 600]).toEqual([true, 1, true]);
    platform.handler = answering;
    clock.advance(60_000);
    expect((await codehost.pullRequests.merged(web, quarter, now)).partial).toBe(false);
  });
});

describe('errors', () => {
  const outcome = async (body: object) => {
    platform.handler = (_seen, answer) => answer.json(200, body);
    return (await errorOf(clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now))).code;
  };

  it('are the problems the platform means', async () => {
    const none = (type: string, extensions = {}) => ({
      data: { repository: null, search: { issueCount: 0, nodes: [] } },
      errors: [{ type, path: ['repository'], message: 'no', extensions }],
    });
    expect(await outcome(none('NOT_FOUND'))).toBe('not_found');
    expect(await outcome(none('FORBIDDEN'))).toBe('upstream_forbidden');
    expect(await outcome(none('FORBIDDEN', { saml_failure: true }))).toBe('sso_required');
    expect(await outcome(rateLimited)).toBe('upstream_rate_limited');
    expect(await outcome({ data: { repository: 5 } })).toBe('upstream_unavailable');
  });

  it('of names the platform cannot have need no request', async () => {
    const { codehost } = clientOf(platform.url);
    const request = [
      codehost.pullRequests.merged({ owner: 'a b', repo: 'x' }, quarter, now),
      codehost.pullRequests.authoredBy('octo', 'x is:open', quarter),
      codehost.commits.history({ owner: 'octo', repo: '..' }, quarter, 300),
      codehost.issues.counts({ owner: 'octo', repo: 'a"b' }, { since: quarter, now }),
    ];
    for (const each of request) expect((await errorOf(each)).code).toBe('not_found');
    expect(platform.requests).toEqual([]);
  });

  it('that pass are bridged by an older copy for a day; others end it', async () => {
    platform.handler = (_seen, answer) => answer.json(200, searchAnswer([wirePullRequest()], { issueCount: 1 }));
    const { codehost, clock } = clientOf(platform.url);
    const read = () => codehost.pullRequests.closed(web, now - 30 * day);
    const first = await read();
    clock.advance(3_600_000);
    platform.handler = (_seen, answer) => answer.json(200, rateLimited);
    expect(await read()).toEqual({ ...first, stale: true });
    clock.advance(3_600_000);
    platform.handler = (_seen, answer) =>
      answer.json(200, {
        data: { repository: null, search: null },
        errors: [{ type: 'NOT_FOUND', path: ['repository'], message: 'no' }],
      });
    expect((await errorOf(read())).code).toBe('not_found');
    platform.handler = (_seen, answer) => answer.json(502, {});
    expect((await errorOf(read())).code).toBe('upstream_unavailable');
  });

  it('leave points to others: nothing is requested when the reserve is reached', async () => {
    const rateLimit = { cost: 1, limit: 5000, remaining: 49, resetAt: '2026-03-10T12:30:00Z' };
    platform.handler = (_seen, answer) =>
      answer.json(200, { data: { ...searchAnswer([], { issueCount: 0 }).data, rateLimit } });
    const { codehost } = clientOf(platform.url);
    await codehost.pullRequests.merged(web, quarter, now);
    const problem = await errorOf(codehost.pullRequests.closed(web, quarter));
    expect([problem.code, problem.details?.retry_after_s]).toEqual(['upstream_rate_limited', 1800]);
    expect(platform.requests).toHaveLength(1);
  });
});
