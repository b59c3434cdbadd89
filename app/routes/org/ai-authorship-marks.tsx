import type { ReactNode } from 'react';
import { counted, figures } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getAgentTable } from '../../../server/reports/ai-authorship/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import type { Summary } from './ai-authorship-shares.tsx';

type Table = Extract<PanelsOf<{ agents: typeof getAgentTable }>['agents'], { ok: true }>['data'];
type Row = Table['agents'][number];

/** What counted, what did not, and what the figures cannot say. */
export function AuthorshipLimits({ data }: { data: Summary }) {
  const { coverage, marks } = data;
  const reasons = coverage.reasons.map((reason) => reasonTexts[reason]);
  return (
    <Section title="What is excluded">
      <ul className="prose">
        <li>
          {figures(coverage.read)} of {counted(coverage.expected ?? 0, 'repositories')} read for marks
          {data.as_of ? (
            <>
              , up to <Moment at={data.as_of} />
            </>
          ) : null}
          .
        </li>
        {reasons.map((text) => (
          <li key={text}>{text}</li>
        ))}
        <li>
          Automation, such as dependency updates: {numberOrHidden(data.automation)}. The other shares are without it.
        </li>
        <li>
          Not read, because not all commits or labels could be: {numberOrHidden(data.unread)}. Never counted as no mark.
        </li>
        <li>Branch name only: {numberOrHidden(data.branch_only)}. A name is no mark.</li>
        <li>
          Hidden: numbers of fewer than 10 pull requests or 5 people. Nobody is listed, and there is no filter by
          person.
        </li>
      </ul>
      <DataTable
        caption="Marks found"
        columns={[
          { key: 'kind', label: 'Mark', value: ({ kind }) => markTexts[kind], heading: true },
          {
            key: 'prs',
            label: 'Pull requests',
            value: ({ prs }) => prs,
            unit: 'count',
            reason: 'Hidden: too few pull requests or people.',
            numeric: true,
          },
        ]}
        rows={marks}
        rowKey={({ kind }) => kind}
        noun="marks"
      />
      <p className="source">
        The 2025 DORA report, a survey of about 5,000 people, calls AI an amplifier of what a team already is:
        throughput up, stability down in the same data. It is no target.
      </p>
    </Section>
  );
}

const numberOrHidden = (value: number | null) => (value === null ? 'hidden' : figures(value));

const reasonTexts: Readonly<Record<Summary['coverage']['reasons'][number], string>> = {
  list_truncated: 'Not every repository of the organization is listed.',
  repositories_unread: 'Repositories that were not read to their end do not count.',
  reading_underway: 'Some repositories are being read.',
  other_table: 'Some repositories are still marked by an earlier table.',
  month_begun: 'The last month has not ended, or was not read to its end.',
  before_look_back: 'Pull requests older than 400 days are not read.',
  before_row: 'Some pull requests match a row of the table that does not count for their date.',
};

const markTexts: Readonly<Record<Summary['marks'][number]['kind'], string>> = {
  author_account: 'Opened by an account of an agent',
  author_app: 'Opened through an app of an agent',
  commit_authors: 'Every commit by an agent',
  branch_prefix: 'Branch of an agent, with a second sign',
  co_author: 'Co-author of a commit',
  label: 'Label',
  trailer: 'Trailer of a commit',
};

const columns: readonly Column<Row>[] = [
  { key: 'agent', label: 'Agent', value: ({ agent }) => agent, heading: true },
  { key: 'kind', label: 'Recognized by', value: ({ kind }) => kind },
  { key: 'value', label: 'Value', cell: ({ value }): ReactNode => <code>{value}</code> },
  { key: 'effect', label: 'Effect', value: ({ effect }) => effect },
  { key: 'seen', label: 'Last checked', value: ({ seen, own }) => (own ? 'own row' : seen) },
  { key: 'source', label: 'Source', value: ({ source }) => source },
];

/** By what agents are recognized. */
export function AuthorshipAgents({ data, csvHref }: { data: Table; csvHref: string }) {
  const { base, pages } = usePageContext();
  return (
    <>
      <p className="prose">
        Accounts count by login or id, addresses and trailers as in the table; names of people never do. Messages, names
        and addresses are read, reduced to these marks, and not stored.{' '}
        <a href="/docs/ai-authorship">What this can and cannot say</a>.
      </p>
      <details>
        <summary>Table of agents, version {data.table_version}</summary>
        <DataTable
          caption="Table of agents"
          captionHidden
          columns={columns}
          rows={data.agents}
          rowKey={({ agent, kind, value }) => `${agent} ${kind} ${value}`}
          noun="rows"
          csvHref={csvHref}
        />
      </details>
      {base === '' && pages.includes('settings/ai-authorship') ? (
        <p>
          <a href="/settings/ai-authorship">Settings of AI-authored pull requests</a>
        </p>
      ) : null}
    </>
  );
}
