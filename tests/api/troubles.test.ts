import { describe, expect, test } from 'vitest';
import { aCommit } from '../codehost-double/delivery-builders.ts';
import { day, hour } from '../reports/workload/workload-world.ts';
import { expectProblem, freshService } from './endpoints.ts';

const visit = freshService();

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
type Answer = any;

const ofRepository = [
  'repo-dora',
  'repo-contributors',
  'repo-contributors?days=30',
  'team-stats',
  'bus-factor',
  'team-workload-risk',
  'team-workload-risk?days=90',
  'open-pr-health',
  'issues',
  'deployments',
];
const ofOrganization = ['org-overview', 'org-health-scorecard'];
const profile = 'contributor-profile';

const ask = (question: string, query: string, as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/${question}${question.includes('?') ? '&' : '?'}${query}`, { as });
const of = (repo: string) => `owner=octo&repo=${repo}`;
/** Each of the eleven, about one repository, or its owner where it is about more. */
const everyQuestion = (owner: string, repo: string): [question: string, query: string][] => [
  ...ofRepository.map((question): [string, string] => [question, `owner=${owner}&repo=${repo}`]),
  ...ofOrganization.map((question): [string, string] => [question, `org=${owner}`]),
  [profile, `owner=${owner}&login=ana`],
];

/** Every value whose name says that it is derived from a sample. */
function derivedIn(value: unknown, path = ''): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return derived.test(path) ? [[path, value]] : [];
  if (/thresholds|basis$/.test(path)) return [];
  return Object.entries(value).flatMap(([key, one]) => derivedIn(one, `${path}.${key}`));
}
const derived =
  /(_pct|_hours|_ms|_rate|\.rate|\.level|overall_level|_score|days_to_close|most_reliable|top_contributor)$/;

describe('a repository that was renamed', () => {
  test.each(ofRepository)('%s answers by its former name as by the present one, which it says', async (question) => {
    const former = await ask(question, of('before'));
    expect([former.status, former.headers.get('x-canonical-repo')]).toEqual([200, 'octo/renamed-now']);
    expect(former.body).toEqual((await ask(question, of('renamed-now'))).body);
  });

  test.each(ofOrganization)('%s lists it once, by its present name', async (question) => {
    const { repos } = (await ask(question, 'org=octo')).body;
    const names = repos.map(({ repo }: Answer) => repo.name ?? repo);
    expect(names.filter((name: string) => /^(renamed-now|before)$/.test(name))).toEqual(['renamed-now']);
  });
});

describe('an empty repository', () => {
  test.each(ofRepository.filter((question) => question !== 'bus-factor'))(
    '%s has nothing, and nothing derived from it',
    async (question) => {
      const { status, body } = await ask(question, of('empty'));
      expect([status, body.partial]).toEqual([200, false]);
      // Nothing was delivered, which is known: that is rarely, not unknown.
      const isKnown = (path: string) => path === '.deployment_frequency.level';
      const isUnjudged = (path: string, value: unknown) => /\.verdicts\./.test(path) && value === 'not_enough_data';
      const reported = derivedIn(body).filter(
        ([path, value]) => value !== null && !isKnown(path) && !isUnjudged(path, value),
      );
      expect(reported).toEqual([]);
      expect(derivedIn(body).length).toBeGreaterThan(0);
    },
  );

  test('an organization lists it without a rate, and its scorecard leaves it out and says why', async () => {
    const [overview, scorecard] = await Promise.all(
      ofOrganization.map(async (question) => (await ask(question, 'org=octo')).body),
    );
    const row = overview.repos.find(({ repo }: Answer) => repo.name === 'empty');
    expect(row).toMatchObject({ runs_30d: 0, partial: false });
    expect(scorecard.skipped).toContainEqual(expect.objectContaining({ repo: 'empty', reason: 'empty' }));
  });
});

describe('a token that may not', () => {
  test.each(everyQuestion('sealed', 'ledger'))('%s says that single sign-on is asked for', async (question, query) => {
    const answer = await ask(question, query, 'token-ann-two');
    expectProblem(answer, 403, 'sso_required');
    if (question !== profile)
      expect(answer.body.details.sso_url).toMatch(/^https:\/\/codehost\.example\/orgs\/sealed\/sso/);
  });

  test.each(everyQuestion('octo', 'web'))('%s passes a refusal on as one', async (question, query) => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: /./, times: 500 }, { kind: 'status', status: 403 });
    expectProblem(await ask(question, query), 403, 'upstream_forbidden');
  });

  test.each(ofRepository)('%s knows nothing of what the token was not made for', async (question) => {
    expectProblem(await ask(question, of('secret'), 'token-ann-fine'), 404, 'not_found');
  });

  test.each(ofOrganization)('%s lists what the token was made for, and no more', async (question) => {
    const { repos } = (await ask(question, 'org=octo', 'token-ann-fine')).body;
    expect(repos.map(({ repo }: Answer) => repo.name ?? repo).sort()).toEqual(['api', 'web']);
  });
});

describe('a tracker that is switched off', () => {
  test.each(everyQuestion('octo', 'no-issues'))('is gone for issues alone: %s', async (question, query) => {
    const answer = await ask(question, query);
    if (question === 'issues') return expectProblem(answer, 410, 'issues_disabled');
    expect([answer.status, answer.body.partial]).toEqual([200, false]);
  });
});

describe('accounts that were deleted', () => {
  /** Everything in it was done by them: a merge, a review, an open pull request, a run, a deployment, an issue. */
  function abandoned() {
    const { double, clock } = visit.service;
    const at = clock.now() - 2 * day;
    double.addRepository({ name: 'octo/left', facts: { id: 93_001 } });
    const nobody = { author: null, createdAt: at, updatedAt: at };
    double.putPullRequest('octo/left', { number: 1, ...nobody });
    double.addReview('octo/left', 1, { reviewer: null, state: 'approved', submittedAt: at + hour });
    double.mergePullRequest('octo/left', 1, { by: null, at: at + 2 * hour });
    double.putPullRequest('octo/left', { number: 2, ...nobody });
    double.putIssue('octo/left', { number: 3, ...nobody });
    double.putRun('octo/left', { id: 930_001, actor: null, triggeringActor: null, createdAt: at });
    const statuses = [{ state: 'success' as const, at: at + 1000 }];
    double.putDeployment('octo/left', { id: 930_002, createdAt: at, creator: null, statuses });
    double.addCommit('octo/left', aCommit(at, null, 'By nobody'));
  }

  test.each<[question: string, expected: object]>([
    ['repo-dora', { lead_time: { sample_size: 1 }, pr_scatter: [{ author: 'ghost', is_bot: false }] }],
    ['repo-contributors', { contributors: [], total_prs_analysed: 1, review_pairs: [] }],
    ['repo-contributors?days=30', { contributors: [], prs_merged_total: 1, prs_human_reviewed: 1, prs_self_merged: 0 }],
    ['team-stats', { contributors: [], total_runs: 1, unattributed_runs: 1, top_contributor: null }],
    ['bus-factor', { overall_bus_factor: 2, total_contributors: 2, excluded: { bots: 0 } }],
    ['team-workload-risk', { people: [{ login: 'Nobody Known', unlinked_name: true }, { login: 'ann' }] }],
    ['open-pr-health', { open_prs: [{ author: 'ghost', is_bot: false }], concurrent_prs_by_author: [], total_open: 1 }],
    ['issues', { open_count: 1, assignee_load: [], unassigned_count: 1 }],
    ['deployments', { successful: 1, recent: [{ creator: null }] }],
  ])('%s counts what they did, and makes no person of them', async (question, expected) => {
    abandoned();
    const { status, body } = await ask(question, of('left'));
    expect(status).toBe(200);
    expect(body).toMatchObject(expected);
    const people = [...(body.contributors ?? []), ...(body.people ?? []), ...(body.modules ?? [])];
    expect(JSON.stringify(people)).not.toMatch(/ghost/i);
  });

  test('an organization counts what they did', async () => {
    abandoned();
    const row = (rows: Answer[]) => rows.find(({ repo }) => (repo.name ?? repo) === 'left');
    expect(row((await ask('org-overview', 'org=octo')).body.repos)).toMatchObject({ runs_30d: 1 });
    // What takes too long for one answer is in a later one.
    const scored = async () => row((await ask('org-health-scorecard', 'org=octo')).body.repos);
    await expect.poll(scored).toMatchObject({ overall_bus_factor: 2 });
    expectProblem(await ask(profile, 'owner=octo&login=ghost'), 404, 'not_found');
  });
});

/** What answers say of reviews when none can be read. */
const withoutReviews: Record<string, object> = {
  'repo-contributors': {
    prs_human_reviewed: null,
    prs_no_human_review: null,
    bot_reviews: null,
    reviewed_before_merge_pct: null,
    bot_prs: { no_human_review: null },
    first_pass_approval_rate: null,
  },
  'open-pr-health': {
    awaiting_review_count: null,
    stale_count: null,
    time_to_first_review_p50_hours: null,
  },
  'repo-dora': { cycle_breakdown: { median_pickup_ms: null, median_review_ms: null } },
  [profile]: { funnel: { reviewed: null, approved: null } },
};

describe('a part inside the answer of the platform that is not reported', () => {
  const failing = (field: string) => ({ kind: 'failing_field', field, type: 'FORBIDDEN' }) as const;
  const withError = (type: string) => ({ kind: 'nested_graphql', field: 'reviews', type }) as const;
  const questions = ['repo-contributors', 'repo-contributors?days=90', 'repo-dora', profile];

  test.each([
    ...['FORBIDDEN', 'SERVICE_UNAVAILABLE'].flatMap((type) =>
      [...questions, 'open-pr-health'].map((question) => [question, withError(type)] as const),
    ),
    ...['comments', 'state', 'submittedAt'].flatMap((field) =>
      questions.map((question) => [question, failing(`PullRequestReview.${field}`)] as const),
    ),
  ])('reviews: %s is partial, %o', async (question, fault) => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 500 }, fault);
    const answer = await ask(question, question === profile ? 'owner=octo&login=ana' : of('web'));
    expect([answer.status, answer.body.partial, answer.headers.get('x-partial')]).toEqual([200, true, 'true']);
    expect(answer.body.coverage).toMatchObject({ complete: false });
    expect(answer.body).toMatchObject(withoutReviews[question.split('?')[0] ?? ''] ?? {});
  });

  test('comments of issues: unknown, and never 0', async () => {
    await visit.service.signIn('token-ann');
    const missing = (field: string) => ({ kind: 'nested_graphql', field, type: 'FORBIDDEN' }) as const;
    visit.service.double.fault({ path: '/graphql', times: 500 }, missing('comments'));
    const { status, body } = await ask('issues', of('web'));
    expect([status, body.partial]).toEqual([200, true]);
    expect(body.oldest_open).toMatchObject({ comments: null });
  });

  test.each([
    ['issues', 'Issue.author', /author of \d+ open issues? could/],
    ['open-pr-health', 'PullRequest.author', /author of \d+ open pull requests? could/],
    ['open-pr-health', 'PullRequestReview.author', /reviews.author of \d+ closed pull requests? could/],
    ['repo-contributors', 'PullRequest.author', /author of \d+ closed pull requests? could/],
    ['repo-contributors?days=30', 'PullRequest.author', /author of \d+ pull requests? of a window could/],
    ['repo-contributors?days=90', 'PullRequestReview.author', /reviews.author of \d+ closed pull requests? could/],
    ['repo-dora', 'PullRequest.author', /author of \d+ closed pull requests? could/],
    ['bus-factor', 'GitActor.user', /author.user of \d+ commits? could/],
    ['team-workload-risk', 'GitActor.user', /author.user of \d+ commits? could/],
    ['team-workload-risk', 'PullRequest.author', /author of \d+ open pull requests? could/],
    [profile, 'PullRequestReview.author', /reviews.author of \d+ authored pull requests? could/],
    [profile, 'GitActor.user', /author.user of \d+ commits? of an author could/],
  ])('who it was: %s is partial, and says that %s could not be read', async (question, field, reason) => {
    const query = question === profile ? 'owner=octo&login=ana' : of('web');
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 500 }, { kind: 'failing_field', field, type: 'FORBIDDEN' });
    for (const answer of [await ask(question, query), await ask(question, query)]) {
      expect([answer.status, answer.body.partial, answer.headers.get('x-partial')]).toEqual([200, true, 'true']);
      expect(answer.headers.get('x-partial-reason')).toMatch(reason);
      expect(answer.headers.get('x-partial-reason')).toContain('could not be read');
    }
  });

  test.each(['deployments', 'repo-dora'])('statuses of deployments: %s is partial', async (question) => {
    await visit.service.signIn('token-ann');
    const fault = { kind: 'nested_graphql', field: 'statuses', type: 'SERVICE_UNAVAILABLE' } as const;
    visit.service.double.fault({ path: '/graphql', times: 500 }, fault);
    const answer = await ask(question, of('web'));
    expect([answer.status, answer.body.partial, answer.headers.get('x-partial')]).toEqual([200, true, 'true']);
  });
});
