import { describe, expect, test } from 'vitest';
import { scriptTitle } from '../codehost-double/named-world.ts';
import { visitSite } from './visited-site.ts';

const day = 86_400_000;
const hour = 3_600_000;

const visit = visitSite();

describe('the issues of a repository', () => {
  test('tell what comes and goes, how long it takes and what waits', async () => {
    const { status, text, content } = await visit.readPlain('/repos/octo/web/issues');
    expect(status).toBe(200);
    for (const one of [
      'Open 7 +40 % against 30 days ago',
      'Oldest, 200 d: #57',
      'Backlog grew by 2 +2 in 30 days: 5 opened, 3 closed',
      '3 closed, 1 as not planned and 1 by bots',
      'Time to close 20 d from 3 issues closed in 30 days · no comparison',
      'No comparison: fewer than 5',
      '80 d',
      'Small sample: fewer than 20 closed.',
      'Unanswered 3 Of 7 open.',
      'Stale 3 Of 7 open.',
      'No label 2',
      'No assignee 4',
      '1 of 7 older than three months',
      '#55 Issue 55',
      'question',
    ])
      expect(content).toContain(one);
    expect(content).toMatch(/Previous 30 days: \+[12]\./);
    expect(content).toContain('Previous 30 days: 30 d from 1');
    // The difference opens neither half of it: each number opens its own list.
    expect(text).toMatch(/<h3>Backlog grew by<\/h3>/);
    for (const [metric, many] of [
      ['opened_in_period', 5],
      ['closed_in_period', 3],
    ] as const) {
      const [href = ''] = new RegExp(`/explain\\?metric=${metric}[^"]*`).exec(text) ?? [];
      expect((await visit.readPlain(href.replaceAll('&amp;', '&'))).content).toMatch(new RegExp(`Counted ${many} `));
    }
    expect(text).not.toContain(scriptTitle);
    expect(text).toMatch(/href="\/explain\?metric=stale_count&amp;owner=octo&amp;repo=web"/);
    expect(text).toContain('/api/codehost/issues?owner=octo&amp;repo=web&amp;days=30&amp;format=csv');
  });

  test('offer no period where there is no tracker, and choose none that was not requested', async () => {
    const off = await visit.readPlain('/repos/octo/no-issues/issues');
    expect(off.content).toContain('No issues here.');
    expect(off.text).not.toContain('name="range"');
    visit.site.double.fault({ path: '/graphql', times: 200 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    const response = await visit.readPlain('/repos/octo/renamed-now/issues');
    visit.site.double.reset();
    expect(response.content).toContain('Access denied.');
    expect(response.text).toMatch(/<input[^>]*name="range"/);
    expect(response.text).not.toMatch(/value="null"|>Clear</);
  });

  test('of any period from 7 to 90 days, chosen in the address', async () => {
    const { text, content } = await visit.readPlain('/repos/octo/web/issues?range=45');
    expect(content).toContain('in 45 days: 6 opened, 4 closed');
    expect(text).toMatch(/<input[^>]*name="range"[^>]*value="45"/);
    expect((await visit.readPlain('/repos/octo/web/issues?range=3')).content).toContain(
      'in 7 days: 2 opened, 1 closed',
    );
    const wrong = await visit.readPlain('/repos/octo/web/issues?range=0');
    expect([wrong.status, wrong.content.includes('days must be at least 1')]).toEqual([400, true]);
  });

  test.each([
    ['?range=quarter', 'This quarter: not available here, 30 days shown'],
    ['?range=2026-05-01..2026-05-31', '1 May 2026 to 31 May 2026: not available here, 30 days shown'],
    ['?range=45&compare=year', 'Compared with the previous period'],
  ])('say what they show in place of %s', async (query, said) => {
    const { status, content } = await visit.readPlain(`/repos/octo/web/issues${query}`);
    expect([status, content.includes(said)]).toEqual([200, true]);
  });

  test('the platform’s colour is a dot beside the word, never its background', async () => {
    const { text } = await visit.readPlain('/repos/octo/web/issues');
    expect(text).toMatch(/<circle[^>]*fill="#d73a4a"[^>]*>(<\/circle>)?<\/svg>(<!-- -->)? (<!-- -->)?bug/);
    expect(text.match(/d73a4a/g)).toHaveLength(1);
  });

  test('without any, say so', async () => {
    const { content } = await visit.readPlain('/repos/octo/empty/issues');
    expect(content).toMatch(/Backlog unchanged 0 .*No issues closed in 30 days\..*No open issues\./);
  });

  test('where the tracker is off, say so', async () => {
    const { status, content } = await visit.readPlain('/repos/octo/no-issues/issues');
    expect([status, content.includes('Issues are disabled in this repository.')]).toEqual([410, true]);
  });

  test('are linked from the other pages of the repository only where the tracker is on', async () => {
    for (const page of ['', '/deployments', '/team', '/security', '/changes']) {
      const linked = async (name: string) =>
        (await visit.read(`/repos/octo/${name}${page}`)).links.includes(`/repos/octo/${name}/issues`);
      expect([page, await linked('web'), await linked('no-issues')]).toEqual([page, true, false]);
    }
    const isShownIn = async (name: string) =>
      (await visit.read(`/reports?repo=octo%2F${name}`)).links.includes(`/repos/octo/${name}/issues`);
    expect([await isShownIn('web'), await isShownIn('no-issues')]).toEqual([true, false]);
  });

  test('of a repository that cannot be seen are not found', async () => {
    expect((await visit.site.visit('/repos/octo/nope/issues', { cookie: visit.ann })).status).toBe(404);
  });

  test('that could not all be read say which numbers are exact', async () => {
    const now = Date.now();
    visit.site.double.addIssues('octo/secret', 1030, { from: now - 100 * day, to: now - hour });
    const { content } = await visit.readPlain('/repos/octo/secret/issues');
    expect(content).toContain('Incomplete. Based on 1,000 issues; more exist. Counts are exact');
    expect(content).toContain('Open 1,030');
    expect(content).toMatch(/ 8 of [\d,]+ \w+/);
  });

  test('that nobody counted are a floor, and that stands beside the count', async () => {
    const now = Date.now();
    visit.site.double.addIssues('octo/old', 1030, { from: now - 100 * day, to: now - hour });
    // Ten pages of open ones, one of closed ones, then the platform's own counts.
    visit.site.double.fault({ path: '/graphql', after: 11, times: 9 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    const { content } = await visit.readPlain('/repos/octo/old/issues');
    expect(content).toMatch(/Open at least 1,000 A minimum: not all open issues could be loaded\./);
    expect(content).toContain('Partial data.');
    expect(content).toContain('Counts are minimums.');
    visit.site.double.reset();
  });

  test('that the platform refuses to tell do not look like none', async () => {
    visit.site.double.fault({ path: '/graphql', times: 9 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    const { status, content } = await visit.readPlain('/repos/octo/fork/issues');
    expect([status, content.includes('Access denied.')]).toEqual([403, true]);
    expect(content).not.toContain('No open issues');
    visit.site.double.reset();
  });
});

describe('the open pull requests of a repository', () => {
  test('say who waits for whom, oldest first', async () => {
    const { text, content } = await visit.readPlain('/repos/octo/web/pull-requests');
    for (const one of ['Awaiting review 1', 'Changes requested 1', 'Ready to merge 1', 'Draft 0'])
      expect(content).toContain(one);
    expect(content).toMatch(
      /#21 Waits for a reviewer bo, team keepers 6 d .*#22 .* conflicts author 2 d 3 d cy .*#23 .* merge /,
    );
    expect(content).toContain('Time to first review 1 h n = 3 Reviewed pull requests closed in 90 days. p90');
    expect(content).toContain('(small sample)');
    expect(text).toMatch(/href="\/explain\?metric=abandon_rate&amp;owner=octo&amp;repo=web"/);
  });

  test('keep bots and drafts apart', async () => {
    const { content } = await visit.readPlain('/repos/octo/api/pull-requests');
    expect((await visit.readPlain('/repos/octo/api')).content).toMatch(/All 6 .* Bots 1 /);
    expect(content).toContain('By bots (1)');
    expect(content).toContain('draft');
    expect(content).toContain('Partial data for long reviews');
    expect(content).toContain(
      'Closed without merging 14 % n = 7 Pull requests by people, closed or merged in 90 days.',
    );
  });

  test('when there are none, say so', async () => {
    expect((await visit.readPlain('/repos/octo/empty')).content).toContain('No open pull requests.');
  });

  test('more than fit are said, and all can be had', async () => {
    const now = Date.now();
    for (let number = 1; number <= 20; number++)
      visit.site.double.putPullRequest('octo/old', { number, createdAt: now - number * hour });
    expect((await visit.readPlain('/repos/octo/old/pull-requests')).content).toContain('5 of 20 open. Show all');
    const { text } = await visit.readPlain('/repos/octo/old/pull-requests?open=all');
    expect(text.match(/\/octo\/old\/pull\/\d+"/g)).toHaveLength(20);
    visit.site.double.reset();
  });
});

test('the demo has both, complete', async () => {
  const issues = await visit.readPlain('/demo/repos/lumen-harbor/beacon-api/issues');
  for (const one of ['Awaiting first response', 'Labels', 'Assignees', 'Time to close'])
    expect(issues.content).toContain(one);
  expect(issues.text).toMatch(/href="\/demo\/api\/codehost\/issues\?[^"]*format=csv"/);
  const pullRequests = await visit.readPlain('/demo/repos/lumen-harbor/beacon-api/pull-requests');
  for (const one of ['Awaiting review', 'Approval to merge', 'Review rounds'])
    expect(pullRequests.content).toContain(one);
  expect(pullRequests.text).toMatch(/href="\/demo\/explain\?metric=time_to_first_review_p50_hours/);
});
