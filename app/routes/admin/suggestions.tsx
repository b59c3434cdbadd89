import { count } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { suggestIdentityLinks } from '../../../server/reports/identity/operations.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Form } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { type Deferred, LoadingPanels, WhenReady } from '../../components/skeleton.tsx';

type Answer = PanelsOf<{ result: typeof suggestIdentityLinks }>['result'];
type Found = Extract<Answer, { ok: true }>['data'];

interface Props {
  /** null until a repository is chosen. */
  result: Deferred<Answer> | null;
  submitted: { owner: string; repo: string };
}

/** Who of a repository's contributors may be one person. */
export function Suggestions({ result, submitted }: Props) {
  const choice = (
    <FilterBar
      label="Repository"
      search=""
      filters={[
        { kind: 'text', name: 'owner', label: 'Owner', value: submitted.owner },
        { kind: 'text', name: 'repo', label: 'Repository', value: submitted.repo },
      ]}
    />
  );
  if (!result)
    return (
      <Section title="Suggestions">
        <p>Choose a repository to find contributors who may be the same person.</p>
        {choice}
      </Section>
    );
  const title = `Suggestions from ${submitted.owner}/${submitted.repo}`;
  return (
    <>
      <Section title="Suggestions">{choice}</Section>
      <WhenReady data={result} fallback={<LoadingPanels titles={[title]} />}>
        {(answer) => (
          <Panel title={title} result={answer} whenPartial="Partial data: there may be more.">
            {(found) => <Found data={found} submitted={submitted} />}
          </Panel>
        )}
      </WhenReady>
    </>
  );
}

function Found({ data, submitted }: { data: Found; submitted: Props['submitted'] }) {
  return (
    <>
      <p className="source">
        {`${count(data.contributors_compared, 'account or name', 'accounts and names')} of ${data.window_days} days compared. Check before linking.`}
      </p>
      <DataTable
        caption="Possible duplicates"
        captionHidden
        rows={data.suggestions}
        rowKey={({ alias, primary }) => `${alias} ${primary}`}
        total={data.total}
        noun="suggestions"
        empty={{ cause: 'No suggestions.' }}
        columns={[
          {
            key: 'alias',
            label: 'Account or name',
            heading: true,
            cell: ({ alias, alias_is_account, alias_seen }) => (
              <>
                {alias} {alias_is_account ? null : <span className="muted">no account</span>}
                <span className="sub muted">{`seen ${count(alias_seen, 'time')}`}</span>
              </>
            ),
          },
          {
            key: 'primary',
            label: 'Main login',
            cell: ({ primary, primary_seen }) => (
              <>
                {primary}
                <span className="sub muted">{`seen ${count(primary_seen, 'time')}`}</span>
              </>
            ),
          },
          { key: 'why', label: 'Why', cell: ({ explanation }) => explanation },
          {
            key: 'answer',
            label: 'Answer',
            cell: ({ alias, alias_is_account, primary }) => (
              <Answers
                alias={alias}
                isAccount={alias_is_account}
                primary={primary}
                owner={submitted.owner}
                repo={submitted.repo}
              />
            ),
          },
        ]}
      />
    </>
  );
}

interface AnswersProps {
  alias: string;
  isAccount: boolean;
  primary: string;
}

function Answers({ alias, isAccount, primary, owner, repo }: AnswersProps & Props['submitted']) {
  const { csrf } = usePageContext();
  const pair = `${alias} and ${primary}`;
  return (
    <>
      <Form
        csrf={csrf}
        intent="link"
        inline
        submit="Same person"
        label={`${pair} are the same person`}
        hidden={{ alias, alias_kind: isAccount ? 'account' : 'name', primary, owner, repo }}
      />
      <Form
        csrf={csrf}
        intent="distinct"
        inline
        submit="Different people"
        label={`${pair} are different`}
        hidden={{ a: alias, b: primary, owner, repo }}
      />
    </>
  );
}
