import { Empty } from '../../components/notice.tsx';
import type { OfferedScopes } from '../../components/scope-filters.ts';

const maxOwners = 12;
const maxRepositories = 25;

/** Says that there is no such repository, and which there are. */
export function NotFound({ owners, repositories, requested }: OfferedScopes & { requested: string }) {
  return (
    <Empty cause={`Repository “${requested}” not found. Use owner/name.`}>
      <ul>
        {owners.slice(0, maxOwners).map((org) => (
          <li key={org}>
            <a href={`?${new URLSearchParams({ org })}`}>{org}</a>, all synced repositories
          </li>
        ))}
        {repositories.slice(0, maxRepositories).map((name) => (
          <li key={name}>
            <a href={`?${new URLSearchParams({ repo: name })}`}>{name}</a>
          </li>
        ))}
      </ul>
    </Empty>
  );
}
