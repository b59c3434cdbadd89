import { count, figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { ItemList } from '../../components/item-list.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import type { HomePanels } from './page.tsx';

/** So many repositories are read for the list. */
export const shownRepositories = 4;

interface Props {
  result: HomePanels['attention'];
  search: string;
}

type Attention = Extract<HomePanels['attention'], { ok: true }>['data'];

/** Failing default branches first, then workflows that became slower. */
export function AttentionPanel({ result, search }: Props) {
  const { base } = usePageContext();
  const org = new URLSearchParams(search).get('org');
  const all = `${base}/repositories${org ? `?${new URLSearchParams({ org })}` : ''}`;
  return (
    <Panel
      title="Needs attention"
      result={result}
      whenPartial="Some repositories could not be read."
      aside={<a href={all}>All repositories</a>}
    >
      {(data) => <Rows data={data} base={base} />}
    </Panel>
  );
}

function Rows({ data, base }: { data: Attention; base: string }) {
  const rows = data.items.filter(({ attention: { level } }) => level === 'failing' || level === 'slowing');
  if (rows.length === 0) return <p>{describeQuiet(data)}</p>;
  return (
    <>
      <ItemList
        items={rows.map(({ repository, attention }) => ({
          key: repository.id,
          name: (
            <>
              <Badge status={attention.level === 'failing' ? 'fail' : 'warning'}>{attention.level}</Badge>{' '}
              <a href={`${base}/repos/${repository.full_name}`}>{repository.full_name}</a>
            </>
          ),
          detail: attention.reason,
        }))}
      />
      <Hidden data={data} shown={rows.length} />
    </>
  );
}

/** How many are not in the list, where it is not all. */
function Hidden({ data: { failing, slowing }, shown }: { data: Attention; shown: number }) {
  if (failing + slowing <= shown) return null;
  const levels = [
    failing > 0 ? `${figures(failing)} failing` : null,
    slowing > 0 ? `${figures(slowing)} slowing` : null,
  ];
  return (
    <p className="source">
      Showing {figures(shown)} of {levels.filter((level) => level !== null).join(', ')}.
    </p>
  );
}

/** Only of the repositories whose default branch was checked. */
function describeQuiet({ heads_read: checked, total }: Attention): string {
  if (total === 0) return 'No repositories.';
  if (checked === 0) return 'The checks of the default branches could not be read.';
  const scope =
    checked < total
      ? `${figures(checked)} of ${figures(total)} repositories`
      : count(total, 'repository', 'repositories');
  return `No failing default branch in ${scope}.`;
}
