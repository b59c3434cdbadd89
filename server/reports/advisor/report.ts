import type { Context, Reply } from '../../access/context.ts';
import { offers } from '../../access/decision.ts';
import { feature } from '../../access/rules.ts';
import type { Dismissal } from '../../advisor/dismissal.ts';
import type { EvidenceRun } from '../../advisor/kind.ts';
import { formatPath, type PatchRefusal } from '../../advisor/patch/change.ts';
import { patchRecommendations } from '../../advisor/patch-recommendations.ts';
import { reasonTexts } from '../../advisor/reasons.ts';
import type { Recommendation } from '../../advisor/recommend.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { formatFindingUrl } from '../security-scan/scans.ts';
import { dismissalItem, readDismissals } from './dismissals.ts';
import { type Advice, readAdvice } from './reading.ts';
import type { RecommendationDetail, Recommendations } from './schema.ts';

type Answer = Domain<typeof Recommendations>;

/** Days of history where nothing else is requested, and at most. */
export const usualDays = 90;

export interface AdviceInput extends RepositoryName {
  days: number;
  workflow?: string | undefined;
  kind?: string | undefined;
  /** `all` lists those that are dismissed, too. */
  state?: 'open' | 'all' | undefined;
}

const securityScan = feature('securityScan');

/** What could be changed in the workflow files of a repository. */
export async function recommendations(input: AdviceInput, context: Context, reply: Reply): Promise<Answer> {
  const advice = await readAdvice(input, context, reply);
  const { repository, files, window } = advice;
  const { shown, hiddenKinds } = await hideSecurity(advice.recommendations, context);
  const matching = shown.filter(
    ({ kind, path }) =>
      (!input.kind || kind.id === input.kind) && (!input.workflow || path.endsWith(`/${input.workflow}`)),
  );
  const dismissals = await readDismissals(repository, context);
  const items = inOrder(matching).map((one) => toItem(advice, one, { dismissals, isDemo: context.isDemo }));
  return {
    repository: {
      owner: repository.owner,
      repo: repository.repo,
      defaultBranch: repository.defaultBranch,
      visibility: repository.visibility,
    },
    files: files.files.length,
    periodDays: input.days,
    window: window.usable && {
      ...window.usable,
      leftOutDays: window.usable.leftOut,
      attempts: advice.attempts?.length ?? 0,
    },
    history: {
      state: window.usable ? 'ready' : window.attemptsKnown > 0 ? 'reading' : 'absent',
      coveredDays: window.coveredDays,
      attemptsKnown: window.attemptsKnown,
      attemptsExpected: window.attemptsExpected,
    },
    recommendations: items.filter(({ state }) => state === 'open' || (input.state === 'all' && state === 'dismissed')),
    notOffered: items.filter(({ state }) => state === 'not_offered'),
    dismissed: items.filter(({ state }) => state === 'dismissed').length,
    hiddenKinds,
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
  const advice = await readAdvice({ ...name, days: usualDays }, context, reply);
  const { shown } = await hideSecurity(advice.recommendations, context);
  const found = shown.find((one) => one.id === id);
  if (!found) throw new Problem('not_found', 'The workflow files have no such recommendation, or no longer.');
  const dismissals = await readDismissals(advice.repository, context);
  const patch = found.reasons.length === 0 ? patchRecommendations(advice.advised, [found]) : null;
  const refusal = patch?.refused[0]?.refusal;
  const newest = found.evidence.toSorted((one, other) => other.attempt.arrivedAt - one.attempt.arrivedAt);
  return {
    recommendation: toItem(advice, found, { dismissals, isDemo: context.isDemo }),
    diff: patch?.files[0]?.patch.diff ?? null,
    refused: refusal ? withoutDetail(refusal).text : null,
    definition: found.kind.definition,
    evidence: { runs: newest.slice(0, maxRuns).map(evidenceItem), truncated: newest.length > maxRuns },
    generatedAt: advice.files.asOf,
    dataSource: 'mixed',
  };
}

const maxRuns = 1000;

/** A failed verification may name findings of the scan, which not everybody is shown; the log has them. */
export const withoutDetail = (refusal: PatchRefusal): PatchRefusal =>
  refusal.code === 'not_verified' ? { ...refusal, text: 'The change could not be verified.' } : refusal;

/** Findings about security are of another feature. */
export async function hideSecurity(all: readonly Recommendation[], context: Context) {
  if (await offers(securityScan, context, await context.actor())) return { shown: all, hiddenKinds: [] };
  const isHidden = ({ kind }: Recommendation) => kind.certainty === 'risk';
  return {
    shown: all.filter((one) => !isHidden(one)),
    hiddenKinds: [...new Set(all.filter(isHidden).map(({ kind }) => kind.id))],
  };
}

/** Those with most evidence first, then by place; security, which saves nothing, last. */
const inOrder = (all: readonly Recommendation[]): Recommendation[] =>
  all.toSorted(
    (one, other) =>
      Number(one.kind.certainty === 'risk') - Number(other.kind.certainty === 'risk') ||
      other.evidence.length - one.evidence.length ||
      one.path.localeCompare(other.path) ||
      one.line - other.line,
  );

interface Around {
  dismissals: ReadonlyMap<string, Dismissal>;
  isDemo: boolean;
}

function toItem({ repository, files }: Advice, one: Recommendation, { dismissals, isDemo }: Around) {
  const { id, kind, path, workflowName, workflowId, line, text, sample, facts, risks, reasons } = one;
  const dismissal = dismissals.get(id) ?? null;
  return {
    id,
    kind: kind.id,
    title: kind.title,
    certainty: kind.certainty,
    workflowPath: path,
    workflowName,
    workflowId,
    anchor: formatPath(one.anchor),
    line,
    // The sample world has no pages.
    htmlUrl: isDemo ? null : formatFindingUrl(repository.htmlUrl, files.commitSha, { path, line }),
    blob: files.files.find((file) => file.path === path)?.blobId ?? '',
    finding: { text, sample, facts },
    risks,
    state: dismissal ? ('dismissed' as const) : reasons.length === 0 ? ('open' as const) : ('not_offered' as const),
    dismissal: dismissal && dismissalItem(dismissal),
    reasons: [...new Set(reasons)].map((code) => ({ code, text: reasonTexts[code] })),
  };
}

const evidenceItem = ({ attempt, why }: EvidenceRun) => ({ ...attempt, why });
