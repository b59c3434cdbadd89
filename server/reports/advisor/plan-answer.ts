import type { JudgedPlan, JudgedRow } from '../../advisor/judge.ts';
import { certainties } from '../../advisor/kind.ts';
import { titleOf } from '../../advisor/kinds.ts';
import type { TrackedPullRequest } from '../../advisor/opened-pull-requests.ts';
import { type CountedRepository, totalOf } from '../../advisor/organization-total.ts';
import { type PredictionReason, predictionReasonTexts } from '../../advisor/reasons.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { roundBand, roundFigure } from './effect.ts';
import { progressOf } from './item.ts';
import { countFacets, matchesFilter, type PlanFilter } from './plan-filter.ts';
import type { Plan } from './plan-schema.ts';
import { toTotal } from './plan-total.ts';

type Answer = Domain<typeof Plan>;

/** A repository that the caller sees, with what its open recommendations come to, or why that is not known. */
export interface PlannedRepository extends RepositoryName {
  /** The platform's. */
  id: number;
  plan: JudgedPlan | PredictionReason;
  /** When it was judged; null where it was not. */
  judgedAt: Instant | null;
  /** Pull requests that were opened from here, by the id of the recommendation. */
  opened: ReadonlyMap<string, TrackedPullRequest>;
}

export interface PlanTerms extends PlanFilter {
  /** Rows of a page. */
  limit: number;
  /** From 1 on. */
  page: number;
  mayCost: boolean;
  seesSecurity: boolean;
}

type PlanAnswer = Pick<
  Answer,
  'repositories' | 'total' | 'facets' | 'rows' | 'rowsTotal' | 'securityRows' | 'skipped' | 'costHidden' | 'hiddenKinds'
>;

/** What the recommendations of repositories come to together, with what each adds in its own. */
export function toPlanAnswer(planned: readonly PlannedRepository[], terms: PlanTerms): PlanAnswer {
  const { limit, page, mayCost, seesSecurity } = terms;
  const all = planned.flatMap(rowsOf).toSorted(bySaving);
  const offered = all.filter(({ row }) => seesSecurity || row.certainty !== 'risk');
  const shown = offered.filter((one) => matchesFilter(one, terms));
  const reasons = planned.map(reasonOf);
  const count = (reason: PredictionReason | null) => reasons.filter((one) => one === reason).length;
  const counted = all.filter(({ row }) => row.marginal !== null).length;
  return {
    repositories: {
      seen: planned.length,
      judged: count(null),
      withoutHistory: count('history_absent'),
      failedCalibration: count('minutes_not_reproduced'),
    },
    total: toTotal(totalOf(planned.flatMap(toCounted)), { recommendations: counted, mayCost }),
    facets: countFacets(offered, terms),
    rows: shown.slice((page - 1) * limit, page * limit).map((one) => toItem(one, mayCost)),
    rowsTotal: shown.length,
    securityRows: shown.filter(({ row }) => row.certainty === 'risk').length,
    skipped: planned.flatMap((one) => toSkipped(one)),
    costHidden: !mayCost,
    hiddenKinds: seesSecurity
      ? []
      : [...new Set(all.filter((one) => !offered.includes(one)).map(({ row }) => row.kind))],
  };
}

interface PlannedRow extends RepositoryName {
  kind: string;
  row: JudgedRow;
  state: Answer['rows'][number]['state'];
  marginal: Answer['rows'][number]['marginal'];
}

const planOf = ({ plan }: PlannedRepository): JudgedPlan | null => (typeof plan === 'string' ? null : plan);

const reasonOf = ({ plan }: PlannedRepository): PredictionReason | null =>
  typeof plan === 'string' ? plan : plan.reason;

/** The repositories of which a prediction is made. */
function toCounted(planned: PlannedRepository): CountedRepository[] {
  const plan = planOf(planned);
  return plan === null || plan.days.length === 0 ? [] : [{ id: planned.id, total: plan.total, days: plan.days }];
}

/** Marginals are rounded as running sums are, so that they add up to the rounded total of the repository. */
function rowsOf(planned: PlannedRepository): PlannedRow[] {
  const { owner, repo, opened, judgedAt } = planned;
  const plan = planOf(planned);
  if (plan === null) return [];
  const minutes = roundRunning(
    plan.rows.map(({ marginal }) => marginal?.minutes ?? 0),
    0,
  );
  const cost = roundRunning(
    plan.rows.map(({ marginal }) => marginal?.cost ?? 0),
    2,
  );
  const hasCost = plan.total !== null && plan.total.next.costSaved !== null;
  return plan.rows.map((row, index) => ({
    owner,
    repo,
    kind: row.kind,
    row,
    state: progressOf(opened.get(row.id) ?? null, judgedAt),
    marginal: row.marginal && {
      minutesSaved: minutes[index] ?? 0,
      costSaved: hasCost ? (cost[index] ?? 0) : null,
    },
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

/** Those with a part in the total first, the largest saving before the others, which is the order within a repository. */
const bySaving = (one: PlannedRow, other: PlannedRow): number =>
  Number(one.marginal === null) - Number(other.marginal === null) ||
  Number(one.row.certainty === 'risk') - Number(other.row.certainty === 'risk') ||
  midOf(other) - midOf(one) ||
  certainties.indexOf(one.row.certainty) - certainties.indexOf(other.row.certainty) ||
  one.row.id.localeCompare(other.row.id);

const midOf = ({ row }: PlannedRow): number => row.alone?.minutesSaved.mid ?? 0;

function toItem({ owner, repo, row, state, marginal }: PlannedRow, mayCost: boolean): Answer['rows'][number] {
  const { id, workflowPath, anchor, kind, certainty, alone, shortensRuns = false, saves } = row;
  return {
    owner,
    repo,
    id,
    workflowPath,
    anchor,
    kind,
    title: titleOf(kind),
    certainty,
    alone: alone && {
      minutesSaved: roundBand(alone.minutesSaved, 0),
      costSaved: alone.costSaved === null || !mayCost ? null : roundBand(alone.costSaved, 2),
    },
    shortensRuns,
    costsLess: saves === 'cost',
    marginal: marginal && { ...marginal, costSaved: mayCost ? marginal.costSaved : null },
    state,
    href: `/repos/${owner}/${repo}/advisor/${id}`,
  };
}

function toSkipped(planned: PlannedRepository): Answer['skipped'] {
  const code = reasonOf(planned);
  if (code === null) return [];
  return [{ repo: `${planned.owner}/${planned.repo}`, reason: { code, text: predictionReasonTexts[code] } }];
}
