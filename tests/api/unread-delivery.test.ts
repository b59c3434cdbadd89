import { expect, test } from 'vitest';
import { freshService } from './endpoints.ts';

const visit = freshService();
const web = 'owner=octo&repo=web';

/** Asks where a field of pull requests or releases cannot be read. */
async function ask(question: string, field: string) {
  await visit.service.signIn('token-ann');
  const fault = { kind: 'failing_field', field, type: 'FORBIDDEN' } as const;
  visit.service.double.fault({ path: '/graphql', times: 500 }, fault);
  return visit.service.ask('GET', `/api/${question}`, { as: 'token-ann' });
}

test.each(['PullRequest.labels', 'LabelConnection.nodes'])(
  'nobody knows what is a fix where %s is unread',
  async (field) => {
    const { body, headers } = await ask(`codehost/repo-dora?${web}`, field);
    expect([body.partial, headers.get('x-partial-reason')]).toEqual([
      true,
      expect.stringMatching(/\blabels of \d+ [a-z ]+ could not be read/),
    ]);
    expect(body.change_failure_rate).toMatchObject({
      failures: null,
      rate: null,
      rate_interval: null,
      level: null,
      label: 'not known',
    });
    expect(body.mttr).toMatchObject({ median_ms: null, level: null });
    expect(body.lead_time.sample_size).toBeGreaterThan(0);
  },
);

test('the evidence of the failure rate leaves them out, and says why', async () => {
  const { body } = await ask(`explain?metric=change_failure_rate&${web}`, 'PullRequest.labels');
  expect([body.value, body.sample, body.interval ?? null]).toEqual([null, 0, null]);
  const reasons = body.left_out.map(({ reason }: { reason: string }) => reason);
  expect(reasons).toContain('its labels could not be read');
});

test('releases of an unread time are no drafts, and merges do not stand in for them', async () => {
  const { body, headers } = await ask(`codehost/repo-dora?${web}`, 'Release.publishedAt');
  expect([body.partial, headers.get('x-partial-reason')]).toEqual([
    true,
    expect.stringMatching(/\bpublishedAt of \d+ [a-z ]+ could not be read/),
  ]);
  expect(body.releases_analysed).toBeNull();
  expect(body.basis.deployment_frequency).toBe('releases');
  expect(body.deployment_frequency).toMatchObject({ per_day: null, total: null, level: null, label: 'not known' });
  const { body: explained } = await visit.service.ask('GET', `/api/explain?metric=deployment_frequency&${web}`, {
    as: 'token-ann',
  });
  expect([explained.value, explained.sample]).toEqual([null, 0]);
});

test.each(['PullRequestReview.commit', 'Commit.oid', 'PullRequest.reviews'])(
  'rounds of review are unknown where %s is unread',
  async (field) => {
    const { body } = await ask(`codehost/open-pr-health?${web}`, field);
    expect(body.partial).toBe(true);
    expect(body.review_round_distribution.map(({ count }: { count: number | null }) => count)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    for (const { has_review, review_rounds } of body.open_prs)
      if (has_review !== false) expect(review_rounds).toBeNull();
  },
);

test.each(['PullRequest.labels', 'PullRequestReview.commit', 'Release.publishedAt', 'Commit.author'])(
  'what lacks %s is not kept',
  async (field) => {
    const question = field === 'Commit.author' ? `team-workload-risk?${web}` : `repo-dora?${web}`;
    expect((await ask(`codehost/${question}`, field)).body.partial).toBe(true);
    visit.service.double.reset();
    visit.service.clock.advance(3_600_000);
    const { body } = await visit.service.ask('GET', `/api/codehost/${question}`, { as: 'token-ann' });
    expect(body.partial).toBe(false);
  },
);
