import { count, figures } from '../../../server/domain/quantity.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import type { Habits } from './habits.tsx';

/** How many lines commits change, of everybody together; those oversized by files alone are as few lines as any. */
export function CommitSizes({ data: { commitSizes, thresholds } }: { data: Habits }) {
  const measured = commitSizes.reduce((sum, { commits }) => sum + commits, 0);
  if (measured === 0) return null;
  const limit = count(thresholds.linesPerCommit, 'line');
  return (
    <StackedBars
      title="Distribution of commit size"
      summary="Commits by changed lines."
      sample={`n = ${count(measured, 'commit')}`}
      rowLabel="Lines"
      unit="count"
      parts={[`up to ${limit}`, `more than ${limit}`]}
      rows={commitSizes.map(({ from, to, commits }) => ({
        name: to === null ? `more than ${figures(from - 1)} lines` : `${figures(from)} to ${figures(to)} lines`,
        values: to === null ? [0, commits] : [commits, 0],
      }))}
    />
  );
}
