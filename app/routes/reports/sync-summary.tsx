import { count, duration, figures } from '../../../server/domain/quantity.ts';
import { Notice, Partial } from '../../components/notice.tsx';
import type { Result } from './sync-outcome.tsx';
import type { Background } from './sync-progress.tsx';

/** What a synchronization did, in one sentence, and what it left. */
export function SyncSummary({ result, background }: { result: Result; background: Background }) {
  const isContinued = result.partial && background !== 'none';
  const isReading = result.partial && background === 'going';
  const text = `${figures(result.runs_upserted)} new or changed runs in ${figures(result.repos_synced)} of ${figures(result.repos_total)} repositories (${duration(result.duration_ms)}).`;
  return isContinued || (result.results.every(({ status }) => status === 'ok') && !result.partial) ? (
    <Notice tone="done" title={isReading ? 'Sync started.' : undefined}>
      {text} {isReading ? 'It continues in the background. You can leave this page.' : null}
    </Notice>
  ) : (
    <Partial>
      {text} {result.partial ? 'Sync is incomplete.' : null} {whatIsLeft(result)}
    </Partial>
  );
}

/** How many repositories have more, in words; the table below names those that were begun. */
function whatIsLeft({ results, repos_remaining: notBegun }: Result): string {
  const begun = results.filter(({ status }) => status === 'partial').length;
  const failed = results.filter(({ status }) => status === 'error').length;
  const locked = results.filter(({ status }) => status === 'locked').length;
  const parts = [
    locked > 0 ? `Already running: ${repositories(locked)}.` : '',
    failed > 0 ? `Failed: ${repositories(failed)}.` : '',
    begun > 0 ? `Incomplete: ${repositories(begun)}.` : '',
    notBegun > 0 ? `Not started: ${repositories(notBegun)}.` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

const repositories = (many: number) => count(many, 'repository', 'repositories');
