import type { z } from 'zod';
import { count } from '../../../server/domain/quantity.ts';
import type { HabitsReport } from '../../../server/reports/habits/schema.ts';
import { Empty } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { HabitsCoverage } from './habits-coverage.tsx';
import { SizeDots } from './habits-sizes.tsx';
import { HabitsTable } from './habits-table.tsx';

export type Habits = z.output<typeof HabitsReport>;
export type HabitsPerson = Habits['people'][number];

interface Props {
  data: Habits;
  canSync: boolean;
  isOwnView: boolean;
}

/** What is known of a repository or an owner, or in words why there is nothing. */
export function HabitsView({ data, canSync, isOwnView }: Props) {
  if (!data.available)
    return (
      <Empty cause="This needs stored data, and the service runs without a database. An operator can set DATABASE_URL." />
    );
  if (data.untrackedRepo || data.coverage.reposTracked === 0) return <Untracked data={data} canSync={canSync} />;
  return (
    <>
      <Thresholds thresholds={data.thresholds} />
      <HabitsCoverage data={data} />
      {data.people.length > 0 && !isUnread(data) ? (
        <>
          <HabitsTable data={data} isOwnView={isOwnView} />
          <SizeDots data={data} />
        </>
      ) : (
        <Empty cause={nobody(data, isOwnView)} />
      )}
    </>
  );
}

/** Of what was merged no commit has been read, so that every size and every 0 would be made up. */
export const isUnread = ({ coverage: { prsMerged, prsSynced } }: Habits): boolean => prsMerged > 0 && prsSynced === 0;

function nobody(data: Habits, isOwnView: boolean): string {
  const { days, coverage } = data;
  if (isUnread(data))
    return `Not read yet: commits of 0 of ${count(coverage.prsMerged, 'merged pull request')} are known, so nothing can be said of sizes.`;
  if (coverage.syncedThrough === null && coverage.prsMerged === 0)
    return 'No merged pull request has been read yet, so nothing can be said.';
  const whose = isOwnView ? 'of yours ' : '';
  return `No pull request or commit ${whose}was merged in the last ${days} days, as far as was read.`;
}

function Untracked({ data: { owner, repo }, canSync }: Pick<Props, 'data' | 'canSync'>) {
  const what = repo === null ? `No repository of ${owner} that you can see is` : `${owner}/${repo} is not`;
  const query = new URLSearchParams(repo === null ? { owner } : { owner, repo });
  return (
    <Empty
      cause={`${what} synchronized${canSync ? '.' : ' yet. Ask somebody who may synchronize to do it.'}`}
      next={canSync ? { label: 'Synchronize', href: `/reports?${query}#sync` } : undefined}
    />
  );
}

/** What counts as oversized, in words; administrators can change it. */
function Thresholds({ thresholds }: { thresholds: Habits['thresholds'] }) {
  const { pages, base } = usePageContext();
  const { filesPerCommit, linesPerCommit, commitsPerPr } = thresholds;
  return (
    <p className="prose">
      {`A commit that changes more than ${count(filesPerCommit, 'file')} or ${count(linesPerCommit, 'line')} counts as oversized, and so does a pull request of more than ${count(commitsPerPr, 'commit')}. Merges and bots are left out.`}{' '}
      {base === '' && pages.includes('settings/working-habits') ? (
        <a href="/settings/working-habits">Change the thresholds</a>
      ) : null}
    </p>
  );
}
