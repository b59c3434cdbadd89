import { figures } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { Badge } from '../../components/badge.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { type Inventory, MoveBadge, pinLabels, shortCommit } from './action-labels.tsx';

type Action = Inventory['actions'][number];

/** A ref of an action. */
interface Row {
  action: Action;
  used: Action['refs'][number];
}

/** Every ref that is used, what needs attention first. */
export function ActionsTable({ data, search, csvHref }: { data: Inventory; search: string; csvHref: string }) {
  const { base, pages } = usePageContext();
  const exposureHref = pages.includes('org/:org/exposure') ? `${base}/org/${data.org}/exposure` : null;
  const rows = data.actions.flatMap((action) => action.refs.map((used) => ({ action, used })));
  return (
    <DataTable
      caption="Refs of actions and reusable workflows, alarming moves first, then third parties without a pin"
      captionHidden
      columns={columns(search, exposureHref)}
      rows={rows}
      rowKey={({ action, used }) => `${action.name} ${action.kind} ${used.ref}`}
      noun="refs"
      csvHref={csvHref}
      empty={{
        cause: 'No actions match.',
        next: { label: 'Show all', href: withChoices(search, { kind: null, pin: null, q: null }) },
      }}
    />
  );
}

const columns = (search: string, exposureHref: string | null): Column<Row>[] => [
  {
    key: 'action',
    label: 'Action',
    heading: true,
    cell: ({ action, used }) => (
      <>
        {exposureHref ? (
          <Link href={`${exposureHref}?${toSearch(action)}`} title="Runs that used it">
            {action.name}
          </Link>
        ) : (
          action.name
        )}
        <span className="sub muted">{describe(action)}</span>
        <Through uses={used.transitive_of} />
      </>
    ),
  },
  { key: 'ref', label: 'Ref', cell: (row) => <Ref row={row} search={search} /> },
  {
    key: 'pin',
    label: 'Pin',
    cell: ({ used }) => (
      <>
        <Pin used={used} />
        <Advisories ids={used.advisories ?? []} />
      </>
    ),
  },
  {
    key: 'used',
    label: 'Repositories',
    numeric: true,
    explain: 'How many use it',
    cell: ({ used }) => figures(used.repositories),
  },
  {
    key: 'files',
    label: 'Workflow files',
    numeric: true,
    explain: 'How many name it; none where it is used through others alone',
    cell: ({ used }) => figures(used.workflows),
  },
  { key: 'move', label: 'Last move', cell: ({ used }) => <LastMove used={used} /> },
];

/** Asks about an action: the name of an image stands behind `docker://`. */
const toSearch = ({ name, kind }: Action) =>
  new URLSearchParams({ name: name.replace(/^docker:\/\//, ''), ...(kind === 'action' ? {} : { kind }) });

/** Through which actions a ref is used that no workflow file names. */
function Through({ uses }: { uses: readonly string[] }) {
  if (uses.length === 0) return null;
  const more = uses.length - shownUses;
  return (
    <span className="sub muted" title={uses.join(', ')}>
      through {uses.slice(0, shownUses).join(', ')}
      {more > 0 ? ` and ${figures(more)} more` : ''}
    </span>
  );
}

const shownUses = 2;

/** A third party's, unless it says so. */
function describe({ kind, publisher }: Action): string {
  const words = { platform: 'by GitHub', own: 'own', third_party: '' }[publisher];
  const kinds = { action: null, reusable_workflow: 'reusable workflow', image: 'container image' }[kind];
  return [kinds, words].filter(Boolean).join(', ');
}

/** A ref that may move leads to its history. */
function Ref({ row: { action, used }, search }: { row: Row; search: string }) {
  if (used.pin === 'sha') return <code>{shortCommit(used.ref)}</code>;
  if (action.kind === 'image') return <code title={used.ref}>{used.ref.replace(/^(sha\d+:.{12}).*$/, '$1')}</code>;
  const href = `${withChoices(search, { name: action.name, ref: used.ref })}#history`;
  return (
    <>
      <Link href={href}>
        <code>{used.ref}</code>
      </Link>
      {used.commit ? <span className="sub muted">at {shortCommit(used.commit)}</span> : null}
      <Renamed action={action} used={used} />
    </>
  );
}

/** The name that the repository has now, where it is another than the written one. */
function Renamed({ action, used }: Row) {
  const [owner, repo] = action.name.split('/');
  if (used.repository === null || used.repository === `${owner}/${repo}`) return null;
  return <span className="sub muted">renamed to {used.repository}</span>;
}

function Pin({ used: { pin, state, last_move: move } }: { used: Row['used'] }) {
  if (state === 'gone') return <Badge status="warning">{move ? 'Deleted' : 'No such tag or branch'}</Badge>;
  const isRead = pin === 'sha' || pin === 'digest' || pin === 'image_tag';
  const word = isRead ? null : stateWords[state ?? 'not_read'];
  return (
    <>
      {pin ? <Badge status={pinLabels[pin].status}>{pinLabels[pin].word}</Badge> : null}
      {word ? <span className={pin ? 'sub muted' : 'muted'}>{word}</span> : null}
    </>
  );
}

/** Published advisories about what is used; those of the sample are published nowhere. */
function Advisories({ ids }: { ids: readonly string[] }) {
  const { base, webUrl } = usePageContext();
  return ids.map((id) => {
    const badge = <Badge status="fail">{id}</Badge>;
    return (
      <span key={id} className="sub">
        {base ? badge : <a href={`${webUrl}/advisories/${id}`}>{badge}</a>}
      </span>
    );
  });
}

/** Why it is not known where a ref leads. */
const stateWords: Record<Exclude<NonNullable<Row['used']['state']>, 'gone'> | 'not_read', string | null> = {
  present: null,
  repository_gone: 'Not visible',
  unreadable: 'Not readable',
  not_read: 'Not read yet',
};

function LastMove({ used }: { used: Row['used'] }) {
  const { last_move: move, moves_90d: moves, alarming_90d: alarming } = used;
  if (!move) return <span className="muted">{describeNoMove(used)}</span>;
  return (
    <>
      <MoveBadge move={move} />
      <span className="sub muted">
        <Moment at={move.at} />
        {moves > 1 ? `, ${moves} in 90 days` : ''}
      </span>
      {alarming > 0 && !move.alarming ? (
        <span className="sub">
          <Badge status="fail">{figures(alarming)} alarming before</Badge>
        </span>
      ) : null}
    </>
  );
}

function describeNoMove({ pin, known_since: knownSince }: Row['used']): string {
  if (pin === 'sha' || pin === 'digest') return 'Cannot move';
  if (pin === 'image_tag') return 'Not observed';
  return knownSince === null ? 'Not known' : 'None seen';
}
