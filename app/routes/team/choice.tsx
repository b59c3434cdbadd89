import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Empty } from '../../components/notice.tsx';

interface Offered {
  /** `owner/repo` of the repositories that can be seen. */
  names: readonly string[];
  owners: readonly string[];
}

/** Choose a team: that of an organization, or of a repository. One choice takes the place of the other. */
export function TeamChooser({ query, names, owners, org }: Offered & { query: URLSearchParams; org: string | null }) {
  const range = query.get('range');
  return (
    <FilterBar
      label="Choose a team"
      search={withChoices('', { range, situation: query.get('situation') })}
      filters={[
        {
          kind: 'links',
          name: 'org',
          label: 'All synced repositories of',
          value: org,
          options: offered(owners, org).map((value) => ({ value, label: value })),
        },
        {
          kind: 'text',
          name: 'repo',
          label: 'or one repository',
          value: query.get('repo'),
          placeholder: 'owner/name',
          list: names,
        },
      ]}
    />
  );
}

const maxOwners = 12;

/** The one looked at is among them. */
function offered(owners: readonly string[], org: string | null): readonly string[] {
  const first = owners.slice(0, maxOwners);
  return org === null || first.some((one) => one.toLowerCase() === org.toLowerCase()) ? first : [...first, org];
}

const maxOffered = 25;

/** What can be looked at, where nothing is chosen or what was requested is not there. */
export function Choice({ names, owners, requested }: Offered & { requested: string }) {
  if (!requested && names.length === 0 && owners.length === 0) return <Empty cause="You can see no repositories." />;
  const cause = requested
    ? `Repository “${requested}” not found. Use owner/name.`
    : 'Choose a repository, or an owner for all its synced repositories.';
  return (
    <Empty cause={cause}>
      <ul>
        {owners.slice(0, maxOwners).map((org) => (
          <li key={org}>
            <a href={`?${new URLSearchParams({ org })}`}>{org}</a>, all synced repositories
          </li>
        ))}
        {names.slice(0, maxOffered).map((name) => (
          <li key={name}>
            <a href={`?${new URLSearchParams({ repo: name })}`}>{name}</a>
          </li>
        ))}
      </ul>
    </Empty>
  );
}
