import { count } from '../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Inventory } from './action-labels.tsx';

type Unknown = Inventory['unknown'][number];

/** What workflows use of which nobody can say from the files what it is: it may be anything. */
export function UnknownUses({ data }: { data: Inventory }) {
  return (
    <Panel title="What could not be followed" id="unknown" result={{ ok: true, data: data.unknown }}>
      {(unknown) => (
        <DataTable
          caption="Uses that could not be followed"
          captionHidden
          columns={columns}
          rows={unknown}
          rowKey={({ reason, text, through }) => `${reason} ${text} ${through}`}
          noun="uses"
          empty={{ cause: 'Everything was followed.' }}
        />
      )}
    </Panel>
  );
}

const reasons: Record<Unknown['reason'], string> = {
  expression: 'Named by an expression',
  local_action: 'An action of the same repository',
  unreadable_action: 'Its file could not be read',
  graph_limit: 'Nested too deeply',
};

const columns: Column<Unknown>[] = [
  { key: 'text', label: 'Written as', heading: true, cell: ({ text }) => <code>{text}</code> },
  { key: 'reason', label: 'Why', cell: ({ reason }) => reasons[reason] },
  { key: 'through', label: 'Through', cell: ({ through }) => (through ? <code>{through}</code> : 'Workflow file') },
  { key: 'used', label: 'Used in', cell: ({ repositories }) => count(repositories, 'repository', 'repositories') },
];
