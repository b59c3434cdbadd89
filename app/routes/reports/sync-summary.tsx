import { count, duration, figures } from '../../../server/domain/quantity.ts';
import { Notice, Partial } from '../../components/notice.tsx';
import type { Result } from './sync-outcome.tsx';
import type { Background } from './sync-progress.tsx';

interface Props {
  result: Result;
  background: Background;
  /** Where it stands by repository, if not below. */
  resultsHref?: string;
}

/** What a synchronization did, in one sentence, and what it left. */
export function SyncSummary({ result, background, resultsHref }: Props) {
  const isContinued = result.partial && background !== 'none';
  const isReading = result.partial && background === 'going';
  const text = `${figures(result.runs_upserted)} new or changed runs in ${figures(result.repos_synced)} of ${figures(result.repos_total)} repositories (${duration(result.duration_ms)}).`;
  const isWhole = result.results.every(({ status }) => status === 'ok') && !result.partial;
  return isContinued || (isWhole && result.repos_left_out !== null) ? (
    <Notice tone="done" title={isReading ? 'Sync started.' : undefined}>
      {text} {isReading ? 'It continues in the background. You can leave this page.' : null} {whatIsLeftOut(result)}
    </Notice>
  ) : (
    <Partial next={resultsHref ? { label: 'Results', href: resultsHref } : undefined}>
      {text} {result.partial ? 'Sync is incomplete.' : null} {whatIsLeft(result)} {whatIsLeftOut(result)}
    </Partial>
  );
}

/** What no further press would read. */
const whatIsLeftOut = ({ repos_left_out: leftOut }: Result): string | null => {
  if (leftOut === null) return 'Not all repositories could be listed.';
  return leftOut > 0
    ? `${count(leftOut, 'more repository', 'more repositories')} not synced: choose an organization or a repository.`
    : null;
};

/** How many repositories have more, in words; the table below names those that were begun. */
function whatIsLeft({ results, repos_remaining: notBegun }: Result): string {
  const begun = results.filter(({ status }) => status === 'partial').length;
  const failed = results.filter(({ status }) => status === 'error');
  const locked = results.filter(({ status }) => status === 'locked').length;
  const parts = [
    locked > 0 ? `Already running: ${repositories(locked)}.` : '',
    failed.length > 0 ? `Failed: ${repositories(failed.length)}. ${sharedReason(failed)}` : '',
    begun > 0 ? `Incomplete: ${repositories(begun)}.` : '',
    notBegun > 0 ? `Not started: ${repositories(notBegun)}.` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

/** Why they failed, where it is one reason for all. */
function sharedReason(failed: Result['results']): string {
  const [reason = '', ...others] = new Set(failed.map(({ error = '' }) => error));
  return others.length > 0 ? '' : reason;
}

const repositories = (many: number) => count(many, 'repository', 'repositories');
