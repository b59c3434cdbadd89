import type { Context, Reply } from '../../access/context.ts';
import { offers } from '../../access/decision.ts';
import { feature } from '../../access/rules.ts';
import type { AdvisedItem } from '../../advisor/advise.ts';
import { certainties } from '../../advisor/kind.ts';
import type { TrackedPullRequest } from '../../advisor/opened-pull-requests.ts';
import type { PatchRefusal } from '../../advisor/patch/change.ts';
import type { Domain } from '../../api/wire.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { toShortVerdict } from '../advisor-results/short.ts';
import { skippedFiles } from './gather.ts';
import { type Around, toItem } from './item.ts';
import { toTotal } from './plan-total.ts';
import { type Advice, readAdvice } from './reading.ts';
import type { RecommendationDetail, Recommendations } from './schema.ts';

type Answer = Domain<typeof Recommendations>;

export interface AdviceInput extends RepositoryName {
  days?: number | undefined;
  workflow?: string | undefined;
  kind?: string | undefined;
  /** `all` lists those that are dismissed, too. */
  state?: 'open' | 'all' | undefined;
}

const securityScan = feature('securityScan');
const costAnalytics = feature('costAnalytics');

/** Whether the caller may see findings about security. */
export const seesSecurity = async (context: Context) => offers(securityScan, context, await context.actor());

/** Whether the caller may see what things cost. */
export const showsCost = async (context: Context) => offers(costAnalytics, context, await context.actor());

/** What could be changed in the workflow files of a repository. */
export async function recommendations(input: AdviceInput, context: Context, reply: Reply): Promise<Answer> {
  const advice = await readAdvice(input, { ...(await asShown(context)), total: true }, context, reply);
  const { repository, files, window, total } = advice;
  const mayCost = await showsCost(context);
  const matching = advice.recommendations.filter(
    ({ kind, path }) =>
      (!input.kind || kind.id === input.kind) && (!input.workflow || path.endsWith(`/${input.workflow}`)),
  );
  const around = await readAround(repository, context, mayCost);
  const items = inOrder(matching, mayCost).map((one) => toItem(advice, one, around));
  return {
    repository: {
      owner: repository.owner,
      repo: repository.repo,
      defaultBranch: repository.defaultBranch,
      visibility: repository.visibility,
    },
    files: files.files.length,
    archived: repository.archived,
    skippedFiles: repository.archived ? [] : skippedFiles(files),
    periodDays: advice.days,
    periodShortened: advice.days < (input.days ?? advice.settings.window_days),
    window: window.usable && {
      ...window.usable,
      leftOutDays: window.usable.leftOut,
      attempts: advice.attempts ?? 0,
    },
    history: {
      state: window.usable ? 'ready' : window.attemptsKnown > 0 ? 'reading' : 'absent',
      coveredDays: window.coveredDays,
      attemptsKnown: window.attemptsKnown,
      attemptsExpected: window.attemptsExpected,
    },
    calibration: toCalibration(advice),
    recommendations: items.filter(
      ({ state }) => state !== 'not_offered' && (input.state === 'all' || state !== 'dismissed'),
    ),
    notOffered: items.filter(({ state }) => state === 'not_offered'),
    total: toTotal(total?.saving ?? null, { recommendations: total?.recommendations ?? 0, mayCost }),
    dismissed: items.filter(({ state }) => state === 'dismissed').length,
    costHidden: !mayCost,
    hiddenKinds: advice.hiddenKinds,
    partial: files.partial || files.files.some(({ text }) => text === null),
    generatedAt: files.asOf,
    dataSource: 'mixed',
  };
}

/** One recommendation with the runs it rests on. */
export async function recommendation(
  { id, ...name }: RepositoryName & { id: string },
  context: Context,
  reply: Reply,
): Promise<Domain<typeof RecommendationDetail>> {
  const shown = { ...(await asShown(context)), chosen: [id] };
  const advice = await readAdvice(name, shown, context, reply);
  const found = advice.recommendations.find((one) => one.id === id);
  if (!found) throw new Problem('not_found', 'The workflow files have no such recommendation, or no longer.');
  const mayCost = await showsCost(context);
  const around = await readAround(advice.repository, context, mayCost);
  const [refused] = advice.changes.refused;
  return {
    recommendation: toItem(advice, found, around),
    diff: advice.changes.files[0]?.patch.diff ?? null,
    refused: refused ? withoutDetail(refused.refusal).text : null,
    definition: found.kind.definition,
    method,
    days: found.effect.days.map(({ day, before, after }) => ({ day, before: before.minutes, after: after.minutes })),
    costHidden: !mayCost,
    evidence: {
      runs: found.evidence.map(({ attempt, ...run }) => ({ ...attempt, ...run })),
      truncated: found.isTruncated,
    },
    generatedAt: advice.files.asOf,
    dataSource: 'mixed',
  };
}

/** What is known of the recommendations of a repository beside their findings. */
async function readAround(repository: Repository, context: Context, mayCost: boolean): Promise<Around> {
  const opened = await readOpened(repository, context);
  const { store } = context.services;
  const stored = store === null || context.isDemo ? [] : await store.advisorVerdicts.list([repository.id]);
  const byMerge = stored.toSorted((one, other) => one.verdict.startAt - other.verdict.startAt);
  const verdicts = new Map(byMerge.map((one) => [one.change.id, toShortVerdict(one)]));
  return { opened, verdicts, isDemo: context.isDemo, mayCost };
}

/** Pull requests of a repository, by the id of the recommendation; none in the sample world. */
const readOpened = async ({ id }: Repository, { services, isDemo }: Context) =>
  isDemo ? new Map<string, TrackedPullRequest>() : services.pullRequests.list(id);

const method =
  'The change is applied to the recorded runs and jobs, with their waits, results and re-runs as they were. The range for the next 28 days comes from 2,000 draws of whole weeks of that history: in 80 of 100 cases the reduction lies within, if the next weeks are like those. Costs are list prices at the start of each job; included minutes are not subtracted.';

/** A failed verification may name findings of the scan, which not everybody is shown; the log has them. */
export const withoutDetail = (refusal: PatchRefusal): PatchRefusal =>
  refusal.code === 'not_verified' ? { ...refusal, text: 'The change could not be verified.' } : refusal;

/** Findings about security are of another feature. */
export const asShown = async (context: Context) => ({ seesSecurity: await seesSecurity(context) });

/** Those that save most first, by cost where it is shown, then by certainty; security, which saves nothing, last. */
function inOrder(all: readonly AdvisedItem[], mayCost: boolean): AdvisedItem[] {
  const cost = ({ effect }: AdvisedItem) => (mayCost ? (effect.next?.costSaved?.low ?? 0) : 0);
  const minutes = ({ effect }: AdvisedItem) => effect.next?.minutesSaved.low ?? 0;
  const certainty = (one: AdvisedItem) => certainties.indexOf(one.certainty);
  return all.toSorted(
    (one, other) =>
      Number(one.kind.certainty === 'risk') - Number(other.kind.certainty === 'risk') ||
      cost(other) - cost(one) ||
      minutes(other) - minutes(one) ||
      certainty(one) - certainty(other) ||
      one.id.localeCompare(other.id),
  );
}

function toCalibration({ calibration }: Advice): Answer['calibration'] {
  if (calibration === null)
    return { state: 'none', minutesRecorded: null, minutesReplayed: null, queueModel: null, failures: [] };
  const { state, minutesRecorded, minutesReplayed, failures } = calibration;
  return {
    state,
    minutesRecorded,
    minutesReplayed,
    queueModel: 'recorded',
    failures: failures.map(({ attempt, recorded, replayed }) => ({
      runId: attempt.runId,
      attempt: attempt.attempt,
      recorded,
      replayed,
    })),
  };
}
