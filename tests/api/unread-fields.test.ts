import { afterAll, beforeAll, expect, it } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';
import { falseClaims } from './false-claims.ts';
import { coldBudgets, costWith } from './lasting-errors.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Zeros that are true, and claims that hold, though a field could not be read; by question, then by path. */
const exceptions: [question: RegExp, path: RegExp, reason: string][] = [
  [
    /./,
    /sample(_size)?$|\.samples?\.|_samples$|\.coverage\.read$/,
    'how many stand behind a number: none could be used',
  ],
  [/^repo-dora/, /\.change_failure_rate\.total$|\.mttr\.recoveries$/, 'the same, of a rate and of a median'],
  [
    /^team-workload/,
    /^\.team\.(commits|outside_workday_(commits|pct))$/,
    'of commits of known authors, with `author_unread` beside it',
  ],
  [/^org-health/, /\.repos_analysed$|^\.bands\./, 'counts the rows of the answer'],
  [/^security-scan/, /\.workflows_scanned$|^\.results\.score$/, 'a file that was not scanned: reports, decision 6'],
  [/^deployments/, /^\.by_day\.(success|failed|inconclusive)$/, '`unread` beside it counts the others'],
  [
    /^repo-contributors/,
    /\.prs_merged_by_people$|^\.bot_prs\.|^\.contributors\.prs_opened$/,
    '`prs_author_unread` counts the others: codehost, decision 11',
  ],
  [/^repo-contributors/, /^\.reviewed_before_merge_pct$/, 'of those whose reviews could be read, as its field says'],
  [
    /^contributor-profile/,
    /\.prs_merged(_recent)?$|^\.funnel\.merged$/,
    'a merged pull request without a time is left out: codehost, decision 6',
  ],
  [/^job-stats/, /skipped$|queue_wait_ms$/, 'jobs are then read one by one, of fewer runs and with their waits'],
  [/^open-pr-health/, /^\.partial$|^X-Partial$/, 'a team whose name the token may not read is no gap'],
];

const isExcepted = (question: string, path: string, field: string) =>
  exceptions.some(
    ([about, where, reason]) =>
      about.test(question) &&
      where.test(path) &&
      (!/^a team/.test(reason) || /^(Team|ReviewRequest(edEvent)?)\./.test(field)),
  );

/** A seeded choice, so that a failure comes again. */
function chosen(fields: readonly string[], count: number): string[] {
  const seed = Number(process.env.SEED ?? 14);
  const order = (field: string) =>
    [...field].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0, seed + 0x811c9dc5);
  return fields.toSorted((one, other) => order(one) - order(other)).slice(0, count);
}

it.each(Object.keys(coldBudgets))('%s claims nothing that it could not read', async (question) => {
  const good = await costWith(service, question, null);
  expect(good.status).toBe(200);
  const few = question.startsWith('org-health') ? 3 : 8;
  const wrong: string[] = [];
  for (const field of chosen(good.fields, rounds('UNREAD_FIELDS', few, good.fields.length))) {
    const bad = await costWith(service, question, { field, type: 'FORBIDDEN' });
    if (bad.status !== 200) continue;
    const claims = falseClaims(good, bad).filter((path) => !isExcepted(question, path, field));
    wrong.push(...claims.map((path) => `${field}: ${path}`));
  }
  expect(wrong).toEqual([]);
});
