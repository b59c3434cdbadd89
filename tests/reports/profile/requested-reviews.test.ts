import { expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';
import { anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { startService } from '../../support/service.ts';
import { day } from '../workload/workload-world.ts';

const visit = freshService();
const path = '/api/codehost/contributor-profile?owner=octo&login=ana';
const waiting = { number: 91, author: anActor('bo'), createdAt: namedNow - 20 * day, requestedReviewers: ['ana'] };
const point = {
  rule: 'reviews_waiting',
  because: '1 requested review waiting for 14 days or more, the oldest for 20 days.',
  question: 'Requested reviews: what would make room for them?',
};
const rules = ({ body }: { body: { talking_points: { rule: string }[] } }) =>
  body.talking_points.map(({ rule }) => rule);

test('reviews that wait for long are a talking point, where they are asked for', async () => {
  visit.service.double.putPullRequest('octo/web', waiting);
  const ask = (query = '') => visit.service.ask('GET', `${path}${query}`, { as: 'token-ann' });
  expect(rules(await ask())).not.toContain('reviews_waiting');
  expect(rules(await ask('&requested_reviews=0'))).not.toContain('reviews_waiting');
  const { status, body } = await ask('&requested_reviews=1');
  expect([status, body.talking_points[0]]).toEqual([200, point]);
});

test('open pull requests that cannot be read take nothing else of the profile away', async () => {
  visit.service.double.putPullRequest('octo/web', waiting);
  // What the profile itself is made of comes first.
  visit.service.double.fault({ path: '/graphql', after: 4, times: 100 }, { kind: 'status', status: 502 });
  const answer = await visit.service.ask('GET', `${path}&requested_reviews=1`, { as: 'token-ann' });
  expect([answer.status, answer.body.prs_merged]).toEqual([200, 7]);
  expect(rules(answer)).not.toContain('reviews_waiting');
});

test.each([
  ['dev', true],
  ['security', false],
])('whoever sees open pull requests is told of them, others are not: %s', async (group, isTold) => {
  const service = await startService({ MODE: 'organization', DEFAULT_GROUP: group });
  try {
    const mine = { number: 92, author: anActor('bo'), createdAt: namedNow - 2 * day };
    service.double.putPullRequest('octo/web', { ...waiting, author: anActor('ana'), requestedReviewers: ['bo'] });
    service.double.putPullRequest('octo/web', mine);
    const own = '/api/codehost/contributor-profile?owner=octo&login=bo&requested_reviews=1';
    const answer = await service.ask('GET', own, { as: 'token-bo' });
    expect([answer.status, rules(answer).includes('reviews_waiting')]).toEqual([200, isTold]);
  } finally {
    await service.close();
  }
});
