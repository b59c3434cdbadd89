import type { Context } from '../../access/context.ts';
import { countUnits, endOf, type MeasuredDays, sum, valuePerUnit } from '../../advisor/verdict/measured-days.ts';
import { unitLabels } from '../../advisor/verdict/measures.ts';
import { afterFrom, type Verdict } from '../../advisor/verdict/verdict.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { Problem } from '../../platform/problem.ts';
import { readVerdicts, toResult } from './read-verdicts.ts';
import { runsOf } from './runs.ts';
import type { VerdictDetail } from './schema.ts';

/** How one merged change was judged. */
export async function verdictDetail(
  { id, ...name }: RepositoryName & { id: string },
  context: Context,
): Promise<Domain<typeof VerdictDetail>> {
  const repository = await (await context.codehost()).repositories.get(name);
  const { shown } = await readVerdicts([repository], context);
  const found = shown.find(({ change }) => change.id === id);
  if (!found) throw new Problem('not_found', 'No merged change of this recommendation is known.');
  const { verdict, commit } = found;
  const { baseline, strata, looks, weeks, drift, lostSince } = verdict;
  return {
    verdict: {
      ...toResult(found),
      mergeCommit: commit,
      unitLabel: baseline ? unitLabels[baseline.measure.per].many : null,
      before: baseline && sideBefore(baseline.before),
      after: sideAfter(verdict),
      strata: strata.map((one) => ({
        ...one,
        weightPct: roundTo(one.weightPct, 1),
        before: roundTo(one.before, 2),
        after: roundTo(one.after, 2),
      })),
      looks: looks.map(({ day, at, units, measured, outcome }) => ({
        day,
        at,
        units,
        deltaPct: rounded(measured?.deltaPct),
        low: rounded(measured?.low),
        high: rounded(measured?.high),
        low90: rounded(measured?.low90),
        high90: rounded(measured?.high90),
        outcome,
      })),
      weeks: weeks.map(({ at, measured }) => ({
        at,
        units: measured?.units ?? null,
        deltaPct: rounded(measured?.deltaPct),
        low: rounded(measured?.low),
        high: rounded(measured?.high),
      })),
      drift: drift && {
        measure: baseline?.control ? unitLabels[baseline.control.measure.per].many : '',
        deltaPct: roundTo(drift.estimate.deltaPct, 1),
        low: roundTo(drift.estimate.low, 1),
        high: roundTo(drift.estimate.high, 1),
        flagged: drift.isFlagged,
        since: drift.since,
      },
      lostSince,
    },
    ...(await runsOf(repository, verdict, context)),
    generatedAt: context.services.clock.now(),
    dataSource: 'database',
  };
}

const rounded = (value: number | undefined): number | null => (value === undefined ? null : roundTo(value, 1));

const sideBefore = (before: MeasuredDays) => ({
  from: before.days[0] ?? 0,
  to: endOf(before),
  units: countUnits(before),
  value: minutesPerUnit(before),
});

const minutesPerUnit = (measured: MeasuredDays): number | null => {
  const value = valuePerUnit(measured);
  return value === null ? null : roundTo(value, 2);
};

function sideAfter({ startAt, looks, strata }: Verdict) {
  const last = looks.findLast(({ measured }) => measured !== null);
  if (!last) return null;
  const units = sum(strata.map(({ unitsAfter }) => unitsAfter));
  const minutes = sum(strata.map(({ unitsAfter, after }) => unitsAfter * after));
  return { from: afterFrom(startAt), to: last.at, units: last.units, value: roundTo(minutes / units, 2) };
}
