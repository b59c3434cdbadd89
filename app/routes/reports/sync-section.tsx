import { useLocation } from 'react-router';
import type { Submitted } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { WhenReady } from '../../components/skeleton.tsx';
import { getSyncScope } from './choices.ts';
import type { readSync } from './load.ts';
import { SyncForm } from './sync-form.tsx';
import { SyncStatus } from './sync-status.tsx';

interface Props {
  sync: NonNullable<Awaited<ReturnType<typeof readSync>>>;
  /** Whether a synchronization could bring anything. */
  isOffered: boolean;
  submitted: Submitted | null | undefined;
  nonce: string;
}

/** Synchronizes what the address names, and says how far that is. */
export function SyncSection({ sync: { started, progress }, isOffered, submitted, nonce }: Props) {
  const { hostName } = usePageContext();
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  if (!isOffered && started === null) return null;
  const scope = getSyncScope(new URLSearchParams(search));
  const name = scope.repo === undefined ? scope.org : `${scope.owner}/${scope.repo}`;
  return (
    <Section title="Sync" id="sync">
      <p>
        {name === undefined
          ? 'Syncs new and changed runs of stored repositories. The first sync covers repositories you pushed to in the last 90 days.'
          : `Syncs new and changed runs of ${name} from ${hostName} with your token.`}
      </p>
      {started?.state === 'running' || !isOffered ? null : (
        <SyncForm action={here} scope={scope} submitted={submitted} />
      )}
      <WhenReady data={progress} fallback={null}>
        {(answer) => (
          <SyncStatus
            started={started}
            progress={answer.progress.ok ? answer.progress.data : null}
            here={here}
            scope={scope}
            nonce={nonce}
          />
        )}
      </WhenReady>
    </Section>
  );
}
