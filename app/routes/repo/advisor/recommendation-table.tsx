import { useParams } from 'react-router';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { usePageContext } from '../../../components/page-context.ts';

interface Row {
  id: string;
  kind: string;
  title: string;
  workflow_path: string;
  line: number;
  html_url: string | null;
  finding: { text: string };
  reasons: readonly { code: string; text: string }[];
}

/** Recommendations by title and place, each with what was found; why one is not made, where it is not. */
export function RecommendationTable({ caption, rows }: { caption: string; rows: readonly Row[] }) {
  const { base } = usePageContext();
  const { owner, repo } = useParams();
  const columns: Column<Row>[] = [
    {
      key: 'change',
      label: 'Change',
      heading: true,
      cell: ({ id, title, ...place }) => (
        <>
          <a href={`${base}/repos/${owner}/${repo}/advisor/${id}`}>{title}</a>
          <Place {...place} />
        </>
      ),
    },
    { key: 'finding', label: 'Finding', cell: ({ finding }) => finding.text },
  ];
  const reasons: Column<Row> = {
    key: 'reasons',
    label: 'Reason',
    cell: (row) => row.reasons.map(({ text }) => text).join(' '),
  };
  const isOffered = rows.every((row) => row.reasons.length === 0);
  return (
    <DataTable
      caption={caption}
      captionHidden={!isOffered}
      columns={isOffered ? columns : [...columns, reasons]}
      rows={rows}
      rowKey={({ id }) => id}
      noun="recommendations"
    />
  );
}

type PlaceProps = Pick<Row, 'kind' | 'workflow_path' | 'line' | 'html_url'>;

const directory = '.github/workflows/';

/** File and line, with a link to it on the platform where there is one. */
function Place({ kind, workflow_path: path, line, html_url: url }: PlaceProps) {
  const name = path.startsWith(directory) ? path.slice(directory.length) : path;
  const where = `${name}, line ${line}`;
  return (
    <span className="sub muted">
      {url === null ? where : <a href={url}>{where}</a>} · {kind}
    </span>
  );
}
