import type { Column } from '../../../components/data-table.tsx';
import type { RowOrder } from '../../../components/row-order.ts';
import type { GetProfileHref } from '../../people/person-href.ts';

interface Named {
  login: string;
  linked_logins: string[];
}

/** Whoever is looked for is found by name, and nobody is ranked. */
export const byName: RowOrder = { key: 'person', direction: 'asc' };

/** Who a row is about, with the accounts that were added up in it. Bots have no page to lead to. */
export function nameColumn<Row extends Named>(getHref: GetProfileHref | null): Column<Row> {
  return {
    key: 'person',
    label: getHref ? 'Person' : 'Bot',
    heading: true,
    sort: 'asc',
    sortLabel: 'name',
    value: ({ login }) => login.toLowerCase(),
    cell: ({ login, linked_logins: linked }) => (
      <>
        {getHref ? <a href={getHref(login)}>{login}</a> : login}
        {linked.length > 0 ? <span className="muted"> also {linked.join(', ')}</span> : null}
      </>
    ),
  };
}
