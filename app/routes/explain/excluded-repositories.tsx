import { figures } from '../../../server/domain/quantity.ts';
import { DataTable } from '../../components/data-table.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import type { Explained } from '../explain.tsx';
import { exclusionLabels } from '../repository-coverage.ts';

type Repositories = Pick<Explained, 'repositories'>;

export const listExcluded = ({ repositories }: Repositories) => repositories.filter(({ included }) => !included);

/** So many are named; the answer of the API has all. */
const maxShown = 100;

/** The repositories of a scope that a number lacks, each with the reason. */
export function ExcludedRepositories({ data }: { data: Repositories }) {
  const { base } = usePageContext();
  const excluded = listExcluded(data);
  if (excluded.length === 0) return null;
  return (
    <Section
      title="Excluded repositories"
      id="repositories"
      aside={<span className="muted">{`${figures(excluded.length)} of ${figures(data.repositories.length)}`}</span>}
    >
      <DataTable
        caption="Excluded repositories, by name"
        captionHidden
        rows={excluded.slice(0, maxShown)}
        total={excluded.length}
        rowKey={({ repo }) => repo}
        noun="repositories"
        columns={[
          {
            key: 'repo',
            label: 'Repository',
            heading: true,
            cell: ({ repo }) => <a href={`${base}/repos/${repo}`}>{repo}</a>,
          },
          { key: 'reason', label: 'Reason', cell: ({ reason }) => (reason === null ? '–' : exclusionLabels[reason]) },
        ]}
      />
    </Section>
  );
}
