import { describe, expect, it } from 'vitest';
import { searchAnswer, variablesOf, wirePullRequest } from '../delivery/wire-delivery.ts';
import { clientOf, errorOf, platformOfEachTest } from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };
const day = 86_400_000;
const now = Date.parse('2026-03-10T12:00:00Z');
const quarter = now - 90 * day;
const sizes = () => platform.requests.map(({ body }) => variablesOf(body).first);

describe('a page that is too heavy', () => {
  it.each([502, 504])(
    'is requested in half the size after a %i, and a size that failed twice is not tried again',
    async (status) => {
      platform.handler = ({ body }, answer) => {
        const { first, after } = variablesOf(body);
        if (Number(first) > 12) return answer.json(status, {});
        const number = Number(after ?? 0) + 1;
        const items = [wirePullRequest({ number })];
        answer.json(200, searchAnswer(items, { issueCount: 3, next: number === 3 ? null : String(number) }));
      };
      const merged = await clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now);
      expect([merged.items.length, merged.partial]).toEqual([3, false]);
      expect(sizes()).toEqual([50, 25, 12, 25, 12, 12]);
    },
  );

  it('is followed by whole ones again', async () => {
    platform.handler = ({ body }, answer) => {
      if (platform.requests.length === 1) return answer.json(502, {});
      const number = Number(variablesOf(body).after ?? 0) + 1;
      const next = number === 3 ? null : String(number);
      answer.json(200, searchAnswer([wirePullRequest({ number })], { issueCount: 3, next }));
    };
    const merged = await clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now);
    expect([merged.items.length, merged.partial, sizes()]).toEqual([3, false, [50, 25, 50, 50]]);
  });

  it('is taken as it comes where it lacks the same in every size', async () => {
    platform.handler = ({ body }, answer) => {
      const number = Number(variablesOf(body).after ?? 0) + 1;
      const next = number === 4 ? null : String(number);
      const errors = [{ type: 'RESOURCE_LIMITS_EXCEEDED', path: ['search', 'nodes', 1], message: 'too much' }];
      answer.json(200, { ...searchAnswer([wirePullRequest({ number }), null], { issueCount: 8, next }), errors });
    };
    const merged = await clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now);
    expect([merged.items.length, merged.partial, sizes()]).toEqual([4, true, [50, 25, 12, 50, 50, 50]]);
  });

  it.each(['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_SCOPES', 'UNPROCESSABLE', 'INTERNAL', 'SOMETHING_NEW'])(
    'is requested once when it lacks something because of %s',
    async (type) => {
      const errors = [{ type, path: ['search', 'nodes', 1], message: 'This is not told.' }];
      platform.handler = (_seen, { json }) =>
        json(200, { ...searchAnswer([wirePullRequest(), null], { issueCount: 2 }), errors });
      const cut = await clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now);
      expect([cut.items.length, cut.partial, sizes()]).toEqual([1, true, [50]]);
      platform.handler = (_seen, { json }) => json(200, { data: null, errors });
      await errorOf(clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now));
      expect(sizes()).toEqual([50, 50]);
    },
  );

  it('takes nothing from the pages before it when it never comes', async () => {
    platform.handler = ({ body }, answer) =>
      variablesOf(body).after
        ? answer.json(502, {})
        : answer.json(200, searchAnswer([wirePullRequest()], { issueCount: 2, next: '1' }));
    const merged = await clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now);
    expect([merged.items.length, merged.partial, merged.capped]).toEqual([1, true, false]);
  });

  it('is requested in half the size when no answer comes in time', async () => {
    platform.handler = ({ body }, answer) => {
      if (Number(variablesOf(body).first) === 50) return;
      answer.json(200, searchAnswer([wirePullRequest()], { issueCount: 1 }));
    };
    const { codehost } = clientOf(platform.url, { timing: { graphqlAttemptMs: 1000 } });
    expect((await codehost.pullRequests.merged(web, quarter, now)).items).toHaveLength(1);
    expect(sizes()).toEqual([50, 25]);
  });

  it('is read again when only a part of it came, and is partial when it never comes whole', async () => {
    const half = (body: string) => ({
      ...searchAnswer([wirePullRequest(), null], { issueCount: 2 }),
      errors: [
        { type: 'RESOURCE_LIMITS_EXCEEDED', path: ['search', 'nodes', 1], message: `too much of ${body.length}` },
      ],
    });
    platform.handler = ({ body }, answer) =>
      answer.json(
        200,
        platform.requests.length > 1 ? searchAnswer([wirePullRequest()], { issueCount: 1 }) : half(body),
      );
    const complete = await clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now);
    expect([complete.items.length, complete.partial, sizes()]).toEqual([1, false, [50, 25]]);
    platform.handler = ({ body }, answer) => answer.json(200, half(body));
    const cut = await clientOf(platform.url).codehost.pullRequests.merged(web, quarter, now);
    expect([cut.items.length, cut.partial, cut.totalCount]).toEqual([1, true, 2]);
  });

  it('refuses after three attempts', async () => {
    platform.handler = (_seen, answer) => answer.json(502, {});
    const problem = await errorOf(clientOf(platform.url).codehost.pullRequests.open(web));
    expect([problem.code, sizes()]).toEqual(['upstream_unavailable', [50, 25, 12]]);
  });
});
