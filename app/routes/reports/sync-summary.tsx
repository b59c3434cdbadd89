import { count, duration, figures } from '../../../server/domain/quantity.ts';
import { Notice, Partial } from '../../components/notice.tsx';
import type { Result } from './sync-outcome.tsx';
import type { Background } from './sync-progress.tsx';

/** What a synchronization did, in one sentence, and what it left. */
export function SyncSummary({ result, background }: { result: Result; background: Background }) {
  const isContinued = result.partial && background !== 'none';
  const isReading = result.partial && background === 'going';
  const text = `${figures(result.runs_upserted)} runs new or changed in ${figures(result.repos_synced)} of ${figures(result.repos_total)} repositories, in ${duration(result.duration_ms)}.`;
  return isContinued || (result.results.every(({ status }) => status === 'ok') && !result.partial) ? (
    <Notice tone="done" title={isReading ? 'Started.' : undefined}>
      {text} {isReading ? 'The rest is read in the background; you can leave this page.' : null}
    </Notice>
  ) : (
    <Partial>
      {text} {result.partial ? 'More is left to read.' : null} {whatIsLeft(result)}
    </Partial>
  );
}

/** How many repositories have more, in words; the table below names those that were begun. */
function whatIsLeft({ results, repos_remaining: notBegun }: Result): string {
  const begun = results.filter(({ status }) => status === 'partial').length;
  const failed = results.filter(({ status }) => status === 'error').length;
  const locked = results.filter(({ status }) => status === 'locked').length;
  const parts = [
    locked > 0 ? `In progress elsewhere: ${repositories(locked)}.` : '',
    failed > 0 ? `Failed: ${repositories(failed)}.` : '',
    begun > 0 ? `Not read to the end: ${repositories(begun)}.` : '',
    notBegun > 0 ? `Not begun: ${repositories(notBegun)}.` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

const repositories = (many: number) => count(many, 'repository', 'repositories');
