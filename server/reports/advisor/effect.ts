import { z } from 'zod';
import type { AdvisedItem, PlainEffect } from '../../advisor/advise.ts';
import { predictionReasonTexts } from '../../advisor/reasons.ts';
import type { Band as BandOf } from '../../advisor/replay/band.ts';
import type { Domain } from '../../api/wire.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { instant } from '../kernel/instants.ts';

const predictionReasons = Object.keys(predictionReasonTexts) as [
  keyof typeof predictionReasonTexts,
  ...(keyof typeof predictionReasonTexts)[],
];

/** Why nothing is predicted. */
export const predictionReason = z.object({ code: z.enum(predictionReasons), text: z.string() });

/** Where a figure of the next 28 days lies in 80 of 100 cases. */
export const Band = z
  .object({
    low: z.number(),
    mid: z.number(),
    high: z.number(),
    level: z.literal(80).meta({ description: 'Percent of cases in which the figure lies within.' }),
  })
  .meta({ id: 'AdvisorBand' });

/** What a recommendation would have done, and what is to be expected of it; contract of the advisor, section 6.2. */
export const Effect = z
  .object({
    predicted: z.boolean(),
    reason: predictionReason
      .nullable()
      .meta({ description: 'Why nothing is predicted; null where something is, and for security.' }),
    history: z
      .object({
        from: instant,
        to: instant.meta({ description: 'Start of the last day.' }),
        minutes_before: z.int().meta({ description: 'Billable minutes of the workflow as recorded.' }),
        minutes_after: z.int().meta({ description: 'The same with the change.' }),
        reduction_pct: z.number().nullable().meta({ description: 'null where no minutes were recorded.' }),
        cost_before: z.number().nullable().meta({
          description:
            'USD at list prices, included minutes not subtracted; null where less than 95 % of the minutes have a known price, and without the feature costAnalytics.',
        }),
        cost_after: z.number().nullable(),
        wall_p50_before_s: z.int().nullable().meta({
          description:
            'Seconds from the start of attempts to the end of their last job; null where no change is predicted.',
        }),
        wall_p50_after_s: z.int().nullable(),
        wall_p90_before_s: z.int().nullable(),
        wall_p90_after_s: z.int().nullable(),
      })
      .nullable()
      .meta({ description: 'Over the recorded days: exact, without an interval.' }),
    next_28_days: z
      .object({
        from: instant.meta({
          description:
            'Start of the days they rest on: since the last lasting change of minutes per unit of demand; of another runner, since the job ran on its present one alone.',
        }),
        saves: z.enum(['minutes', 'wall_time', 'cost']).meta({
          description:
            'What the change makes less of. Of wall_time the minutes may rise; of cost runs may also end later, and take other minutes on another runner.',
        }),
        minutes_saved: Band,
        reduction_pct: Band,
        cost_saved: Band.nullable(),
        wall_p50_change_s: Band.nullable().meta({
          description: 'Seconds that runs take more at the median, negative is less; null where that is not predicted.',
        }),
        wall_p90_change_s: Band.nullable(),
        minutes_added: Band.nullable().meta({
          description: 'Of a change that lets runs end earlier for more minutes.',
        }),
      })
      .nullable()
      .meta({ description: '80 % bands; null where nothing is predicted.' }),
    ceiling: z
      .object({ measure: z.string(), value: z.number(), unit: z.literal('s') })
      .nullable()
      .meta({ description: 'Of an unknown effect: the change saves no more than this.' }),
    units_of_demand: z.int().nullable().meta({ description: 'How often what it is measured per occurred.' }),
    unit_label: z.string().nullable(),
    unpriced_skus: z.array(z.string()).meta({ description: 'Labels of runners whose price is not known.' }),
    drifting: z.boolean().meta({
      description: 'Whether the reduction of a week tells that of the next, so that the bands are too narrow.',
    }),
  })
  .meta({ id: 'AdvisorEffect' });

/** The effect of one recommendation as answers have it; of security no number is meant, so that none is missing. */
export function toEffectItem({ kind, effect, ceiling }: AdvisedItem, mayCost: boolean): Domain<typeof Effect> {
  const item = toEffect(effect, mayCost);
  return {
    ...item,
    reason: kind.certainty === 'risk' ? null : item.reason,
    ceiling: effect.reason === 'nothing_to_compare' ? (ceiling ?? null) : null,
  };
}

/** An effect as answers have it: percent with one decimal, whole minutes, cents. */
export function toEffect(effect: PlainEffect, mayCost: boolean): Domain<typeof Effect> {
  const { reason, demand, drifting } = effect;
  return {
    predicted: reason === null,
    reason: reason === null ? null : { code: reason, text: predictionReasonTexts[reason] },
    history: toHistory(effect, mayCost),
    next28Days: toNextDays(effect, mayCost),
    ceiling: null,
    unitsOfDemand: demand?.units ?? null,
    unitLabel: demand?.label ?? null,
    unpricedSkus: effect.history?.unpriced ?? [],
    drifting,
  };
}

function toHistory({ history, wall }: PlainEffect, mayCost: boolean) {
  if (history === null) return null;
  const cost = (usd: number | null) => (usd === null || !mayCost ? null : roundTo(usd, 2));
  return {
    from: history.from,
    to: history.to,
    minutesBefore: history.minutesBefore,
    minutesAfter: history.minutesAfter,
    reductionPct: history.reductionPct === null ? null : roundTo(history.reductionPct, 1),
    costBefore: cost(history.costBefore),
    costAfter: cost(history.costAfter),
    wallP50BeforeS: seconds(wall?.history.p50Before),
    wallP50AfterS: seconds(wall?.history.p50After),
    wallP90BeforeS: seconds(wall?.history.p90Before),
    wallP90AfterS: seconds(wall?.history.p90After),
  };
}

const seconds = (value: number | undefined) => (value === undefined ? null : Math.round(value));

function toNextDays({ next, saves, wall }: PlainEffect, mayCost: boolean) {
  if (next === null) return null;
  // What lets runs end earlier promises no saving.
  const saved = (band: BandOf) => (saves === 'wall time' ? noneSaved(band) : band);
  return {
    from: next.from,
    saves: saves === 'wall time' ? ('wall_time' as const) : saves,
    minutesSaved: roundBand(saved(next.minutesSaved), 0),
    reductionPct: roundBand(saved(next.reductionPct), 1),
    costSaved: next.costSaved === null || !mayCost ? null : roundBand(saved(next.costSaved), 2),
    wallP50ChangeS: wall?.next.p50 ? roundBand(wall.next.p50, 0) : null,
    wallP90ChangeS: wall?.next.p90 ? roundBand(wall.next.p90, 0) : null,
    minutesAdded: saves !== 'wall time' ? null : roundBand(negated(saved(next.minutesSaved)), 0),
  };
}

const noneSaved = ({ low, mid, high }: BandOf): BandOf => ({
  low: Math.min(0, low),
  mid: Math.min(0, mid),
  high: Math.min(0, high),
});

const negated = ({ low, mid, high }: BandOf): BandOf => ({ low: 0 - high, mid: 0 - mid, high: 0 - low });

/** A band as answers have it. Ends are rounded outward, so that the range that is shown holds the one that was computed. */
export const roundBand = ({ low, mid, high }: BandOf, digits: number) => ({
  low: Math.floor(roundTo(low * 10 ** digits, 6)) / 10 ** digits,
  mid: roundFigure(mid, digits),
  high: Math.ceil(roundTo(high * 10 ** digits, 6)) / 10 ** digits,
  level: 80 as const,
});

/** Halves are rounded alike, however they were computed. */
export const roundFigure = (value: number, digits: number): number => roundTo(roundTo(value, 6), digits);
