import type { Deferred } from '../../server/http/deferred-panels.ts';
import { Empty } from '../components/notice.tsx';
import { WhenReady } from '../components/skeleton.tsx';
import { NoRepositories } from './no-repositories.tsx';
import { isIncomplete, mayLackOrganizations, readScopeNames, type ScopeLists } from './scope-names.ts';

interface Props {
  org: string | null;
  /** `owner/name`. */
  repo: string | null;
  lists: Deferred<ScopeLists>;
  next?: { label: string; href: string };
}

/** In the place of figures of a scope without stored runs. An organization in no list of the reader's may not exist. */
export function NothingSynced({ org, repo, lists, next }: Props) {
  return (
    <WhenReady data={lists} fallback={null}>
      {(listed) =>
        org !== null && repo === null && isNobodys(org, listed) ? (
          <Empty cause={`${org} is not one of your organizations, and no repository of it has been synced here.`} />
        ) : org === null && listed.repositories.ok && listed.repositories.data.length === 0 ? (
          <NoRepositories isPartial={isIncomplete(listed.repositories)} />
        ) : (
          <Empty cause={`${describe(org, repo)}${next ? '' : ' Ask an administrator to sync.'}`} next={next} />
        )
      }
    </WhenReady>
  );
}

function describe(org: string | null, repo: string | null): string {
  if (repo !== null) return `${repo} has not been synced yet.`;
  if (org === null) return 'None of your repositories has been synced yet.';
  return `No repository of ${org} has been synced yet.`;
}

/** Whether it is known to be no owner of anything that the reader sees. */
const isNobodys = (org: string, listed: ScopeLists): boolean =>
  listed.organizations.ok &&
  listed.repositories.ok &&
  !mayLackOrganizations(listed) &&
  !isIncomplete(listed.organizations) &&
  !isIncomplete(listed.repositories) &&
  !readScopeNames(listed).owners.some((owner) => owner.toLowerCase() === org.toLowerCase());
