import { count, figures } from '../../../server/domain/quantity.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import type { Habits } from './habits.tsx';

/** How large commits are, of everybody together: what is usual, and how much lies beyond the threshold. */
export function CommitSizes({ data: { commitSizes } }: { data: Habits }) {
  const measured = commitSizes.reduce((sum, { commits }) => sum + commits, 0);
  if (measured === 0) return null;
  return (
    <StackedBars
      title="Distribution of commit size"
      summary="Commits by changed lines."
      sample={`n = ${count(measured, 'commit')}`}
      rowLabel="Lines"
      unit="count"
      parts={['within the threshold', 'oversized']}
      rows={commitSizes.map(({ from, to, commits }) => ({
        name: to === null ? `more than ${figures(from - 1)} lines` : `${figures(from)} to ${figures(to)} lines`,
        values: to === null ? [0, commits] : [commits, 0],
      }))}
    />
  );
}
