import type { ReactNode } from 'react';
import type { Deferred } from '../../server/http/deferred-panels.ts';
import { reportsHref } from '../components/data-coverage-link.tsx';
import { useCanSync } from '../components/page-context.ts';
import { Panel, type PanelProps } from '../components/panel.tsx';
import { NothingSynced } from './nothing-synced.tsx';
import type { ScopeLists } from './scope-names.ts';
import { StoredUnproved } from './stored-unproved.tsx';

interface ScopeAnswer {
  org: string | null;
  repos_included: number;
}

interface Props<T extends ScopeAnswer> {
  result: PanelProps<T>['result'];
  feature: PanelProps<T>['feature'];
  lists: Deferred<ScopeLists>;
  children(data: T): ReactNode;
}

/** Figures of an organization, or of everything; in words why there are none, and the way to them. */
export function ScopeFigures<T extends ScopeAnswer>({ result, feature, lists, children }: Props<T>) {
  if (result.ok && result.data.repos_included > 0) return children(result.data);
  return (
    <>
      <Panel title="Repositories" result={result} feature={feature}>
        {({ org }) => <ScopeNotSynced org={org} lists={lists} />}
      </Panel>
      <StoredUnproved result={result} />
    </>
  );
}

function ScopeNotSynced({ org, lists }: { org: string | null; lists: Deferred<ScopeLists> }) {
  const href = `${reportsHref(org === null ? null : { owner: org, repo: null })}#sync`;
  const next = useCanSync() ? { label: 'Sync repositories', href } : undefined;
  return <NothingSynced org={org} repo={null} lists={lists} next={next} />;
}
