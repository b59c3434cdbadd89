import { count, figures } from '../../server/domain/quantity.ts';
import { Moment } from './moment.tsx';
import { usePageContext } from './page-context.ts';

/** How fresh the stored runs of all tracked repositories are, and how many are not; nothing where none are stored. */
export function SyncState() {
  const { sync, pages } = usePageContext();
  if (!sync) return null;
  const href = pages.includes('reports') ? '/reports#sync' : undefined;
  if (sync.running > 0)
    return (
      <a
        href={href}
      >{`Syncing ${figures(sync.running)} of ${count(sync.repositories, 'repository', 'repositories')}`}</a>
    );
  if (sync.syncedThrough === null) return <a href={href}>Not synced yet</a>;
  const { repositories, behind } = sync;
  if (behind > 0) return <a href={href}>{`Synced ${figures(repositories - behind)} of ${figures(repositories)}`}</a>;
  return (
    <a href={href}>
      Synced <Moment at={sync.syncedThrough} as="short" />
    </a>
  );
}
