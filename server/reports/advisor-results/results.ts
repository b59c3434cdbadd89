import type { Context } from '../../access/context.ts';
import { findsNextStep } from '../../advisor/kind.ts';
import { predictedDays } from '../../advisor/replay/band.ts';
import { sum } from '../../advisor/verdict/measured-days.ts';
import type { Verdict, VerdictState } from '../../advisor/verdict/verdict.ts';
import type { Domain } from '../../api/wire.ts';
import { type AdvisorScopeInput, listVisible, scopeOf } from '../advisor/scope.ts';
import { type JudgedChange, readVerdicts, toResult } from './read-verdicts.ts';
import type { Results } from './schema.ts';

export interface ResultsInput extends AdvisorScopeInput {
  state: VerdictState | 'all';
}

/** What came of the merged changes of a repository, or of those of an organization that the caller sees. */
export async function results(input: ResultsInput, context: Context): Promise<Domain<typeof Results>> {
  const { items, partial } = await listVisible(scopeOf(input), context);
  const { shown, hiddenKinds } = await readVerdicts(items, context);
  const listed = shown.filter(({ verdict }) => input.state === 'all' || verdict.state === input.state);
  return {
    rows: listed.map(toResult),
    summary: summarize(shown),
    hiddenKinds,
    partial,
    generatedAt: context.services.clock.now(),
    dataSource: 'database',
  };
}

const decided = new Set<Verdict['state']>(['kept', 'not_kept', 'no_effect', 'lost']);

/** Changes of a workflow that were merged together have one result. */
const onePerMerge = (changes: readonly JudgedChange[]): JudgedChange[] => [
  ...new Map(
    changes.map((one) => [`${one.repositoryId} ${one.change.workflowId} ${one.verdict.startAt}`, one]),
  ).values(),
];

function summarize(changes: readonly JudgedChange[]): Domain<typeof Results>['summary'] {
  const count = (state: Verdict['state']) => changes.filter(({ verdict }) => verdict.state === state).length;
  const judged = onePerMerge(changes.filter(({ verdict }) => decided.has(verdict.state)));
  return {
    merged: changes.length,
    kept: count('kept'),
    notKept: count('not_kept'),
    noEffect: count('no_effect'),
    cannotTell: count('cannot_tell'),
    waiting: count('waiting'),
    lost: count('lost'),
    minutesSavedMeasured: savedBy(onePerMerge(changes.filter(isKept))),
    bandsHit: judged.filter(({ verdict }) => isInBand(verdict)).length,
    bandsJudged: judged.length,
  };
}

/** Of one that was merged again, what came first is gone, except where the later one goes on from it. */
const isKept = ({ change, verdict: { state, withdrawnAt } }: JudgedChange): boolean =>
  state === 'kept' && (withdrawnAt === undefined || findsNextStep(change.kind));

function isInBand({ promised, looks }: Verdict): boolean {
  const measured = looks.at(-1)?.measured ?? null;
  return (
    promised !== null && measured !== null && measured.deltaPct >= promised.low && measured.deltaPct <= promised.high
  );
}

/** Of the minutes that 28 days before came to. */
function savedBy(kept: readonly JudgedChange[]) {
  const saved = kept.flatMap(({ verdict: { baseline, looks } }) => {
    const measured = looks.at(-1)?.measured ?? null;
    if (baseline === null || measured === null) return [];
    const { days, strata } = baseline.before;
    const usual = (sum(strata.flatMap(({ values }) => values)) * predictedDays) / days.length / 100;
    return [{ low: usual * measured.low, mid: usual * measured.deltaPct, high: usual * measured.high }];
  });
  if (saved.length === 0) return null;
  const total = (part: 'low' | 'mid' | 'high') => Math.round(sum(saved.map((one) => one[part])));
  return { low: total('low'), mid: total('mid'), high: total('high') };
}
