import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { GetProfileHref } from '../people/person-href.ts';
import type { Change, Outcomes } from './changes.tsx';
import { runsColumn } from './changes-runs.tsx';

interface Props {
  changes: readonly Change[];
  /** What became of the runs since; null where that could not be read. */
  outcomes: Outcomes | null;
  /** Whether a choice left some out. */
  isFiltered: boolean;
  /** Without any choice. */
  allHref: string;
  getProfileHref: GetProfileHref;
  csvHref?: string;
}

/** Each commit with its files, newest first. */
export function ChangeTable({ changes, outcomes, isFiltered, allHref, getProfileHref, csvHref }: Props) {
  return (
    <DataTable
      caption="Commits that changed workflow files, newest first"
      captionHidden
      columns={[...columns(getProfileHref), ...signatureColumn(changes), ...runsColumn(outcomes)]}
      rows={changes}
      rowKey={({ sha }) => sha}
      noun="changes"
      csvHref={csvHref}
      empty={
        isFiltered
          ? {
              cause: 'No changes match these filters.',
              next: { label: 'Show all', href: allHref },
            }
          : { cause: 'No commit on the default branch has changed a workflow file.' }
      }
    />
  );
}

/** The account, else the name git has. */
export const getAuthor = ({ author_login: login, author_name: name }: Change): string => login ?? name ?? 'unknown';

/** Paths of a change; none where they are not known. */
export const getFiles = ({ file_paths: paths }: Change): string[] => paths;

const columns = (getProfileHref: Props['getProfileHref']): Column<Change>[] => [
  { key: 'when', label: 'Age', cell: (change) => <When change={change} /> },
  { key: 'what', label: 'Commit', heading: true, cell: (change) => <Commit change={change} /> },
  { key: 'files', label: 'Files', cell: (change) => <Files change={change} /> },
  { key: 'who', label: 'Author', cell: (change) => <Author change={change} getProfileHref={getProfileHref} /> },
  { key: 'via', label: 'Pull request', cell: (change) => <PullRequest change={change} /> },
];

/** Whether signatures are verified, where that differs; what all have in common is said once, above. */
const signatureColumn = (changes: readonly Change[]): Column<Change>[] =>
  findSharedSignature(changes) === undefined
    ? [
        {
          key: 'signature',
          label: 'Signature',
          explain: 'Empty where it is verified',
          cell: ({ verified }) => <Signature verified={verified} />,
        },
      ]
    : [];

/** What all signatures have in common; undefined where they differ. */
export function findSharedSignature(changes: readonly Change[]): Change['verified'] | undefined {
  const [first, ...others] = new Set(changes.map(({ verified }) => verified));
  return others.length === 0 ? first : undefined;
}

const day = 86_400_000;

function When({ change: { committed_at: at, date } }: { change: Change }) {
  const { now } = usePageContext();
  const apart = Date.parse(at) - Date.parse(date);
  return (
    <>
      <Moment at={at} as="age" />
      {now - Date.parse(at) < day ? (
        <span className="sub">
          <Badge status="warning">last 24 h</Badge>
        </span>
      ) : null}
      {Math.abs(apart) > day ? (
        <span className="sub muted">
          authored <Moment at={date} as="date" />
        </span>
      ) : null}
    </>
  );
}

function Commit({ change: { html_url: url, sha, message, via_pr: number } }: { change: Change }) {
  const short = sha.slice(0, 7);
  return (
    <>
      {/* The pull request has a column of its own. */}
      {message.replace(` (#${number})`, '') || 'no message'}
      <span className="sub">{url === '#' ? <code>{short}</code> : <a href={url}>{short}</a>}</span>
    </>
  );
}

const prefix = '.github/workflows/';

function Files({ change: { changes } }: { change: Change }) {
  if (changes === null) return <Unknown reason="Files unknown." />;
  return changes.map(({ path, change }) => (
    <span key={path} className="sub">
      <code>{path.startsWith(prefix) ? path.slice(prefix.length) : path}</code>
      {change === 'modified' ? null : ` ${change}`}
    </span>
  ));
}

/** Bots and names without an account have no page to lead to. */
function Author({ change, getProfileHref }: Pick<Props, 'getProfileHref'> & { change: Change }) {
  const { author_login: login, is_bot: isBot, committer_login: committer } = change;
  const name = getAuthor(change);
  const other = committer !== null && committer !== login && committer !== 'web-flow' ? committer : null;
  return (
    <>
      {login === null || isBot ? name : <a href={getProfileHref(login)}>{name}</a>}
      {isBot ? <span className="sub muted">bot</span> : null}
      {login === null && !isBot ? <span className="sub muted">no account</span> : null}
      {other ? <span className="sub muted">committed by {other}</span> : null}
    </>
  );
}

function PullRequest({ change: { via_pr: number, html_url: url } }: { change: Change }) {
  if (number === null) return <span className="muted absent">–</span>;
  const [repository, rest] = url.split('/commit/');
  return rest === undefined ? `#${number}` : <a href={`${repository}/pull/${number}`}>#{number}</a>;
}

function Signature({ verified }: { verified: boolean | null }) {
  if (verified === null) return <span className="muted">unknown</span>;
  return verified ? null : <Badge status="warning">unverified</Badge>;
}
