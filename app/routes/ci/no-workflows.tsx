import { count } from '../../../server/domain/quantity.ts';
import type { Deferred } from '../../../server/http/deferred-panels.ts';
import { withChoices } from '../../components/choices.ts';
import { reportsHref } from '../../components/data-coverage-link.tsx';
import { whyUnread } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { useCanSync, usePageContext } from '../../components/page-context.ts';
import { repositoryParams } from '../links.ts';
import { NothingSynced } from '../nothing-synced.tsx';
import type { ScopeLists } from '../scope-names.ts';
import type { Ci } from './views.ts';

interface Props {
  data: Pick<Ci, 'org' | 'repo' | 'range' | 'window' | 'repos_included' | 'synced_from' | 'synced_through'>;
  search: string;
  lists: Deferred<ScopeLists>;
  /** Whether nothing of the range was read. */
  isUnread: boolean;
}

/** Why no workflow is listed, and what helps. */
export function NoWorkflows({ data, search, lists, isUnread }: Props) {
  const { zone } = usePageContext();
  const canSync = useCanSync();
  const { org, repo, range, window, repos_included: included, synced_from: from, synced_through: through } = data;
  const owner = org === null ? null : { owner: org, repo: null };
  const scope = repo === null ? owner : repositoryParams(repo);
  const sync = canSync ? { label: 'Sync repositories', href: `${reportsHref(scope)}#sync` } : undefined;
  if (isUnread && included > 0) return <Empty cause={whyUnread({ window, from, through }, zone)} next={sync} />;
  if (included > 0)
    return (
      <Empty
        cause={`No runs in this range in ${count(included, 'synced repository', 'synced repositories')}.`}
        next={range === '90' ? undefined : { label: 'Show 90 days', href: withChoices(search, { range: '90' }) }}
      />
    );
  return <NothingSynced org={org} repo={repo} lists={lists} next={sync} />;
}
