import { describe, expect, it } from 'vitest';
import { createRequestLimits, type WorkLimits, withLimits } from '../../../server/platform/work-limits.ts';
import { searchAnswer, variablesOf, wirePullRequest } from '../delivery/wire-delivery.ts';
import { clientOf, errorOf, platformOfEachTest } from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };
const now = Date.parse('2026-03-10T12:00:00Z');
const week = 7 * 86_400_000;
const client = () => clientOf(platform.url, { timing: { graphqlAttemptMs: 60_000, graphqlTotalMs: 60_000 } });

describe('the parts of one question', () => {
  it('send four requests again, however many fail', async () => {
    platform.handler = (_seen, { json }) => json(502, {});
    const { codehost } = client();
    const parts = () => [
      codehost.pullRequests.open(web),
      codehost.pullRequests.merged(web, now - week, now),
      codehost.commits.history(web, now - week, 100),
      codehost.releases.since(web, now - week),
      codehost.workflows.list(web),
      codehost.pullRequests.titles(web, [1]),
    ];
    const limits = createRequestLimits(new AbortController().signal);
    const outcomes = await withLimits(limits, () => Promise.allSettled(parts()));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    expect(platform.requests).toHaveLength(6 + 4);
  });

  it('end no later than the whole that they are part of', () => {
    const whole = { ...createRequestLimits(new AbortController().signal), deadline: performance.now() + 100 };
    const part = withLimits(whole, () => createRequestLimits(new AbortController().signal));
    expect(part.deadline).toBe(whole.deadline);
  });

  it.each([
    [503, { upstream_status: 503 }],
    [null, {}],
  ])('tell what came of the last request where none may be sent again: %s', async (status, details) => {
    platform.handler = (_seen, { json, raw }) => (status ? json(status, {}) : raw.destroy());
    const limits = { ...createRequestLimits(new AbortController().signal), takeRetries: () => false };
    const response = await withLimits(limits, () => errorOf(client().codehost.workflows.list(web)));
    expect([response.code, response.details]).toEqual(['upstream_unavailable', details]);
    expect(response.cause).toMatchObject({ operation: 'list workflows', method: 'GET', status });
    expect(response.cause).toMatchObject({ url: expect.stringContaining('/repos/octo/web/actions/workflows') });
    expect(platform.requests).toHaveLength(1);
  });

  it('end at one time, with what was read until then', async () => {
    platform.handler = ({ body }, answer) => {
      if (!variablesOf(body).after) answer.json(200, searchAnswer([wirePullRequest()], { issueCount: 2, next: '1' }));
    };
    const { codehost } = client();
    const limits: WorkLimits = {
      ...createRequestLimits(new AbortController().signal),
      // Long enough for the first page, however busy the machine is.
      deadline: performance.now() + 10_000,
    };
    const merged = await withLimits(limits, () => codehost.pullRequests.merged(web, now - week, now));
    expect([merged.items.length, merged.partial, merged.capped]).toEqual([1, true, false]);
    const sent = platform.requests.length;
    const late = withLimits({ ...limits, deadline: performance.now() }, () => codehost.pullRequests.open(web));
    expect((await errorOf(late)).code).toBe('upstream_unavailable');
    expect(platform.requests).toHaveLength(sent);
  });
});

describe('a read that callers share', () => {
  /** The platform answers the first page, and never the second. */
  const shared = () => {
    let closed = 0;
    platform.handler = ({ body }, answer) => {
      if (!variablesOf(body).after)
        return answer.json(200, searchAnswer([wirePullRequest()], { issueCount: 2, next: '1' }));
      answer.raw.once('close', () => closed++);
    };
    const { codehost } = client();
    const callers = [new AbortController(), new AbortController()];
    const ask = (caller: AbortController) =>
      withLimits(createRequestLimits(caller.signal), () => codehost.pullRequests.merged(web, now - week, now));
    return { callers, ask, reads: callers.map(ask), closed: () => closed };
  };
  const isUnderWay = () => expect.poll(() => platform.requests).toHaveLength(2);

  it('goes on while one of them waits, and ends when the last goes away', async () => {
    const { callers, reads, closed } = shared();
    await isUnderWay();
    callers[0]?.abort();
    await expect(reads[0]).rejects.toMatchObject({ name: 'AbortError' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(closed()).toBe(0);
    callers[1]?.abort();
    await expect(reads[1]).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(closed).toBe(1);
    expect(platform.requests).toHaveLength(2);
  });

  it('is begun anew by who comes when it was left', async () => {
    const { callers, ask, reads } = shared();
    const left = Promise.allSettled(reads);
    await isUnderWay();
    for (const caller of callers) caller.abort();
    platform.handler = (_seen, answer) => answer.json(200, searchAnswer([wirePullRequest()], { issueCount: 1 }));
    const found = await ask(new AbortController());
    expect([found.items.length, found.partial]).toEqual([1, false]);
    expect((await left).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
