import { expect, test } from 'vitest';
import { freshService } from './endpoints.ts';

const visit = freshService();
const web = 'owner=octo&repo=web';
const profile = 'contributor-profile?owner=octo&login=ana';

/** Asks where nobody is shown who opened a pull request, or something else of one. */
async function ask(question: string, field = 'PullRequest.author') {
  await visit.service.signIn('token-ann');
  const fault = { kind: 'failing_field', field, type: 'FORBIDDEN' } as const;
  visit.service.double.fault({ path: '/graphql', times: 500 }, fault);
  return visit.service.ask('GET', `/api/${question}`, { as: 'token-ann' });
}

test.each([
  `open-pr-health?${web}`,
  `repo-dora?${web}`,
  `repo-contributors?${web}`,
  `repo-contributors?${web}&days=90`,
  `team-workload-risk?${web}`,
  profile,
])('%s takes nobody whose name could not be read for a deleted account, and says why', async (question) => {
  const { status, text, body, headers } = await ask(`codehost/${question}`);
  expect([status, body.partial, headers.get('x-partial')]).toEqual([200, true, 'true']);
  expect(headers.get('x-partial-reason')).toMatch(/\bauthor of \d+ [a-z ]+ could not be read/);
  expect(text).not.toMatch(/ghost/i);
});

test('open pull requests are listed without an author, and nobody knows whether that is a bot', async () => {
  const { open_prs, concurrent_prs_by_author } = (await ask(`codehost/open-pr-health?${web}`)).body;
  expect(open_prs).toMatchObject([21, 22, 23].map((number) => ({ number, author: null, is_bot: null })));
  expect(concurrent_prs_by_author).toEqual([]);
});

test('merged ones are counted as those of unknown authors, neither of people nor of bots', async () => {
  const { body } = await ask(`codehost/repo-contributors?${web}`);
  expect(body.prs_merged_total).toBeGreaterThan(0);
  expect(body).toMatchObject({
    prs_author_unread: body.prs_merged_total,
    prs_merged_by_people: 0,
    bot_prs: { merged: 0 },
    median_hours_to_merge: null,
    self_merged_pct: null,
    bus_factor: null,
  });
  expect(body.review_pairs.length).toBeGreaterThan(0);
  expect(new Set(body.review_pairs.map(({ author }: { author: string | null }) => author))).toEqual(new Set([null]));
  expect(body.review_load.sole_reviewer).toEqual([]);
});

test('figures of people leave them out', async () => {
  const { body } = await ask(`codehost/repo-dora?${web}`);
  expect(body).toMatchObject({ lead_time: { median_ms: null, sample_size: 0 }, change_failure_rate: { total: 0 } });
  expect(body.pr_scatter.length).toBeGreaterThan(0);
  for (const point of body.pr_scatter) expect(point).toMatchObject({ author: null, is_bot: null });
});

test('the evidence of a number says that they were excluded, and why', async () => {
  const { body } = await ask(`explain?metric=median_hours_to_merge&${web}&days=90`);
  const reason = 'its author could not be read';
  const excluded = body.left_out.find((one: { reason: string }) => one.reason === reason);
  expect(excluded?.count).toBeGreaterThan(0);
  expect(excluded.items[0].note).toBe(reason);
  expect([body.value, body.sample]).toEqual([null, 0]);
});

test('where it could not be read who merged, nobody knows how many did it themselves', async () => {
  const { body, headers } = await ask(`codehost/repo-contributors?${web}&days=30`, 'PullRequest.mergedBy');
  expect(headers.get('x-partial-reason')).toMatch(/\bmergedBy of \d+ [a-z ]+ could not be read/);
  expect(body).toMatchObject({
    prs_merged_by_people: 3,
    prs_author_unread: 0,
    // The one whose author is gone was not merged by them.
    prs_self_merged: null,
    prs_self_merged_including_bots: null,
    self_merged_pct: 0,
  });
  const merged = body.contributors.filter(
    (one: { is_bot: boolean; prs_merged: number }) => !one.is_bot && one.prs_merged > 0,
  );
  expect(new Set(merged.map(({ self_merge_count }: { self_merge_count: number | null }) => self_merge_count))).toEqual(
    new Set([null]),
  );
});

test('the evidence of self-merges leaves those out, and says why', async () => {
  const { body } = await ask(`explain?metric=self_merged&${web}&days=30`, 'PullRequest.mergedBy');
  const reasons = body.left_out.map(({ reason }: { reason: string }) => reason);
  expect([body.value, body.sample, reasons]).toEqual([
    0,
    1,
    expect.arrayContaining(['who merged it could not be read']),
  ]);
});

test('a profile counts what the search found as the work of the account that was searched', async () => {
  await visit.service.signIn('token-ann');
  const { body: known } = await visit.service.ask('GET', `/api/codehost/${profile}`, { as: 'token-ann' });
  expect(known.prs_merged).toBeGreaterThan(0);
  // What was read before is a copy by now.
  visit.service.clock.advance(3_600_000);
  const { body } = await ask(`codehost/${profile}`);
  const numbers = ['prs_opened', 'prs_merged', 'prs_still_open', 'pr_merge_rate', 'avg_hours_to_merge', 'avg_pr_size'];
  for (const name of numbers) expect([name, body[name]]).toEqual([name, known[name]]);
  expect(body.funnel).toEqual(known.funnel);
  expect(body.period_comparison).toEqual({ ...known.period_comparison, complete: false });
  expect(body.partial).toBe(true);
});

test('nobody is said to have no pull request open where it could not be read who opened one', async () => {
  const { body } = await ask(`codehost/team-workload-risk?${web}`);
  expect(body.people.length).toBeGreaterThan(0);
  for (const person of body.people) expect([person.open_pr_count, person.open_draft_count]).toEqual([null, null]);
});

const ofCommits = ['Commit.author', 'GitActor.user'];

test.each(ofCommits)('the bus factor is unknown where %s could not be read', async (field) => {
  const { body, headers } = await ask(`codehost/bus-factor?${web}`, field);
  expect(headers.get('x-partial-reason')).toContain('author');
  expect(body).toMatchObject({
    overall_bus_factor: null,
    critical_modules: null,
    total_contributors: null,
    author_unread: body.total_commits,
    excluded: { bots: null },
    partial: true,
  });
  expect(body.modules.length).toBeGreaterThan(0);
  for (const { bus_factor, risk, contributors } of body.modules)
    expect([bus_factor, ['unknown', 'low_sample'].includes(risk), contributors]).toEqual([null, true, []]);
  const { body: explained } = await visit.service.ask('GET', `/api/explain?metric=bus_factor&${web}`, {
    as: 'token-ann',
  });
  expect(explained).toMatchObject({ value: null, sample: 0 });
  expect(explained.left_out.map(({ reason }: { reason: string }) => reason)).toContain('its author could not be read');
});

test.each(ofCommits)('nobody is said to have no commits where %s could not be read', async (field) => {
  const { body } = await ask(`codehost/team-workload-risk?${web}`, field);
  expect(body.partial).toBe(true);
  expect(body.team.author_unread).toBeGreaterThan(0);
  expect(body.team).toMatchObject({ contributors: null, hours: null });
  expect(body.people.length).toBeGreaterThan(0);
  for (const { login, total_commits, recent_period_commits, weekend_pct, risk_score } of body.people)
    expect([login !== '', total_commits, recent_period_commits, weekend_pct, risk_score]).toEqual([
      true,
      null,
      null,
      null,
      null,
    ]);
});

test.each([
  ['Commit.author', 'is_bot'],
  ['Commit.signature', 'verified'],
])('of a change of workflow files where %s could not be read, %s is null', async (field, name) => {
  const { body, headers } = await ask(`codehost/audit-log?${web}`, field);
  expect(headers.get('x-partial')).toBe('true');
  expect(body.length).toBeGreaterThan(0);
  for (const change of body) expect(change[name]).toBeNull();
});
