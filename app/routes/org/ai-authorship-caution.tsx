import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { type Comparison, Value } from './ai-authorship-comparison.tsx';

const classNames: Readonly<Record<Comparison['raw'][number]['class'], string>> = {
  agent_authored: 'Agent-authored',
  ai_assisted: 'AI-assisted',
  unmarked: 'No mark',
};

/** What a difference has to withstand before it is shown, and how the sides differ without matching. */
export function AuthorshipCaution({ data }: { data: Comparison }) {
  const { balance, placebo, excluded } = data;
  if (data.outcomes.length === 0) return null;
  const known = new Map(data.outcomes.map((one) => [one.key, one]));
  return (
    <details>
      <summary>Why so cautious</summary>
      <ul className="prose">
        <li>
          Plain averages of both sides differ by where agents are used, not by what they do. A difference is claimed
          only where matched pull requests, three methods and two placebos agree on it.
        </li>
        {data.matched_share_pct === null ? null : (
          <li>{quantity(data.matched_share_pct, 'percent')} of marked pull requests found one that is like them.</li>
        )}
        {placebo.p1_claims_pct === null ? null : (
          <li>
            Where marks are dealt at random, {quantity(placebo.p1_claims_pct, 'percent')} of 200 repeats claim a
            difference; beyond 2 % nothing is claimed.
          </li>
        )}
        <li>{contextTexts[placebo.p2]}</li>
        <li>
          Small samples show little: in simulated organizations, 15 points fewer merges were found in one of six with
          some 170 matched pull requests, in half of those with 380, and in seven of ten with 980. No difference shown
          does not mean that there is none.
        </li>
        {data.class === 'agent_authored' ? <li>The experience of authors cannot be matched for agents.</li> : null}
        {excluded.map(({ reason, prs }) => (
          <li key={reason}>
            {exclusionTexts[reason]}: {prs === null ? 'few' : count(prs, 'pull request')} not compared.
          </li>
        ))}
      </ul>
      {balance.length === 0 && data.raw.length === 0 ? (
        <p>How well both sides match, and plain averages, are hidden: those without a match are few.</p>
      ) : null}
      {balance.length === 0 ? null : (
        <DataTable
          caption="Differences of both sides, in standard deviations; at most 0.1 is even"
          columns={[
            { key: 'covariate', label: 'Of', value: ({ covariate }) => covariate, heading: true },
            { key: 'before', label: 'Before matching', cell: ({ before }) => deviation(before), numeric: true },
            { key: 'after', label: 'After matching', cell: ({ after }) => deviation(after), numeric: true },
            { key: 'ok', label: 'Even', value: ({ ok }) => (ok ? 'yes' : 'no') },
          ]}
          rows={balance}
          rowKey={({ covariate }) => covariate}
          noun="differences"
        />
      )}
      {data.raw.length === 0 ? null : (
        <DataTable
          caption="All pull requests. Not comparable: groups differ in repository, size and kind of work"
          columns={[
            { key: 'key', label: 'Outcome', value: ({ key }) => known.get(key)?.label ?? key, heading: true },
            { key: 'class', label: 'Class', value: ({ class: own }) => classNames[own] },
            {
              key: 'value',
              label: 'Average',
              cell: (one) => <Value side={one} unit={known.get(one.key)?.unit ?? 'rounds'} />,
              numeric: true,
            },
          ]}
          rows={data.raw}
          rowKey={({ class: own, key }) => `${own} ${key}`}
          noun="averages"
        />
      )}
    </details>
  );
}

const deviation = (value: number | null) =>
  value === null ? <Unknown reason="One side has no pull requests." /> : figures(value, 2);

const contextTexts: Readonly<Record<Comparison['placebo']['p2'], string>> = {
  pass: 'Pull requests opened before the marked ones waited as long for a review as those opened before the others.',
  fail: 'Pull requests opened before the marked ones waited for a review otherwise than those opened before the others: both sides met other circumstances, and nothing is claimed.',
  not_run: 'Whether both sides met the same circumstances could not be looked at.',
};

const exclusionTexts: Readonly<Record<Comparison['excluded'][number]['reason'], string>> = {
  automation: 'Automation',
  unread: 'Not read for marks',
  not_stored: 'Not stored',
  other_base: 'Not into the default branch',
  draft: 'Drafts',
  too_recent: 'Ready for review too late to be followed',
};
