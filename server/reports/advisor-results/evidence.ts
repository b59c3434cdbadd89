import type { Context, Reply } from '../../access/context.ts';
import { unitLabels } from '../../advisor/verdict/measures.ts';
import { advisorReduction, type ReductionPart } from '../../advisor/verdict/reduction.ts';
import { utcDayText } from '../../domain/day-text.ts';
import { figures } from '../../domain/quantity.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { whereOn } from '../advisor/in-effect.ts';
import { type Advice, readAdvice } from '../advisor/reading.ts';
import { asShown } from '../advisor/report.ts';
import { type ExplainInput, type Explanation, explainMetric } from '../kernel/evidence.ts';
import { type JudgedChange, readVerdicts } from './read-verdicts.ts';

/** A reduction as it was measured, else as the recorded days come to. */
export const reductionExplanation: Explanation = {
  key: advisorReduction.key,
  feature: 'ciAdvisor',
  needs: ['owner', 'repo', 'id'],
  anyDays: true,
  explain: whereOn(async ({ owner = '', repo = '', id }: ExplainInput, context: Context, reply: Reply) => {
    const merged = await findMerged({ owner, repo }, id, context);
    if (merged !== null) return explainMeasured(merged, context);
    const shown = { ...(await asShown(context)), chosen: [] };
    const advice = await readAdvice({ owner, repo }, shown, context, reply);
    const found = advice.recommendations.find((one) => one.id === id);
    if (!found) throw new Problem('not_found', 'The workflow files have no such recommendation, or no longer.');
    return explainRecorded(found, advice);
  }),
};

/** null where the recommendation was not merged, and without a database. */
async function findMerged(name: RepositoryName, id: string | undefined, context: Context) {
  if (context.services.store === null && !context.isDemo) return null;
  const repository = await (await context.codehost()).repositories.get(name);
  const { shown } = await readVerdicts([repository], context);
  return shown.find(({ change }) => change.id === id) ?? null;
}

const toItem = ({ label, at, minutes, note }: ReductionPart) => ({ label, url: null, at, value: minutes, note });

/** Each group of units by what it adds to the minutes of a unit. */
function explainMeasured({ verdict }: JudgedChange, { services }: Context) {
  const { baseline, looks, strata } = verdict;
  const last = looks.at(-1);
  const per = baseline ? unitLabels[baseline.measure.per].many : '';
  const partsOf = (side: ReductionPart['side'], number: 'unitsBefore' | 'unitsAfter') =>
    strata.map(
      (one): ReductionPart => ({
        label: `${one.label}: ${side === 'before' ? 'before' : 'after'} the merge`,
        at: null,
        side,
        minutes: (one.weightPct * one[side]) / 100,
        note: `${figures(one[number])} ${per} of ${figures(one[side], 2)} min, ${figures(one.weightPct, 1)} % of the mix`,
      }),
    );
  return explainMetric(
    advisorReduction,
    last?.measured ? [...partsOf('before', 'unitsBefore'), ...partsOf('after', 'unitsAfter')] : [],
    {
      window: baseline && { from: baseline.before.days[0] ?? verdict.startAt, to: last?.at ?? verdict.startAt },
      partial: false,
      asOf: services.clock.now(),
      source: 'database',
      item: toItem,
    },
  );
}

/** Each day as recorded, and as it would have been. */
function explainRecorded({ effect }: Advice['recommendations'][number], { window, files }: Advice) {
  const partOf = (day: number, side: ReductionPart['side'], minutes: number | null): ReductionPart => {
    const note = side === 'before' ? 'as recorded' : 'with the change';
    return { label: `${utcDayText(day)}, ${note}`, at: day, side, minutes, note: 'minutes of the workflow' };
  };
  const days = effect.days.flatMap(({ day, before, after }) => [
    partOf(day, 'before', before.minutes),
    partOf(day, 'after', after.minutes),
  ]);
  const leftOut = (window.usable?.leftOut ?? []).map((day) => partOf(day, 'before', null));
  return explainMetric(advisorReduction, days.length === 0 ? [] : [...days, ...leftOut], {
    window: window.usable && { from: window.usable.from, to: window.usable.to },
    partial: false,
    asOf: files.asOf,
    source: 'mixed',
    item: toItem,
  });
}
