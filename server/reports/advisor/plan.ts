import type { Context, Reply } from '../../access/context.ts';
import type { Predicted } from '../../advisor/effects.ts';
import { type Marginal, planRepository } from '../../advisor/plan.ts';
import { predictionReasonTexts } from '../../advisor/reasons.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { readDismissals } from './dismissals.ts';
import { roundBand, roundFigure } from './effect.ts';
import { certaintyOf } from './item.ts';
import type { Plan } from './plan-schema.ts';
import { toTotal } from './plan-total.ts';
import { type Advice, readAdvice } from './reading.ts';
import { hideSecurity, showsCost, usualDays } from './report.ts';

/** What the open recommendations of a repository come to together. */
export async function plan(
  { limit, ...name }: RepositoryName & { limit: number },
  context: Context,
  reply: Reply,
): Promise<Domain<typeof Plan>> {
  const advice = await readAdvice({ ...name, days: usualDays }, context, reply);
  const { repository, files, calibration } = advice;
  const mayCost = await showsCost(context);
  const { shown, hiddenKinds } = await hideSecurity(advice.recommendations, context);
  const open = await openOf(advice, shown, context);
  const { total, rows } = planRepository(open, advice.past);
  const others = open.filter((one) => rows.every(({ recommendation }) => recommendation !== one));
  const hasCost = mayCost && total !== null && total.effect.next?.costSaved !== null;
  const judged = calibration?.state === 'ok';
  return {
    scope: { owner: repository.owner, repo: repository.repo },
    repositories: {
      seen: 1,
      judged: judged ? 1 : 0,
      withoutHistory: calibration === null ? 1 : 0,
      failedCalibration: calibration?.state === 'failed' ? 1 : 0,
    },
    total: toTotal(total, mayCost),
    rows: [
      ...withMarginals(rows, hasCost).map((row) => toRow(advice, row, mayCost)),
      ...others.map((recommendation) => toRow(advice, { recommendation, marginal: null }, mayCost)),
    ].slice(0, limit),
    rowsTotal: open.length,
    skipped: judged ? [] : [skippedItem(advice)],
    costHidden: !mayCost,
    hiddenKinds,
    partial: files.partial || files.files.some(({ text }) => text === null),
    generatedAt: files.asOf,
    dataSource: 'mixed',
  };
}

/** Those that are offered and that nobody dismissed. */
async function openOf({ repository }: Advice, shown: readonly Predicted[], context: Context): Promise<Predicted[]> {
  const dismissals = await readDismissals(repository, context);
  return shown.filter(({ id, reasons }) => reasons.length === 0 && !dismissals.has(id));
}

function skippedItem({ repository, calibration }: Advice) {
  const code = calibration === null ? ('history_absent' as const) : ('minutes_not_reproduced' as const);
  return { repo: `${repository.owner}/${repository.repo}`, reason: { code, text: predictionReasonTexts[code] } };
}

interface Row {
  recommendation: Predicted;
  marginal: { minutesSaved: number; costSaved: number | null } | null;
}

/** Rounded as running sums are, so that the rounded marginals add up to the rounded total. */
function withMarginals(rows: readonly { recommendation: Predicted; marginal: Marginal }[], hasCost: boolean): Row[] {
  const minutes = roundRunning(
    rows.map(({ marginal }) => marginal.minutes),
    0,
  );
  const cost = roundRunning(
    rows.map(({ marginal }) => marginal.cost),
    2,
  );
  return rows.map(({ recommendation }, index) => ({
    recommendation,
    marginal: { minutesSaved: minutes[index] ?? 0, costSaved: hasCost ? (cost[index] ?? 0) : null },
  }));
}

function roundRunning(values: readonly number[], digits: number): number[] {
  let sum = 0;
  return values.map((value) => {
    const before = roundFigure(sum, digits);
    sum += value;
    return roundTo(roundFigure(sum, digits) - before, digits);
  });
}

function toRow({ repository: { owner, repo } }: Advice, { recommendation, marginal }: Row, mayCost: boolean) {
  const { id, kind, effect } = recommendation;
  const { next } = effect;
  return {
    owner,
    repo,
    id,
    kind: kind.id,
    title: kind.title,
    certainty: certaintyOf(recommendation),
    alone: next && {
      minutesSaved: roundBand(next.minutesSaved, 0),
      costSaved: next.costSaved === null || !mayCost ? null : roundBand(next.costSaved, 2),
    },
    marginal,
    state: 'open' as const,
    href: `/repos/${owner}/${repo}/advisor/${id}`,
  };
}
