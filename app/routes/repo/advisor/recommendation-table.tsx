import { useParams } from 'react-router';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { Predicted, type PredictedEffect, scaleEnd } from './predicted.tsx';
import { previewForm } from './preview-form.tsx';

interface Row {
  id: string;
  kind: string;
  title: string;
  certainty: string;
  effect: PredictedEffect;
  workflow_path: string;
  line: number;
  html_url: string | null;
  finding: { text: string };
  reasons: readonly { code: string; text: string }[];
  pull_request: { number: number; html_url: string; state: 'open' | 'closed' | 'merged' } | null;
}

interface TableProps {
  caption: string;
  rows: readonly Row[];
  /** Those whose box is ticked; without it there are no boxes. They belong to the form of the preview. */
  ticked?: readonly string[];
}

/** Recommendations by title and place, each with what was found; why one is not made, where it is not. */
export function RecommendationTable({ caption, rows, ticked }: TableProps) {
  const { base } = usePageContext();
  const { owner, repo } = useParams();
  const columns: Column<Row>[] = [
    {
      key: 'change',
      label: 'Change',
      heading: true,
      cell: ({ id, title, pull_request: pullRequest, ...place }) => (
        <>
          <a href={`${base}/repos/${owner}/${repo}/advisor/${id}`}>{title}</a>
          <Place {...place} />
          {pullRequest ? (
            <span className="sub">
              <a href={pullRequest.html_url}>Pull request #{pullRequest.number}</a>
              {pullRequest.state === 'open' ? null : `, ${pullRequest.state}`}
            </span>
          ) : null}
        </>
      ),
    },
    { key: 'finding', label: 'Finding', wide: true, cell: ({ finding }) => finding.text },
  ];
  const box: Column<Row> = {
    key: 'box',
    label: 'Include',
    cell: ({ id, title, workflow_path: path, line }) => (
      <input
        type="checkbox"
        form={previewForm}
        name={id}
        value="1"
        defaultChecked={ticked?.includes(id)}
        aria-label={`Include ${title}, ${formatPlace(path, line)}`}
      />
    ),
  };
  const max = scaleEnd(rows);
  const predicted: Column<Row> = {
    key: 'predicted',
    label: 'Predicted for the workflow (80 % range)',
    wide: true,
    cell: ({ effect }) => <Predicted effect={effect} max={max} />,
  };
  const reasons: Column<Row> = {
    key: 'reasons',
    label: 'Reason',
    wide: true,
    cell: (row) => row.reasons.map(({ text }) => text).join(' '),
  };
  const isOffered = rows.every((row) => row.reasons.length === 0);
  const isSecurity = rows.every(({ certainty }) => certainty === 'risk');
  const others = isOffered ? [predicted] : [reasons];
  return (
    <DataTable
      caption={caption}
      captionHidden={!isOffered}
      columns={[...(ticked ? [box] : []), ...columns, ...(isSecurity && isOffered ? [] : others)]}
      rows={rows}
      rowKey={({ id }) => id}
      noun="recommendations"
    />
  );
}

type PlaceProps = Pick<Row, 'kind' | 'workflow_path' | 'line' | 'html_url'>;

const directory = '.github/workflows/';

const formatPlace = (path: string, line: number): string =>
  `${path.startsWith(directory) ? path.slice(directory.length) : path}, line ${line}`;

/** File and line, with a link to it on the platform where there is one. */
function Place({ kind, workflow_path: path, line, html_url: url }: PlaceProps) {
  const where = formatPlace(path, line);
  return (
    <span className="sub muted">
      {url === null ? where : <a href={url}>{where}</a>} · {kind}
    </span>
  );
}
