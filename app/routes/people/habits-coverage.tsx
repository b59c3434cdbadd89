import { count, figures } from '../../../server/domain/quantity.ts';
import { DataCoverageLink } from '../../components/data-coverage-link.tsx';
import { PastMoment } from '../../components/moment.tsx';
import { Partial } from '../../components/notice.tsx';
import type { Habits } from './habits.tsx';

/** What is missing, and in which direction the numbers err; nothing where all is synced. */
export const MissingCommits = ({ data }: { data: Habits }) =>
  data.coverage.partial ? <Partial>{missing(data)}</Partial> : null;

/** What was read beside the numbers. */
export function HabitsCoverage({ data }: { data: Habits }) {
  const { coverage, owner, repo } = data;
  const { reposTracked, reposSynced, prsMerged, prsSynced } = coverage;
  return (
    <p className="source">
      {`Commits synced for ${figures(prsSynced)} of ${count(prsMerged, 'merged pull request')}`}
      {repo === null ? `; ${reposSynced} of ${count(reposTracked, 'repository', 'repositories')} fully synced` : null}
      {excludedNote(coverage)}. <ReadUntil coverage={coverage} /> <DataCoverageLink scope={{ owner, repo }} />
    </p>
  );
}

function missing({ coverage: { lastRunAt, syncedThrough, upToDate, prsMerged, prsSynced } }: Habits): string {
  if (syncedThrough === null && lastRunAt === null)
    return 'Commits are synced nightly at 04:47 UTC. The first sync is incomplete: counts are minimums.';
  const unread = prsMerged - prsSynced;
  const behind = syncedThrough !== null && !upToDate ? 'The sync is behind: later merges are not counted.' : '';
  if (unread === 0) return behind || 'Not every repository is fully synced: counts are minimums.';
  const later = `Commits of ${count(unread, 'merged pull request')} will be synced in the next nights. Until then, counts are minimums.`;
  return [behind, later].filter(Boolean).join(' ');
}

function excludedNote({ prsTruncated, commitsUnmeasured }: Habits['coverage']): string {
  const truncation = prsTruncated ? `; ${count(prsTruncated, 'pull request')} incomplete and excluded from shares` : '';
  const unmeasured = commitsUnmeasured
    ? `; ${count(commitsUnmeasured, 'commit')} without size excluded from shares`
    : '';
  return `${truncation}${unmeasured}`;
}

function ReadUntil({ coverage: { syncedThrough, lastRunAt } }: { coverage: Habits['coverage'] }) {
  const notes = [
    { words: 'Merges synced through', at: syncedThrough },
    { words: 'Last synced', at: lastRunAt },
  ];
  return notes.map(({ words, at }) =>
    at === null ? null : (
      <span key={words}>
        {words} <PastMoment at={at} />.{' '}
      </span>
    ),
  );
}
