import { count, duration, figures, formatFewer, quantity } from '../../../../server/domain/quantity.ts';
import { Bars } from '../../../charts/bars.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Notice } from '../../../components/notice.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { Section } from '../../../components/panel.tsx';
import { SharedParamsLink } from '../../../components/shared-params.tsx';
import { explainHref } from '../../links.ts';
import { formatAmounts, formatCeiling, formatOther, formatShare, type PredictedEffect } from './predicted.tsx';

interface Effect extends PredictedEffect {
  history: {
    from: string;
    minutes_before: number;
    minutes_after: number;
    reduction_pct: number | null;
    cost_before: number | null;
    cost_after: number | null;
    wall_p50_before_s: number | null;
    wall_p50_after_s: number | null;
    wall_p90_before_s: number | null;
    wall_p90_after_s: number | null;
  } | null;
  units_of_demand: number | null;
  unit_label: string | null;
  unpriced_skus: readonly string[];
  drifting: boolean;
}

interface PredictionProps {
  effect: Effect;
  days: readonly { day: string; before: number; after: number }[];
  method: string;
  params: Record<'owner' | 'repo' | 'id', string>;
}

/** What the change would have saved in the recorded days, and what is to be expected of it. */
export function Prediction({ effect, days, method, params }: PredictionProps) {
  const { reason, history, next_28_days: next, ceiling } = effect;
  const { base } = usePageContext();
  return (
    <Section title="Prediction">
      {next === null ? (
        <Notice title="Not predicted.">
          {reason?.text} {ceiling === null ? null : formatCeiling(ceiling)}
        </Notice>
      ) : (
        <NextDays next={next} effect={effect} />
      )}
      {history === null ? null : (
        <>
          <Facts facts={listFacts(effect, history, explainHref(base, { metric: 'advisor_reduction', ...params }))} />
          <Days days={days} />
        </>
      )}
      {history === null ? null : (
        <details>
          <summary>How this is computed</summary>
          <p>{method}</p>
        </details>
      )}
    </Section>
  );
}

function NextDays({ next, effect }: { next: NonNullable<Effect['next_28_days']>; effect: Effect }) {
  return (
    <>
      <p>
        <strong>{formatOther(next) ?? formatShare(next)}</strong> in the next 28 days (80 % range)
        {next.saves === 'minutes' ? `: ${formatAmounts(next)}` : ''}.
      </p>
      {effect.history && next.from > effect.history.from ? (
        <p className="source">
          From the days since <Moment at={next.from} as="date" />, after a lasting change.
        </p>
      ) : null}
      {effect.drifting ? (
        <p className="source">The share saved has been changing from week to week: the range may be too narrow.</p>
      ) : null}
      {effect.unpriced_skus.length > 0 ? (
        <p className="source">Without a known price: {effect.unpriced_skus.join('; ')}.</p>
      ) : null}
    </>
  );
}

function listFacts(
  { units_of_demand: units, unit_label: label }: Effect,
  history: NonNullable<Effect['history']>,
  evidenceHref: string,
) {
  const {
    minutes_before: before,
    minutes_after: after,
    reduction_pct: reduction,
    cost_before: cost,
    cost_after: costAfter,
  } = history;
  const runTimes = [
    { label: 'Run, median', recorded: history.wall_p50_before_s, changed: history.wall_p50_after_s },
    { label: 'Run, p90', recorded: history.wall_p90_before_s, changed: history.wall_p90_after_s },
  ];
  return [
    { label: 'Recorded days', value: count(before, 'minute') },
    {
      label: 'With the change',
      value:
        reduction === null ? (
          count(after, 'minute')
        ) : (
          <>
            {count(after, 'minute')}, <SharedParamsLink href={evidenceHref}>{formatFewer(reduction)}</SharedParamsLink>
          </>
        ),
    },
    ...runTimes.flatMap(({ label: name, recorded, changed }) =>
      recorded === null || changed === null
        ? []
        : {
            label: name,
            value: `${duration(1000 * recorded)} recorded, ${duration(1000 * changed)} with the change`,
          },
    ),
    ...(cost === null || costAfter === null || cost === 0
      ? []
      : [
          {
            label: 'Cost at list prices',
            value: `${quantity(cost, 'usd')} recorded, ${quantity(costAfter, 'usd')} with the change`,
          },
        ]),
    ...(units === null || label === null ? [] : [{ label: 'Measured on', value: `${figures(units)} ${label}` }]),
  ];
}

/** A change that saves money or time may take more minutes: then these are what is drawn on top. */
function Days({ days }: Pick<PredictionProps, 'days'>) {
  const sum = (get: (one: PredictionProps['days'][number]) => number) => days.reduce((all, one) => all + get(one), 0);
  const isMore = sum(({ after }) => after) > sum(({ before }) => before);
  return (
    <Bars
      title="Minutes of the workflow by day"
      summary={
        isMore
          ? 'As recorded, and how much the change would have added.'
          : 'As recorded, and how much of it the change would have saved.'
      }
      zone="UTC"
      unit="minutes"
      parts={
        isMore
          ? [
              { label: 'recorded', tone: 'void' },
              { label: 'added', tone: 'warning' },
            ]
          : [
              { label: 'with the change', tone: 'void' },
              { label: 'saved', tone: 'pass' },
            ]
      }
      rows={days.map(({ day, before, after }) => ({
        day: day.slice(0, 10),
        values: isMore ? [before, Math.max(0, after - before)] : [after, Math.max(0, before - after)],
      }))}
    />
  );
}
