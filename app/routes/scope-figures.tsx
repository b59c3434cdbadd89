import type { Deferred } from '../../server/http/deferred-panels.ts';
import { reportsHref } from '../components/data-coverage-link.tsx';
import { useCanSync } from '../components/page-context.ts';
import { NothingSynced } from './nothing-synced.tsx';
import type { ScopeLists } from './scope-names.ts';

interface Props {
  org: string | null;
  lists: Deferred<ScopeLists>;
}

/** In the place of figures of an organization, or of everything, without stored runs: the way to synchronize them. */
export function ScopeNotSynced({ org, lists }: Props) {
  const href = `${reportsHref(org === null ? null : { owner: org, repo: null })}#sync`;
  const next = useCanSync() ? { label: 'Sync repositories', href } : undefined;
  return <NothingSynced org={org} repo={null} lists={lists} next={next} />;
}
