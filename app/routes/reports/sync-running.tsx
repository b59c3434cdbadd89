import { figures } from '../../../server/domain/quantity.ts';
import type { SyncSteps } from '../../../server/sync/sync-repositories.ts';
import { Notice } from '../../components/notice.tsx';

interface Props {
  /** null before it is known which repositories there are. */
  steps: SyncSteps | null;
  /** This page, to read it anew. */
  here: string;
}

/** A synchronization that is running: how many repositories are done, which are being read and which is next. */
export function SyncRunning({ steps, here }: Props) {
  return (
    <Notice title="Syncing.">
      {steps ? <Steps steps={steps} /> : 'Finding repositories. '}You can leave this page. <a href={here}>Refresh</a>
    </Notice>
  );
}

function Steps({ steps: { total, done, current, next } }: { steps: SyncSteps }) {
  return (
    <>
      {figures(done)} of {total === 1 ? '1 repository' : `${figures(total)} repositories`} done. Now:{' '}
      {current.join(', ')}
      {next === null ? '' : `; next: ${next}`}. <progress
        max={total}
        value={done}
        aria-label="Repositories synced"
      />{' '}
    </>
  );
}
