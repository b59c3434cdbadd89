import { count, duration, figures } from '../../../server/domain/quantity.ts';
import { Notice, Partial } from '../../components/notice.tsx';
import type { Background } from '../sync-progress.tsx';
import type { Result } from './sync-outcome.tsx';

/** What a synchronization did, in one sentence, and what it left. */
export function SyncSummary({ of, background }: { of: Result; background: Background }) {
  const isContinued = of.partial && background !== 'none';
  const isReading = of.partial && background === 'going';
  const text = `${figures(of.runs_upserted)} runs new or changed in ${figures(of.repos_synced)} of ${figures(of.repos_total)} repositories, in ${duration(of.duration_ms)}.`;
  return isContinued || (of.results.every(({ status }) => status === 'ok') && !of.partial) ? (
    <Notice tone="done" title={isReading ? 'Started.' : undefined}>
      {text} {isReading ? 'The rest is read in the background; you can leave this page.' : null}
    </Notice>
  ) : (
    <Partial>
      {text} {of.partial ? 'More is left to read.' : null} {whatIsLeft(of)}
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
