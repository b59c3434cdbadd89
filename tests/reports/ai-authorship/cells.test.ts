import { expect, test } from 'vitest';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { listCells, settledAt } from '../../../server/reports/ai-authorship/cells.ts';
import { findMonths } from '../../../server/reports/ai-authorship/months.ts';
import type { MarksCursor } from '../../../server/store/pull-request-marks.ts';

const day = 86_400_000;
const now = Date.parse('2026-11-16T12:00:00Z');
const calendar = createCalendar('UTC');
const repository = { id: 7, owner: 'octo', repo: 'web', defaultBranch: 'main', private: false };
const ofMonth = { repositoryId: 7, month: '2026-09', agent: null, kinds: 0, prs: 10 };
const groups = ['ann', 'bo', 'cy', 'di', 'ed'].flatMap((author) => [
  { ...ofMonth, author, class: 'ai_assisted' as const },
  { ...ofMonth, author, class: 'unmarked' as const },
]);

/** The months that are compared of a repository whose marks were read so far. */
async function comparedBy(cursor: Omit<MarksCursor, 'version'>): Promise<string[]> {
  const compared = await listCells(
    {
      groups,
      rest: [],
      readings: new Map([[7, { version: 'new', ...cursor }]]),
      months: findMonths({ from: '2026-09', to: '2026-09' }, now, calendar),
      tableVersion: 'new',
      now,
      calendar,
      repositories: [repository],
    },
    { class: 'ai_assisted', agent: null },
    null,
  );
  return compared.cells.flatMap(({ months }) => months);
}

test('what another version of the table found is not compared before all of it was read anew', async () => {
  const readThrough = now - day;
  const pass = (until: number) => ({ startedAt: now, until, after: 'page 2' });
  expect(await comparedBy({ readThrough, pass: null })).toEqual(['2026-09']);
  expect(await comparedBy({ readThrough, pass: pass(now - 400 * day) }), 'all is read anew').toEqual([]);
  expect(await comparedBy({ readThrough, pass: pass(readThrough - day) }), 'what changed alone').toEqual(['2026-09']);
  const settled = settledAt('2026-09', calendar);
  expect(await comparedBy({ readThrough, pass: pass(settled - 1) })).toEqual([]);
});
