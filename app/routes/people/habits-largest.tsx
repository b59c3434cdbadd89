import { figures } from '../../../server/domain/quantity.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Measurement, Unknown } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { Habits, HabitsPerson } from './habits.tsx';

type Item = HabitsPerson['largest'][number];
type Row = Item & { login: string };

const maxRows = 15;

/** The commits and pull requests that go beyond a threshold, the newest first. */
export function LargestTable({ data }: { data: Habits }) {
  const { webUrl, base } = usePageContext();
  const all = data.people.flatMap(({ login, largest }) => largest.map((item): Row => ({ ...item, login })));
  const beyond = all.filter((item) => isBeyond(item, data.thresholds)).toSorted(newestFirst);
  const linked = base === '';
  return (
    <DataTable<Row>
      caption="Up to five per person, newest first"
      rows={beyond.slice(0, maxRows)}
      total={beyond.length}
      rowKey={({ kind, repo, number, sha, login }) => `${kind} ${repo} ${number} ${sha} ${login}`}
      noun="items"
      empty={{ cause: 'Nothing above the thresholds.' }}
      columns={[
        {
          key: 'item',
          label: 'What',
          heading: true,
          cell: (item) => (linked ? <a href={getHref(item, webUrl)}>{formatName(item)}</a> : formatName(item)),
        },
        { key: 'person', label: 'Person', cell: ({ login }) => login },
        { key: 'files', label: 'Files', numeric: true, cell: ({ files }) => known(files) },
        { key: 'lines', label: 'Lines', numeric: true, cell: ({ lines }) => known(lines) },
        {
          key: 'commits',
          label: 'Commits',
          numeric: true,
          cell: ({ kind, commits, commitsTruncated }) =>
            kind === 'commit' ? (
              ''
            ) : (
              <Measurement
                value={{ value: commits, unit: 'count', quality: commitsTruncated ? 'floor' : 'measured' }}
              />
            ),
        },
        { key: 'merged', label: 'Merged', cell: ({ mergedAt }) => <Moment at={mergedAt} /> },
      ]}
    />
  );
}

const known = (value: number | null) => (value === null ? <Unknown reason="Unknown." /> : figures(value));

const isBeyond = ({ kind, files, lines, commits }: Item, thresholds: Habits['thresholds']): boolean =>
  kind === 'pr'
    ? (commits ?? 0) > thresholds.commitsPerPr
    : (files ?? 0) > thresholds.filesPerCommit || (lines ?? 0) > thresholds.linesPerCommit;

const newestFirst = (a: Row, b: Row) => b.mergedAt.localeCompare(a.mergedAt) || a.number - b.number;

const formatName = ({ kind, repo, number, sha }: Item): string =>
  kind === 'pr' ? `${repo}#${number}` : `${sha?.slice(0, 7)} in ${repo}#${number}`;

const getHref = ({ kind, repo, number, sha }: Item, webUrl: string): string =>
  kind === 'pr' ? `${webUrl}/${repo}/pull/${number}` : `${webUrl}/${repo}/commit/${sha}`;
