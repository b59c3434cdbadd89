import type { Filter } from '../../components/filter-bar.tsx';
import { getDayFilter } from '../../components/period-filters.ts';

interface Offered {
  /** `owner/repo` of the repositories that can be seen. */
  names: readonly string[];
  owners: readonly string[];
  /** Whose repositories are looked at; '' for none. */
  owner: string;
  /** Whoever sees only themselves chooses no person. */
  isOwnView: boolean;
}

const maxOwners = 12;

/** The windows that the report has. */
export const habitsRanges = ['30', '90'] as const;

/** The window, the owner or one repository, and the person. */
export function placeFilters(query: URLSearchParams, { names, owners, owner, isOwnView }: Offered): Filter[] {
  const own = [...new Map(owners.map((one) => [one.toLowerCase(), one])).values()].slice(0, maxOwners);
  const repository = query.get('repo');
  return [
    getDayFilter(query, habitsRanges),
    ...(repository || own.length === 0
      ? []
      : [
          {
            kind: 'links' as const,
            name: 'org',
            label: 'Repositories of',
            value: owner || null,
            options: own.map((value) => ({ value, label: value })),
          },
        ]),
    {
      kind: 'text',
      name: 'repo',
      label: 'One repository',
      value: repository,
      placeholder: 'owner/name',
      list: names,
    },
    ...(isOwnView
      ? []
      : [
          {
            kind: 'text' as const,
            name: 'login',
            label: 'One person',
            value: query.get('login'),
            placeholder: 'login',
          },
        ]),
  ];
}
