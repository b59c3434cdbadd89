import type { z } from 'zod';
import { count } from '../../../server/domain/quantity.ts';
import type { HabitsReport } from '../../../server/reports/habits/schema.ts';
import { Empty } from '../../components/notice.tsx';
import { usePageContext } from '../page-context.ts';
import { HabitsCoverage } from './habits-coverage.tsx';
import { SizeDots } from './habits-sizes.tsx';
import { HabitsTable } from './habits-table.tsx';

export type Habits = z.output<typeof HabitsReport>;
export type HabitsPerson = Habits['people'][number];

interface Props {
  of: Habits;
  canSync: boolean;
  isOwnView: boolean;
}

/** What is known of a repository or an owner, or in words why there is nothing. */
export function HabitsOf({ of, canSync, isOwnView }: Props) {
  if (!of.available)
    return (
      <Empty cause="This needs stored data, and the service runs without a database. An operator can set DATABASE_URL." />
    );
  if (of.untrackedRepo || of.coverage.reposTracked === 0) return <Untracked of={of} canSync={canSync} />;
  return (
    <>
      <Thresholds of={of.thresholds} />
      <HabitsCoverage of={of} />
      {of.people.length > 0 && !isUnread(of) ? (
        <>
          <HabitsTable of={of} isOwnView={isOwnView} />
          <SizeDots of={of} />
        </>
      ) : (
        <Empty cause={nobody(of, isOwnView)} />
      )}
    </>
  );
}

/** Of what was merged no commit has been read, so that every size and every 0 would be made up. */
export const isUnread = ({ coverage: { prsMerged, prsSynced } }: Habits): boolean => prsMerged > 0 && prsSynced === 0;

function nobody(of: Habits, isOwnView: boolean): string {
  const { days, coverage } = of;
  if (isUnread(of))
    return `Not read yet: commits of 0 of ${count(coverage.prsMerged, 'merged pull request')} are known, so nothing can be said of sizes.`;
  if (coverage.syncedThrough === null && coverage.prsMerged === 0)
    return 'No merged pull request has been read yet, so nothing can be said.';
  const whose = isOwnView ? 'of yours ' : '';
  return `No pull request or commit ${whose}was merged in the last ${days} days, as far as was read.`;
}

function Untracked({ of: { owner, repo }, canSync }: Pick<Props, 'of' | 'canSync'>) {
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
function Thresholds({ of }: { of: Habits['thresholds'] }) {
  const { pages, base } = usePageContext();
  const { filesPerCommit, linesPerCommit, commitsPerPr } = of;
  return (
    <p className="prose">
      {`A commit that changes more than ${count(filesPerCommit, 'file')} or ${count(linesPerCommit, 'line')} counts as oversized, and so does a pull request of more than ${count(commitsPerPr, 'commit')}. Merges and bots are left out.`}{' '}
      {base === '' && pages.includes('settings/working-habits') ? (
        <a href="/settings/working-habits">Change the thresholds</a>
      ) : null}
    </p>
  );
}
