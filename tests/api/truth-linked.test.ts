import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceOn } from '../reports/workload/workload-world.ts';
import { aDatabase } from '../support/a-database.ts';
import { rounds } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';
import { bearer, happening, hour, minute, movingRepository } from './moving-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
type Answer = any;
const sum = (rows: Answer[], key: string): number => rows.reduce((total, row) => total + row[key], 0);

/** What an answer says that does not depend on who is who. */
const untouched: Record<string, (answer: Answer) => unknown> = {
  'repo-dora?': ({
    deployment_frequency,
    lead_time,
    change_failure_rate,
    mttr,
    throughput_by_week,
    pr_scatter,
    prs_analysed,
    releases_analysed,
    overall_level,
  }) => ({
    deployment_frequency,
    lead_time,
    change_failure_rate,
    mttr,
    throughput_by_week,
    pr_scatter,
    prs_analysed,
    releases_analysed,
    overall_level,
  }),
  'repo-contributors?': totals,
  'repo-contributors?days=30&': totals,
  'repo-contributors?days=90&': totals,
  'bus-factor?': ({ total_commits, fetched_commits, excluded, total_commits_listed, modules_total, covers_from }) => ({
    total_commits,
    fetched_commits,
    excluded,
    total_commits_listed,
    modules_total,
    covers_from,
  }),
  'team-workload-risk?': ofWork,
  'team-workload-risk?days=90&': ofWork,
  'open-pr-health?': ({
    total_open,
    closed_prs_analysed,
    age_distribution,
    abandon_rate,
    abandon_rate_sample,
    concurrent_prs_by_author,
  }) => ({
    total_open,
    closed_prs_analysed,
    age_distribution,
    abandon_rate,
    abandon_rate_sample,
    concurrent: sum(concurrent_prs_by_author, 'count'),
  }),
  'issues?': ({ assignee_load, generated_at, data_source, ...rest }) => rest,
  'deployments?': ({ generated_at, data_source, ...rest }) => rest,
};

function totals(answer: Answer) {
  const {
    prs_merged_total,
    prs_opened_in_window,
    total_prs_analysed,
    bot_reviews,
    median_hours_to_merge,
    bot_prs,
    period_days,
  } = answer;
  const ghosts = prs_merged_total - sum(answer.contributors, 'prs_merged');
  return {
    prs_merged_total,
    prs_opened_in_window,
    total_prs_analysed,
    bot_reviews,
    median_hours_to_merge,
    merged: bot_prs.merged,
    period_days,
    ghosts,
  };
}

function ofWork({ people, team, total_commits_analysed }: Answer) {
  const { commits, outside_workday_pct } = team;
  const open = sum(people, 'open_pr_count');
  return {
    total_commits_analysed,
    commits,
    outside_workday_pct,

    all: sum(people, 'total_commits'),
    open,
  };
}

/** Two accounts of one person are one row, which never reviews itself. */
function expectOnePerson({
  contributors,
  review_pairs,
  prs_human_reviewed,
  prs_no_human_review,
  prs_merged_total,
}: Answer) {
  const row = contributors.filter(({ login }: Answer) => /^ana/.test(login));
  expect(row.length).toBeLessThanOrEqual(1);
  for (const { login, linked_logins } of row)
    expect([login, linked_logins.filter((each: string) => each !== 'ana-old')]).toEqual(['ana', []]);
  expect(
    review_pairs.filter(({ author, reviewer }: Answer) => author === reviewer || /ana-old/.test(author + reviewer)),
  ).toEqual([]);
  expect(prs_human_reviewed + prs_no_human_review).toBe(prs_merged_total);
  for (const { login, reviews_given } of contributors) {
    const given = review_pairs.filter(({ reviewer }: Answer) => reviewer === login);
    expect(sum(given, 'count')).toBeLessThanOrEqual(reviews_given);
  }
}

aDatabase((database) => {
  let linked: Service;
  let plain: Service;
  beforeAll(async () => {
    linked = await serviceOn(await database.address(), { 'ana-old': 'ana' });
    plain = await startService({ RATE_LIMIT_SESSION_PER_MINUTE: '0' }, linked);
  });
  afterAll(async () => {
    await plain.close();
    await linked.close();
  });

  test('links move work between rows and change no total', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 10, maxLength: 60 }),
        fc.constantFrom(10, 60),
        async (all, pullRequests) => {
          linked.double.budgets.clear();
          const { happen, query } = movingRepository(linked, ++number, pullRequests);
          for (const one of all) {
            linked.clock.advance(20 * minute);
            happen(one, linked.clock.now());
          }
          linked.clock.advance(7 * hour);
          for (const [path, part] of Object.entries(untouched)) {
            const [one, other] = await Promise.all(
              [linked, plain].map(
                async (service) =>
                  (await service.ask('GET', `/api/codehost/${path}${query}`, bearer('token-ann'))).body,
              ),
            );
            expect([path, part(one)]).toEqual([path, part(other)]);
            if (path.startsWith('repo-contributors')) expectOnePerson(one);
          }
        },
      ),
      { numRuns: rounds('WORLDS', 2, 6) },
    );
  });
});
