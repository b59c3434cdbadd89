import type { StartedSync } from '../../../server/api/sync/started.ts';
import { Notice, Partial } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { ReloadWhenSeen } from '../../components/reload-when-seen.tsx';
import { SyncOutcome } from './sync-outcome.tsx';
import { getBackground, type Progress, SyncProgressLine } from './sync-progress.tsx';
import { SyncRunning } from './sync-running.tsx';
import { SyncSummary } from './sync-summary.tsx';

interface Props {
  started: StartedSync | null;
  /** What is read of the history in the background. */
  progress: Progress | null;
  /** This page, to read it anew. */
  here: string;
  /** The fields of the form that would go on. */
  scope: Record<string, string>;
  nonce: string;
  /** Where the result stands by repository, if not here. */
  resultsHref?: string | null;
}

/** How far the synchronization is that was started here, or what came of it; then how far the history has been read. */
export function SyncStatus({ started, progress, here, scope, nonce, resultsHref = null }: Props) {
  const { zone } = usePageContext();
  const background = progress ? getBackground(progress) : 'none';
  if (started?.state === 'running')
    return (
      <>
        <SyncRunning steps={started.steps} here={here} />
        <ReloadWhenSeen afterMs={3000} nonce={nonce} />
        {progress ? <SyncProgressLine progress={progress} zone={zone} here={null} /> : null}
      </>
    );
  return (
    <>
      {started ? <Ended started={started} background={background} scope={scope} resultsHref={resultsHref} /> : null}
      {background === 'going' ? <ReloadWhenSeen afterMs={15_000} nonce={nonce} /> : null}
      {progress ? <SyncProgressLine progress={progress} zone={zone} here={here} /> : null}
    </>
  );
}

interface EndedProps {
  started: Exclude<StartedSync, { state: 'running' }>;
  background: ReturnType<typeof getBackground>;
  scope: Record<string, string>;
  resultsHref: string | null;
}

function Ended({ started, background, scope, resultsHref }: EndedProps) {
  const { now, zone, csrf } = usePageContext();
  switch (started.state) {
    case 'failed':
      return (
        <Notice tone="problem" title="Sync failed.">
          {started.error}
        </Notice>
      );
    case 'interrupted':
      return <Partial>The sync was interrupted. What was read is stored. Sync again to continue.</Partial>;
    default:
      if (resultsHref !== null)
        return <SyncSummary result={started.result} background={background} resultsHref={resultsHref} />;
      return (
        <SyncOutcome result={started.result} background={background} csrf={csrf} hidden={scope} now={now} zone={zone} />
      );
  }
}
