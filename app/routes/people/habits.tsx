import type { z } from 'zod';
import { count } from '../../../server/domain/quantity.ts';
import type { HabitsReport } from '../../../server/reports/habits/schema.ts';
import { reportsHref } from '../../components/data-coverage-link.tsx';
import { Empty } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { HabitsCoverage, MissingCommits } from './habits-coverage.tsx';
import { CommitSizes } from './habits-sizes.tsx';
import { HabitsTable } from './habits-table.tsx';

export type Habits = z.output<typeof HabitsReport>;
export type HabitsPerson = Habits['people'][number];

export interface HabitsViewProps {
  data: Habits;
  isOwnView: boolean;
  /** The only person who was requested; null for everybody. */
  login: string | null;
}

/** What is known of a repository or an owner, or in words why there is nothing. */
export function HabitsView({ data, canSync, isOwnView, login }: HabitsViewProps & CanSync) {
  if (!data.available) return <Empty cause="This needs a database. Set DATABASE_URL to enable it." />;
  if (data.untrackedRepo || data.coverage.reposTracked === 0) return <Untracked data={data} canSync={canSync} />;
  return (
    <>
      <MissingCommits data={data} />
      {data.people.length > 0 && !isUnread(data) ? (
        <>
          <CommitSizes data={data} />
          <HabitsTable data={data} isOwnView={isOwnView} login={login} />
          <Thresholds thresholds={data.thresholds} />
        </>
      ) : (
        <Empty cause={nobody(data, isOwnView)} />
      )}
      <HabitsCoverage data={data} />
    </>
  );
}

/** Of what was merged no commit has been read, so that every size and every 0 would be made up. */
export const isUnread = ({ coverage: { prsMerged, prsSynced } }: Habits): boolean => prsMerged > 0 && prsSynced === 0;

function nobody(data: Habits, isOwnView: boolean): string {
  const { days, coverage } = data;
  if (isUnread(data)) return `Commits of ${count(coverage.prsMerged, 'merged pull request')} have not been synced yet.`;
  if (coverage.syncedThrough === null && coverage.prsMerged === 0)
    return 'Merged pull requests have not been synced yet.';
  const whose = isOwnView ? 'of yours ' : '';
  if (coverage.partial) return `No pull request or commit ${whose}of the last ${days} days is synced yet.`;
  return `No pull request or commit ${whose}was merged in the last ${days} days.`;
}

interface CanSync {
  canSync: boolean;
}

function Untracked({ data: { owner, repo }, canSync }: Pick<HabitsViewProps, 'data'> & CanSync) {
  const what = repo === null ? `No repository of ${owner} that you can see is` : `${owner}/${repo} is not`;
  return (
    <Empty
      cause={`${what} synced${canSync ? '.' : ' yet. Ask somebody who can sync it.'}`}
      next={canSync ? { label: 'Sync now', href: `${reportsHref({ owner, repo })}#sync` } : undefined}
    />
  );
}

/** What counts as oversized, in words; administrators can change it. */
function Thresholds({ thresholds }: { thresholds: Habits['thresholds'] }) {
  const { pages, base } = usePageContext();
  const { filesPerCommit, linesPerCommit, commitsPerPr } = thresholds;
  return (
    <p className="prose">
      {`Oversized: a commit with more than ${count(filesPerCommit, 'file')} or ${count(linesPerCommit, 'line')}, or a pull request with more than ${count(commitsPerPr, 'commit')}. Excludes merges and bots.`}{' '}
      {base === '' && pages.includes('settings/working-habits') ? (
        <a href="/settings/working-habits">Change thresholds</a>
      ) : null}
    </p>
  );
}
