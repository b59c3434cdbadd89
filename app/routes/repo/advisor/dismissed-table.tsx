import { useParams } from 'react-router';
import { figures } from '../../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Form } from '../../../components/form.tsx';
import { Moment } from '../../../components/moment.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { reasonLabels } from './dismiss-form.tsx';
import type { Dismissal } from './dismissed.tsx';

export interface DismissedRow {
  id: string;
  title: string;
  workflow_path: string;
  dismissal: Dismissal | null;
}

type Row = DismissedRow & { dismissal: Dismissal };

/** Recommendations that people dismissed, closed at first, each with a button that restores it. */
export function DismissedTable({ rows }: { rows: readonly DismissedRow[] }) {
  const { base, csrf } = usePageContext();
  const { owner, repo } = useParams();
  const dismissed = rows.flatMap(({ dismissal, ...row }) => (dismissal ? [{ ...row, dismissal }] : []));
  const columns: Column<Row>[] = [
    {
      key: 'change',
      label: 'Change',
      heading: true,
      cell: ({ id, title, workflow_path: path }) => (
        <>
          <a href={`${base}/repos/${owner}/${repo}/advisor/${id}`}>{title}</a>
          <span className="sub muted">{path}</span>
        </>
      ),
    },
    {
      key: 'reason',
      label: 'Reason',
      cell: ({ dismissal: { reason, note } }) => (
        <>
          {reasonLabels[reason]}
          {note === null ? null : <span className="sub muted">{note}</span>}
        </>
      ),
    },
    { key: 'by', label: 'Dismissed by', cell: ({ dismissal: { by } }) => by },
    { key: 'at', label: 'On', cell: ({ dismissal: { at } }) => <Moment at={at} as="date" /> },
    { key: 'until', label: 'Until', cell: ({ dismissal: { until } }) => until ?? 'No end' },
    {
      key: 'restore',
      label: 'Restore',
      cell: ({ id, title }) => (
        <Form csrf={csrf} intent="restore" submit="Restore" hidden={{ id }} label={`Restore ${title}`} inline />
      ),
    },
  ];
  return (
    <details>
      <summary>Dismissed ({figures(dismissed.length)})</summary>
      <DataTable
        caption="Dismissed"
        captionHidden
        columns={columns}
        rows={dismissed}
        rowKey={({ id }) => id}
        noun="recommendations"
      />
    </details>
  );
}
