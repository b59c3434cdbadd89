import type { ReactNode } from 'react';
import { Renamed } from '../../components/notice.tsx';
import { type Described, Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { type Deferred, WhenReady } from '../../components/skeleton.tsx';
import { crumbs, repositoryCrumb } from '../links.ts';
import type { RepositoryPath } from './panels.ts';
import { type RepositoryTab, useRepositoryTabs } from './tabs.ts';

type Props = Described & {
  repository: RepositoryPath;
  tab: RepositoryTab;
  title?: string;
  isTracked?: boolean;
  /** What may tell that the repository has another name by now. */
  panels?: Deferred<Answers>;
  actions?: ReactNode;
  children: ReactNode;
};

type Answers = Partial<Record<string, { ok: true; notes: { canonicalRepo: string | null } } | { ok: false }>>;

/** The frame of a page below the overview of a repository. */
export function RepositoryPage({ repository, tab, title = tab, isTracked, panels = {}, children, ...page }: Props) {
  const { base } = usePageContext();
  const name = `${repository.owner}/${repository.repo}`;
  return (
    <Page
      {...page}
      title={title}
      breadcrumbs={crumbs(base, repositoryCrumb(base, name))}
      tabs={useRepositoryTabs(name, tab, isTracked)}
      note={
        <WhenReady data={panels} fallback={null}>
          {(answers) => <Renamed name={name} current={findCurrentName(answers)} />}
        </WhenReady>
      }
    >
      {children}
    </Page>
  );
}

const findCurrentName = (answers: Answers) =>
  Object.values(answers).flatMap((one) => (one?.ok ? [one.notes.canonicalRepo] : []))[0];
