import { expect, test } from 'vitest';
import { emptyReply } from '../../../server/http/execute.ts';
import { isWithin } from '../../../server/metrics/kernel/window.ts';
import { findFirstReview } from '../../../server/metrics/people/person-work.ts';
import { orgContributors } from '../../../server/reports/organization-contributors/report.ts';
import { personFacts } from '../../../server/reports/profile/facts.ts';
import { contributorProfile } from '../../../server/reports/profile/report.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService({});

test('a person’s page counts reviews of its window, Team those of pull requests merged in it', async () => {
  const owner = 'lumen-harbor';
  const team = await orgContributors(
    { org: owner, days: 90, table: 'contributors' },
    openDemo(visit.service),
    emptyReply(),
  );
  const reviewers = team.contributors.filter(({ reviewsGiven }) => (reviewsGiven ?? 0) > 20);
  expect(reviewers.map(({ login }) => login)).toContain('elsa-lind');
  for (const { login, reviewsGiven } of reviewers) {
    const profile = await contributorProfile({ owner, login }, openDemo(visit.service), emptyReply());
    const { pullRequests, window, subject } = await personFacts(
      { owner, login },
      openDemo(visit.service),
      emptyReply(),
    );
    const reviewedIn = (from: number) =>
      pullRequests.filter((one) => findFirstReview(one, { from, to: window.to }, subject) !== null);
    const isMerged = ({ mergedAt }: (typeof pullRequests)[number]) => mergedAt !== null && isWithin(mergedAt, window);
    const inWindow = new Set(reviewedIn(window.from));
    expect([login, profile.reviewsGiven]).toEqual([login, inWindow.size]);
    const notMerged = [...inWindow].filter((one) => !isMerged(one)).length;
    const before = reviewedIn(0).filter((one) => !inWindow.has(one) && isMerged(one)).length;
    expect([login, reviewsGiven]).toEqual([login, inWindow.size - notMerged + before]);
  }
});
