import { count } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getIdentityLinks, previewIdentityLink } from '../../../server/reports/identity/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';

type Answers = PanelsOf<{ links: typeof getIdentityLinks; preview: typeof previewIdentityLink }>;
type Answer = Extract<Answers['links'], { ok: true }>['data'];
type Link = Answer['links'][number];
type Pair = Answer['distinct'][number];

interface Made {
  created_by: string;
  created_at: string;
}

const madeColumn = <Row extends Made>(): Column<Row> => ({
  key: 'made',
  label: 'By',
  cell: ({ created_by, created_at }) => <MadeBy by={created_by} at={created_at} />,
});

function MadeBy({ by, at }: { by: string; at: string }) {
  return (
    <>
      {by}, <Moment at={at} />
    </>
  );
}

/** Accounts that count under another, by main login. */
export const LinkTable = ({ rows }: { rows: readonly Link[] }) => (
  <DataTable
    caption="Linked accounts, by main login"
    captionHidden
    rows={rows}
    rowKey={({ alias, alias_kind }) => `${alias_kind} ${alias}`}
    empty={{ cause: 'No linked accounts.' }}
    columns={[
      { key: 'primary', label: 'Main login', cell: ({ primary }) => primary },
      {
        key: 'alias',
        label: 'Also',
        heading: true,
        cell: ({ alias, alias_kind }) => (
          <>
            {alias} {alias_kind === 'name' ? <span className="muted">no account</span> : null}
          </>
        ),
      },
      madeColumn<Link>(),
      { key: 'undo', label: 'Undo', cell: ({ alias, alias_kind }) => <Unlink alias={alias} alias_kind={alias_kind} /> },
    ]}
  />
);

function Unlink({ alias, alias_kind }: Pick<Link, 'alias' | 'alias_kind'>) {
  const { csrf } = usePageContext();
  return (
    <Form csrf={csrf} intent="unlink" submit="Unlink" label={`Unlink ${alias}`} hidden={{ alias, alias_kind }} inline />
  );
}

/** Pairs that nobody should link. */
export const PairTable = ({ rows }: { rows: readonly Pair[] }) => (
  <DataTable
    caption="Pairs marked as different people"
    captionHidden
    rows={rows}
    rowKey={({ a, b }) => `${a} ${b}`}
    empty={{ cause: 'No pairs.' }}
    columns={[
      { key: 'pair', label: 'Pair', heading: true, cell: ({ a, b }) => `${a} and ${b}` },
      madeColumn<Pair>(),
      { key: 'undo', label: 'Undo', cell: ({ a, b }) => <Undo a={a} b={b} /> },
    ]}
  />
);

function Undo({ a, b }: { a: string; b: string }) {
  const { csrf } = usePageContext();
  const label = `No longer mark ${a} and ${b} as different`;
  return <Form csrf={csrf} intent="undo" submit="Undo" label={label} hidden={{ a, b }} inline />;
}

/** What linking would do, before it is done. */
export function LinkPreview({ result }: { result: Answers['preview'] }) {
  if (!result.ok) return <Notice tone="problem">{result.problem.error}</Notice>;
  const { alias, primary, changes, refused } = result.data;
  if (refused)
    return (
      <Notice tone="partial" title="This link would be rejected.">
        {refused.error}
      </Notice>
    );
  if (changes.length === 0) return <Notice>{`${alias} is already linked to ${primary}.`}</Notice>;
  return (
    <Notice title="Not linked yet.">
      {`${count(changes.length, 'login')} would be linked to ${primary}: `}
      {changes.map(({ login, before }) => (before ? `${login} (currently ${before})` : login)).join(', ')}.
    </Notice>
  );
}
