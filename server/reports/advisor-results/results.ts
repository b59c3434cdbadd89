import type { Context } from '../../access/context.ts';
import { predictedDays } from '../../advisor/replay/band.ts';
import { sum } from '../../advisor/verdict/measured-days.ts';
import type { Verdict, VerdictState } from '../../advisor/verdict/verdict.ts';
import type { Domain } from '../../api/wire.ts';
import { type AdvisorScopeInput, listVisible, scopeOf } from '../advisor/scope.ts';
import { readVerdicts, toResult } from './read-verdicts.ts';
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
    summary: summarize(shown.map(({ verdict }) => verdict)),
    hiddenKinds,
    partial,
    generatedAt: context.services.clock.now(),
    dataSource: 'database',
  };
}

const decided = new Set<Verdict['state']>(['kept', 'not_kept', 'no_effect', 'lost']);

function summarize(verdicts: readonly Verdict[]): Domain<typeof Results>['summary'] {
  const count = (state: Verdict['state']) => verdicts.filter((one) => one.state === state).length;
  const judged = verdicts.filter(({ state }) => decided.has(state));
  return {
    merged: verdicts.length,
    kept: count('kept'),
    notKept: count('not_kept'),
    noEffect: count('no_effect'),
    cannotTell: count('cannot_tell'),
    waiting: count('waiting'),
    lost: count('lost'),
    minutesSavedMeasured: savedBy(verdicts.filter(({ state }) => state === 'kept')),
    bandsHit: judged.filter(isInBand).length,
    bandsJudged: judged.length,
  };
}

function isInBand({ promised, looks }: Verdict): boolean {
  const measured = looks.at(-1)?.measured ?? null;
  return (
    promised !== null && measured !== null && measured.deltaPct >= promised.low && measured.deltaPct <= promised.high
  );
}

/** Of the minutes that 28 days before came to. */
function savedBy(kept: readonly Verdict[]) {
  const saved = kept.flatMap(({ baseline, looks }) => {
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
