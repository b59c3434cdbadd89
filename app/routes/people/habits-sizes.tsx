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
      title="Distribution of commit size"
      summary="One dot per person: median lines and files per commit. Log scale."
      sample={`${count(enough.length, 'person', 'people')}`}
      note={
        omitted ? `${count(omitted, 'person', 'people')} with fewer than ${minSample} measured commits excluded.` : null
      }
      x={{ label: 'Lines per commit', unit: 'count', log: true }}
      y={{ label: 'Files per commit', unit: 'count' }}
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
