import { count, figures } from '../../server/domain/quantity.ts';
import { withChoices } from '../components/choices.ts';
import { FilterBar } from '../components/filter-bar.tsx';

/** The part of a page that its filter by name is of, where no other one is named. */
export const rowsSection = 'rows';

/** The name that an address looks for; null for none. */
export const requestedName = (search: string): string | null => new URLSearchParams(search).get('q')?.trim() || null;

interface Props {
  search: string;
  /** How many of all rows have the name. */
  found: number;
  all: number;
  /** `workflow`, `workflows` */
  noun: string;
  nouns: string;
  /** What is looked into: `workflow or repository`. */
  placeholder: string;
  section?: string;
}

/** The rows of a table by a part of their name, where there is more than one; the rest of the page stays of all. */
export function NameFilter({ search, found, all, noun, nouns, placeholder, section = rowsSection }: Props) {
  const name = requestedName(search);
  if (all < 2 && name === null) return null;
  const filter = { kind: 'search' as const, name: 'q', label: 'Name', value: name, placeholder };
  return (
    <FilterBar
      label={`Filter ${nouns}`}
      search={search}
      filters={[filter]}
      section={section}
      submit="Filter"
      note={name === null ? null : `${figures(found)} of ${count(all, noun, nouns)}. Figures above are of all.`}
    />
  );
}

/** What a table says when nothing has the name, and how to have all rows back. */
export const describeNoName = (search: string, nouns: string, section = rowsSection) => ({
  cause: `No ${nouns} match “${requestedName(search)}”.`,
  next: { label: 'Clear filter', href: `${withChoices(search, { q: null })}#${section}` },
});

/** The part of a page that lists repositories, under which they are sorted and filtered. */
export const repositoriesSection = 'repositories';

export const RepositoryFilter = (props: Pick<Props, 'search' | 'found' | 'all'>) => (
  <NameFilter
    {...props}
    noun="repository"
    nouns="repositories"
    placeholder="repository"
    section={repositoriesSection}
  />
);

export const describeNoRepository = (search: string) => describeNoName(search, 'repositories', repositoriesSection);
