import { describe, expect, it } from 'vitest';
import { clientOf, errorOf, linkTo, pageIn, platformOfEachTest, wireRun } from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };

describe('runs', () => {
  const answerRuns = (runs: object[], total = runs.length) => {
    platform.handler = (_seen, answer) => answer.json(200, { total_count: total, workflow_runs: runs });
  };

  it('are facts without addresses of people, with the first line of the message', async () => {
    answerRuns([wireRun({ path: '.github/workflows/ci.yml@main' })]);
    const { items } = await clientOf(platform.url).codehost.runs.ofWorkflow(web, 5, 50);
    expect(items[0]).toEqual({
      id: 100,
      attempt: 1,
      workflowId: 5,
      workflowName: 'CI',
      workflowPath: '.github/workflows/ci.yml',
      runNumber: 12,
      displayTitle: 'Fix it',
      event: 'push',
      status: 'completed',
      conclusion: 'success',
      headBranch: 'main',
      headSha: 'a'.repeat(40),
      actor: { login: 'mona', avatarUrl: 'https://example.test/mona.png', isBot: false },
      triggeringActor: { login: 'dependabot[bot]', avatarUrl: '', isBot: true },
      createdAt: Date.parse('2026-03-09T10:00:00Z'),
      startedAt: Date.parse('2026-03-09T10:00:05Z'),
      updatedAt: Date.parse('2026-03-09T10:05:00Z'),
      htmlUrl: 'https://example.test/run/100',
      jobsUrl: 'https://example.test/run/100/jobs',
      checkSuiteId: 'CS_100',
      headCommit: { message: 'Fix it', authorName: 'Mona' },
      pullRequests: [{ number: 4, url: 'https://example.test/pr/4', headSha: 'b'.repeat(40) }],
    });
  });

  it('tell bots from people and know no deleted account', async () => {
    const actor = (login: string, type = 'User') => ({ login, type, avatar_url: '' });
    const people = [actor('Renovate'), actor('our-ci'), actor('x', 'Bot'), actor('mona'), actor('ghost'), null];
    answerRuns(people.map((one, id) => wireRun({ id, actor: one, triggering_actor: null, head_commit: null })));
    const { codehost } = clientOf(platform.url, { botLogins: ['Our-CI'] });
    const { items } = await codehost.runs.ofWorkflow(web, 5, 50);
    expect(items.map(({ actor: one }) => one?.isBot ?? null)).toEqual([true, true, true, false, null, null]);
    expect(items[0]?.headCommit).toBeNull();
  });

  it('survive words of a newer platform', async () => {
    answerRuns([
      wireRun({ status: 'completed', conclusion: 'exploded' }),
      wireRun({ id: 2, status: 'dreaming', conclusion: null }),
    ]);
    const { items } = await clientOf(platform.url).codehost.runs.ofWorkflow(web, 5, 50);
    expect(items.map(({ status, conclusion }) => [status, conclusion])).toEqual([
      ['completed', null],
      ['pending', null],
    ]);
  });

  it('recent ones are requested by whole days, so that a repeat a minute later costs nothing', async () => {
    const since = Date.parse('2026-02-08T12:00:00Z');
    answerRuns([
      wireRun({ id: 3, created_at: '2026-02-08T12:00:00Z' }),
      wireRun({ id: 2, created_at: '2026-02-08T11:59:59Z' }),
    ]);
    const { codehost, sent } = clientOf(platform.url);
    const read = await codehost.runs.recent(web, since, 5);
    expect(read.items.map(({ id }) => id)).toEqual([3]);
    expect([read.partial, read.totalCount]).toEqual([false, 1]);
    await codehost.runs.recent(web, since + 60_000, 5);
    expect(sent).toHaveLength(1);
    const requested = new URL(platform.requests[0]?.url ?? '', platform.url).searchParams;
    expect([requested.get('created'), requested.get('per_page')]).toEqual(['>=2026-02-08T00:00:00Z', '100']);
  });

  it('recent ones beyond the page cap make the list partial', async () => {
    platform.handler = (seen, answer) => {
      const page = pageIn(seen.url);
      const runs = Array.from({ length: 100 }, (_, i) => wireRun({ id: page * 1000 + i }));
      answer.json(200, { total_count: 450, workflow_runs: runs }, { link: linkTo(page, 5) });
    };
    const read = await clientOf(platform.url).codehost.runs.recent(web, Date.parse('2026-02-01T00:00:00Z'), 3);
    expect([read.items.length, read.partial, read.totalCount]).toEqual([300, true, 450]);
    expect(platform.requests).toHaveLength(3);
  });

  it('that are completed are one page of a list of their own', async () => {
    answerRuns([wireRun()], 1);
    const { codehost } = clientOf(platform.url);
    expect(await codehost.runs.completed(web)).toMatchObject({ items: [{ id: 100 }], totalCount: 1, partial: false });
    const requested = new URL(platform.requests[0]?.url ?? '', platform.url).searchParams;
    expect([requested.get('status'), requested.get('per_page')]).toEqual(['completed', '100']);
  });

  it('are counted from the very second on, once while the count is fresh', async () => {
    answerRuns([wireRun()], 405);
    const { codehost, clock, sent } = clientOf(platform.url);
    const monthAgo = () => clock.now() - 30 * 86_400_000;
    clock.advance(250);
    expect(await codehost.runs.countSince(web, monthAgo())).toMatchObject({ count: 405, stale: false });
    const requested = new URL(platform.requests[0]?.url ?? '', platform.url).searchParams;
    const firstSecond = new Date(Math.ceil(monthAgo() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
    expect([requested.get('created'), requested.get('per_page')]).toEqual([`>=${firstSecond}`, '1']);
    clock.advance(119_000);
    await codehost.runs.countSince(web, monthAgo());
    expect(sent).toHaveLength(1);
    await codehost.runs.countSince(web, monthAgo() - 86_400_000);
    expect(sent).toHaveLength(2);
  });

  it('of a window are requested with both ends', async () => {
    answerRuns([wireRun()], 120);
    const from = Date.parse('2026-03-01T00:00:00Z');
    const page = await clientOf(platform.url).codehost.runs.window(web, from, from + 3_600_000, 2);
    expect([page.totalCount, page.runs.length]).toEqual([120, 1]);
    const requested = new URL(platform.requests[0]?.url ?? '', platform.url).searchParams;
    expect([requested.get('created'), requested.get('page')]).toEqual([
      '2026-03-01T00:00:00Z..2026-03-01T01:00:00Z',
      '2',
    ]);
  });

  it('of a window that cannot be read are counted', async () => {
    answerRuns([wireRun(), wireRun({ created_at: 'soon' }), wireRun({ id: null })], 3);
    const { runs, unread, totalCount } = await clientOf(platform.url).codehost.runs.window(web, 0, 1, 1);
    expect([runs.length, unread, totalCount]).toEqual([1, 2, 3]);
  });

  it('that are gone are null; other errors stay', async () => {
    const { codehost } = clientOf(platform.url);
    expect(await codehost.runs.get(web, 1)).toBeNull();
    expect(await codehost.runs.attempt(web, 1, 1)).toBeNull();
    platform.handler = (_seen, answer) => answer.json(403, {});
    expect((await errorOf(codehost.runs.get(web, 1))).code).toBe('upstream_forbidden');
  });

  it('an ended attempt is requested once and for all', async () => {
    platform.handler = (_seen, answer) => answer.json(200, wireRun());
    const { codehost, clock, sent } = clientOf(platform.url);
    await codehost.runs.attempt(web, 100, 1);
    clock.advance(30 * 86_400_000);
    expect((await codehost.runs.attempt(web, 100, 1))?.id).toBe(100);
    expect(sent).toHaveLength(1);
  });
});
