import { count, figures } from '../../../server/domain/quantity.ts';
import { DataCoverageLink } from '../../components/data-coverage-link.tsx';
import { Moment } from '../../components/moment.tsx';
import { Partial } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { Habits } from './habits.tsx';

/** What was read beside the numbers, and in which direction they err. */
export function HabitsCoverage({ data }: { data: Habits }) {
  const { coverage, owner, repo } = data;
  const { reposTracked, reposSynced, prsMerged, prsSynced } = coverage;
  return (
    <>
      {coverage.partial ? <Partial>{missing(data)}</Partial> : null}
      <p className="source">
        {`Commits read of ${figures(prsSynced)} of ${count(prsMerged, 'merged pull request')}`}
        {repo === null
          ? `; ${reposSynced} of ${count(reposTracked, 'repository', 'repositories')} read to the end`
          : null}
        {excludedNote(coverage)}. <ReadUntil coverage={coverage} /> <DataCoverageLink scope={{ owner, repo }} />
      </p>
    </>
  );
}

function missing({ coverage: { lastRunAt, syncedThrough, prsMerged, prsSynced } }: Habits): string {
  if (syncedThrough === null && lastRunAt === null)
    return 'Commits are read at night, at 04:47 UTC, and have not been read to their end yet. Until then numbers are at least these.';
  const unread = prsMerged - prsSynced;
  if (unread === 0) return 'Not every repository has been read to its end, so numbers are at least these.';
  return `Commits of ${count(unread, 'merged pull request')} are still to be read, in the next nights. Until then numbers are at least these.`;
}

function excludedNote({ prsTruncated, commitsUnmeasured }: Habits['coverage']): string {
  const truncation = prsTruncated
    ? `; of ${count(prsTruncated, 'pull request')} not all, and they are in no share of pull requests`
    : '';
  const unmeasured = commitsUnmeasured
    ? `; of ${count(commitsUnmeasured, 'commit')} the platform told no size, and they are in no share`
    : '';
  return `${truncation}${unmeasured}`;
}

function ReadUntil({ coverage: { syncedThrough, lastRunAt } }: { coverage: Habits['coverage'] }) {
  const { now, zone } = usePageContext();
  const notes = [
    { words: 'What was merged is known up to', at: syncedThrough },
    { words: 'Last read', at: lastRunAt },
  ];
  return notes.map(({ words, at }) =>
    at === null ? null : (
      <span key={words}>
        {words} <Moment at={Math.min(Date.parse(at), now)} now={now} zone={zone} />.{' '}
      </span>
    ),
  );
}
