import type { Context } from '../../access/context.ts';
import { offers } from '../../access/decision.ts';
import { feature } from '../../access/rules.ts';
import { predictedDays } from '../../advisor/replay/band.ts';
import { countUnits, endOf, type MeasuredDays, sum, valuePerUnit } from '../../advisor/verdict/measured-days.ts';
import { unitLabels } from '../../advisor/verdict/measures.ts';
import type { ProposedChange } from '../../advisor/verdict/proposed.ts';
import { verdictReasonTexts, verdictSentence } from '../../advisor/verdict/sentence.ts';
import { afterFrom, type Verdict } from '../../advisor/verdict/verdict.ts';
import type { Domain } from '../../api/wire.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { Problem } from '../../platform/problem.ts';
import type { StoredVerdict } from '../../store/advisor-verdicts.ts';
import { roundBand } from '../advisor/effect.ts';
import { runsOf } from './runs.ts';
import type { Results, VerdictDetail } from './schema.ts';

const securityScan = feature('securityScan');

/** What came of the merged changes of a repository. */
export async function results(name: RepositoryName, context: Context): Promise<Domain<typeof Results>> {
  const { repository, shown, hiddenKinds } = await readVerdicts(name, context);
  return {
    rows: shown.map((one) => toResult(one, repository)),
    summary: summarize(shown.map(({ verdict }) => verdict)),
    hiddenKinds,
    generatedAt: context.services.clock.now(),
    dataSource: 'database',
  };
}

/** How one merged change was judged. */
export async function verdictDetail(
  { id, ...name }: RepositoryName & { id: string },
  context: Context,
): Promise<Domain<typeof VerdictDetail>> {
  const { repository, shown } = await readVerdicts(name, context);
  const found = shown.find(({ change }) => change.id === id);
  if (!found) throw new Problem('not_found', 'No merged change of this recommendation is known.');
  const { verdict, pullRequest } = found;
  const { baseline, strata, looks, drift, lostSince } = verdict;
  return {
    verdict: {
      ...toResult(found, repository),
      mergeCommit: pullRequest.mergeCommit,
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

/** Those that the caller may see: findings about security are of another feature. The sample world has none. */
async function readVerdicts(name: RepositoryName, context: Context) {
  const repository = await (await context.codehost()).repositories.get(name);
  const all = context.isDemo ? [] : await context.store.advisorVerdicts.list(repository.id);
  const mayScan = await offers(securityScan, context, await context.actor());
  const isHidden = ({ change }: StoredVerdict) => !mayScan && isSecurity(change);
  const hiddenKinds = [...new Set(all.filter(isHidden).map(({ change }) => change.kind))];
  return { repository, shown: all.filter((one) => !isHidden(one)), hiddenKinds };
}

const isSecurity = ({ kind }: ProposedChange) => kind.startsWith('ADV-2');

function toResult({ change, verdict, pullRequest }: StoredVerdict, { owner, repo }: Repository) {
  const { id, kind, title, path: workflowPath, promised } = change;
  const { number, htmlUrl } = pullRequest;
  const measured = verdict.looks.at(-1)?.measured ?? null;
  return {
    owner,
    repo,
    id,
    kind,
    title,
    workflowPath,
    pullRequest: { number, htmlUrl },
    mergedAt: verdict.startAt,
    promise: promised && roundBand(promised, 1),
    measured: measured && {
      low: roundTo(measured.low, 1),
      mid: roundTo(measured.deltaPct, 1),
      high: roundTo(measured.high, 1),
      level: 98 as const,
    },
    state: verdict.state,
    nextLook: verdict.nextLook,
    reason: verdict.reason && { code: verdict.reason, text: verdictReasonTexts[verdict.reason] },
    sentence: verdictSentence(verdict),
    href: `/repos/${owner}/${repo}/advisor/${id}`,
  };
}

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
