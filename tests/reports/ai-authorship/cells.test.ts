import { expect, test } from 'vitest';
import type { ComparedClass } from '../../../server/metrics/ai-authorship/comparison/gather.ts';
import type { MarkedGroup } from '../../../server/metrics/ai-authorship/groups.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
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

const scope = {
  groups,
  rest: [],
  readings: new Map<number, MarksCursor>([[7, { version: 'new', readThrough: now - day, pass: null }]]),
  months: findMonths({ from: '2026-09', to: '2026-09' }, now, calendar),
  tableVersion: 'new',
  now,
  calendar,
  repositories: [repository],
};

/** The months that are compared of a repository whose marks were read so far. */
async function comparedBy(cursor: Omit<MarksCursor, 'version'>): Promise<string[]> {
  const readings = new Map([[7, { version: 'new', ...cursor }]]);
  const compared = await listCells({ ...scope, readings }, { class: 'ai_assisted', agent: null }, null);
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

/** What is compared, and how much there is, in the repositories 7 and 8 from August to some month. */
async function countCells(all: readonly MarkedGroup[], to: string, compared: ComparedClass) {
  const reading = { version: 'new', readThrough: now - day, pass: null };
  const wanted = {
    ...scope,
    groups: [...all],
    readings: new Map([7, 8].map((id) => [id, reading])),
    months: findMonths({ from: '2026-08', to }, now, calendar),
    repositories: [repository, { ...repository, id: 8, repo: 'api' }],
  };
  const { cells, considered } = await listCells(wanted, compared, null);
  return { considered, compared: cells.map((one) => [one.repository.id, one.months]) };
}

test('10,000 pairs of answers: how much is left out never tells whether one to four people have a mark', async () => {
  const classes = ['ai_assisted', 'agent_authored'] as const;
  let compares = 0;
  for (let seed = 0; seed < 10_000; seed++) {
    const random = randomStream('marks of a few', seed);
    const pick = (count: number) => Math.floor(random() * count);
    const own = { repositoryId: 7 + pick(2), month: pick(2) === 0 ? '2026-08' : '2026-09' };
    const others = groups.filter((one) => one.repositoryId !== own.repositoryId || one.month !== own.month);
    const few = ['fay', 'gus', 'hal', 'ida'].slice(0, 1 + pick(4)).map((author) => ({ ...ofMonth, ...own, author }));
    const unmarked = few.map((one) => ({ ...one, class: 'unmarked' as const }));
    const agent = pick(2) === 0 ? null : 'Own';
    const marked = few.map((one) => ({ ...one, class: classes[pick(2)] ?? 'ai_assisted', agent }));
    const compared = { class: classes[pick(2)] ?? 'ai_assisted', agent: null };
    const to = pick(2) === 0 ? '2026-08' : '2026-09';
    const answer = await countCells([...others, ...unmarked, ...marked], to, compared);
    expect(answer, `seed ${seed}`).toEqual(await countCells([...others, ...unmarked], to, compared));
    compares += answer.compared.length;
  }
  expect(compares).toBeGreaterThan(1000);
});
