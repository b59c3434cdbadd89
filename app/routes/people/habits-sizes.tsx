import { count } from '../../../server/domain/quantity.ts';
import { Scatter, type ScatterPoint } from '../../charts/scatter.tsx';
import { minSample } from '../repo/team/share-cell.tsx';
import type { Habits, HabitsPerson } from './habits.tsx';
import { isSmall } from './habits-table.tsx';

const fewest = 3;

/** Where the usual commit of each person lies: how sizes spread, without an order of people. */
export function SizeDots({ data: { people } }: { data: Habits }) {
  const enough = people.filter((one) => !isSmall(one));
  if (enough.length < fewest) return null;
  const omitted = people.length - enough.length;
  return (
    <Scatter
      title="How the usual size of a commit spreads"
      summary="One dot is one person: the median of their commits by lines and by files. From left to right equal distances are equal factors."
      sample={`${count(enough.length, 'person', 'people')}`}
      note={
        omitted ? `${count(omitted, 'person', 'people')} with fewer than ${minSample} measured commits left out.` : null
      }
      x={{ label: 'Lines in a commit', unit: 'count', log: true }}
      y={{ label: 'Files in a commit', unit: 'count' }}
      height={220}
      series={[{ label: 'People', points: enough.toSorted(byName).map(toPoint) }]}
    />
  );
}

const byName = (a: HabitsPerson, b: HabitsPerson) => (a.login.toLowerCase() < b.login.toLowerCase() ? -1 : 1);

const toPoint = ({ login, medianLinesPerCommit, medianFilesPerCommit }: HabitsPerson): ScatterPoint => ({
  name: login,
  x: medianLinesPerCommit,
  y: medianFilesPerCommit,
});
