import { dayText, months as monthNames } from '../../../server/domain/day-text.ts';
import { count, quantity } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getAuthorshipSummary, getAuthorshipTrend } from '../../../server/reports/ai-authorship/operations.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty, Notice } from '../../components/notice.tsx';

type Answers = PanelsOf<{ summary: typeof getAuthorshipSummary; trend: typeof getAuthorshipTrend }>;
export type Summary = Extract<Answers['summary'], { ok: true }>['data'];
type Trend = Extract<Answers['trend'], { ok: true }>['data'];
type ClassRow = Summary['classes'][number];

/** The answer in one sentence, with what no mark means beside it. */
export function AuthorshipSentence({ data, trend }: { data: Summary; trend: Trend | null }) {
  return (
    <>
      <Sentence data={data} trend={trend} />
      <Notice title="Lower bound.">{data.note}</Notice>
    </>
  );
}

function Sentence({ data, trend }: { data: Summary; trend: Trend | null }) {
  const of = (key: ClassRow['class']) => data.classes.find((one) => one.class === key)?.prs ?? null;
  const [authored, assisted, unmarked, unread] = [
    of('agent_authored'),
    of('ai_assisted'),
    of('unmarked'),
    of('unread'),
  ];
  const when = `from ${monthText(data.window.from)} to ${monthText(data.window.to)}`;
  if (data.coverage.read === 0)
    return <Empty cause="No pull request was read for marks yet. They are read every night at 04:47 UTC." />;
  if (authored === null || assisted === null || (authored + assisted === 0 && unmarked === null))
    return (
      <p className="answer">
        How many pull requests {when} carried a mark is hidden: too few, or of too few people. A window of months that
        each have more may be shown.
      </p>
    );
  const total = authored + assisted + (unmarked ?? 0) + (unread ?? 0);
  if (authored + assisted === 0)
    return (
      <Empty
        cause={`No marks found in ${count(unmarked ?? 0, 'pull request')}. Looked for: accounts, commit authors and co-authors, labels, trailers, and branches with a second sign.`}
      />
    );
  if (unmarked === null || unread === null)
    return (
      <p className="answer">
        {count(authored + assisted, 'pull request')} {when} carried a mark of an AI agent.
      </p>
    );
  const share = Math.floor((100 * (authored + assisted)) / total);
  return (
    <p className="answer">
      <strong>At least {quantity(share, 'percent')}</strong> of pull requests {when} carried a mark of an AI agent
      {trend ? <Change trend={trend} /> : null}.
    </p>
  );
}

/** From the first complete month to the last that are shown; a difference is named where no interval holds both. */
function Change({ trend }: { trend: Trend }) {
  const shown = trend.months.filter(({ partial }) => !partial).flatMap(toMarked);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last || first === last) return null;
  const isUp = last.low > first.high;
  const isDown = last.high < first.low;
  return (
    <>
      : about {quantity(last.share, 'percent')} in {monthText(last.month)},{' '}
      {isUp || isDown
        ? `${isUp ? 'up' : 'down'} from ${quantity(first.share, 'percent')} in ${monthText(first.month)}`
        : `about the same as in ${monthText(first.month)}`}
    </>
  );
}

/** The share of both classes with a mark, between the ends of both intervals. */
function toMarked({ month, shares, interval }: Trend['months'][number]) {
  const [authored, assisted] = [interval.agent_authored, interval.ai_assisted];
  if (shares.agent_authored === null || shares.ai_assisted === null || !authored || !assisted) return [];
  const share = shares.agent_authored + shares.ai_assisted;
  return [{ month, share, low: authored.low + assisted.low, high: authored.high + assisted.high }];
}

const hidden = 'Hidden: too few pull requests or people.';

const columns: readonly Column<ClassRow>[] = [
  { key: 'label', label: 'Class', value: ({ label }) => label, heading: true },
  { key: 'prs', label: 'Pull requests', value: ({ prs }) => prs, unit: 'count', reason: hidden, numeric: true },
  { key: 'share', label: 'Share', value: ({ share_pct }) => share_pct, unit: 'percent', reason: hidden, numeric: true },
  {
    key: 'interval',
    label: '95 % interval',
    value: ({ share_interval }) => (share_interval ? `${share_interval.low}–${share_interval.high} %` : null),
    reason: hidden,
    numeric: true,
  },
];

/** One row a class, and of agent-authored ones the agents. */
export function AuthorshipClasses({ data, csvHref }: { data: Summary; csvHref: string }) {
  const { with_branch_only_pct: withBranch, records_only_pct: records } = data.sensitivity;
  return (
    <>
      <DataTable
        caption="Classes"
        columns={columns}
        rows={data.classes}
        rowKey={(one) => one.class}
        noun="classes"
        csvHref={csvHref}
      />
      {data.agents.length > 0 ? (
        <div className="screen-only">
          <DataTable
            caption="Agent-authored, by agent"
            columns={[
              { key: 'agent', label: 'Agent', value: ({ agent }) => agent, heading: true },
              {
                key: 'prs',
                label: 'Pull requests',
                value: ({ prs }) => prs,
                unit: 'count',
                reason: hidden,
                numeric: true,
              },
              {
                key: 'share',
                label: 'Share',
                value: (one) => one.share_pct,
                unit: 'percent',
                reason: hidden,
                numeric: true,
              },
            ]}
            rows={data.agents}
            rowKey={({ agent }) => agent}
            noun="agents"
          />
        </div>
      ) : null}
      <p className="source">
        Shares are of pull requests that are no automation; that of automation is of all.
        {records === null ? '' : ` Without labels and branches: ${quantity(records, 'percent')} marked.`}
        {withBranch === null ? '' : ` If branch names alone counted: ${quantity(withBranch, 'percent')}.`}
      </p>
    </>
  );
}

const parts = ['AI-assisted', 'Agent-authored', 'Not read', 'No mark'] as const;

/** Shares by month, one bar each. */
export function AuthorshipTrend({ data, csvHref }: { data: Trend; csvHref: string }) {
  return (
    <>
      <StackedBars
        title="Share of pull requests by class"
        summary="No mark is hatched."
        rowLabel="Month"
        rows={data.months.map(({ month, shares, partial, suppressed }) => ({
          name: monthText(month),
          note: [partial ? 'partial' : '', suppressed ? 'some hidden' : ''].filter(Boolean).join(', ') || undefined,
          values: [shares.ai_assisted, shares.agent_authored, shares.unread, shares.unmarked],
        }))}
        parts={parts}
        hatched="No mark"
        unit="percent"
        zone={data.window.timezone}
      />
      {data.markers.length === 0 ? null : (
        <ul className="prose">
          {data.markers.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              {dayText(at)}: {text.charAt(0).toLowerCase()}
              {text.slice(1)}.
            </li>
          ))}
        </ul>
      )}
      <p className="source">
        {data.note} <a href={csvHref}>CSV</a>
      </p>
    </>
  );
}

/** `May 2026`. */
const monthText = (month: string) => `${monthNames[Number(month.slice(5)) - 1] ?? ''} ${month.slice(0, 4)}`;
