import { Fragment } from 'react';
import { count, figures } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { exclusionLabels } from '../repository-coverage.ts';
import type { Explained } from './details.tsx';

type Repositories = Pick<Explained, 'repositories'>;
type Row = Repositories['repositories'][number];

const listExcluded = ({ repositories }: Repositories) => repositories.filter(({ included }) => !included);

/** Those that count, but not with all they have. */
const listIncomplete = ({ repositories }: Repositories) =>
  repositories.filter(({ included, reason }) => included && reason !== null);

/** How many items do not count, and how many repositories were not looked at, or not completely. */
export function Excluded({ data }: { data: Explained }) {
  const items = data.left_out.reduce((sum, { count: some }) => sum + some, 0);
  const [excluded, incomplete] = [listExcluded(data).length, listIncomplete(data).length];
  const parts = [
    items > 0 && figures(items),
    excluded > 0 && <Link href="#repositories">{repositories(excluded)}</Link>,
    incomplete > 0 && <Link href="#incomplete">part of {repositories(incomplete)}</Link>,
  ].filter((part) => part !== false);
  if (parts.length === 0) return 'none';
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have only their place.
    <Fragment key={index}>
      {index > 0 ? ', and ' : null}
      {part}
    </Fragment>
  ));
}

const repositories = (many: number) => count(many, 'repository', 'repositories');

/** So many are named; the answer of the API has all. */
const maxShown = 100;

/** The repositories of a scope that a number lacks, or has only a part of, each with the reason. */
export function ExcludedRepositories({ data }: { data: Repositories }) {
  const total = data.repositories.length;
  return (
    <>
      <Named title="Excluded repositories" id="repositories" rows={listExcluded(data)} total={total} />
      <Named title="Incomplete repositories" id="incomplete" rows={listIncomplete(data)} total={total} />
    </>
  );
}

function Named({ title, id, rows, total }: { title: string; id: string; rows: Row[]; total: number }) {
  const { base } = usePageContext();
  if (rows.length === 0) return null;
  return (
    <Section
      title={title}
      id={id}
      aside={<span className="muted">{`${figures(rows.length)} of ${figures(total)}`}</span>}
    >
      <DataTable
        caption={`${title}, by name`}
        captionHidden
        rows={rows.slice(0, maxShown)}
        total={rows.length}
        rowKey={({ repo }) => repo}
        noun="repositories"
        columns={[
          {
            key: 'repo',
            label: 'Repository',
            heading: true,
            cell: ({ repo }) => <Link href={`${base}/repos/${repo}`}>{repo}</Link>,
          },
          { key: 'reason', label: 'Reason', cell: ({ reason }) => (reason === null ? '–' : exclusionLabels[reason]) },
        ]}
      />
    </Section>
  );
}
