import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { toCoverage } from '../kernel/coverage.ts';
import { listOfKnownOwner } from '../repositories/visibility.ts';
import { type JudgedAttempt, type JudgedAttempts, judgeAttempts } from './judge-attempts.ts';
import { rankReach } from './reach/reach.ts';
import { countReach, countSecrets, listSecrets, reachesAll, toReachFields } from './reach/summarize.ts';
import { type SearchInput, toStretch, toSuspects } from './search-input.ts';
import type { ExposureGap, ExposureSearch } from './search-schema.ts';
import {
  compareJudgements,
  findWorst,
  type Judgement,
  judgeRepository,
  type Reason,
  type Verdict,
} from './verdict/verdict.ts';
import { canReadLogs, countRequests, isRequested, planReading } from './want-logs.ts';

type Answer = Domain<typeof ExposureSearch>;

/** Which repositories that the caller may see used what was compromised, from what is stored: nothing is requested. */
export async function searchExposure(input: SearchInput, context: Context): Promise<Answer> {
  const now = context.services.clock.now();
  const stretch = toStretch(input, now);
  const { items: visible, partial } = await listOfKnownOwner(input.org, context);
  const suspects = toSuspects(input);
  const judged = await judgeAttempts(suspects, stretch, visible, context);
  const { attempts } = judged;
  const byRepository = Map.groupBy(attempts, ({ attempt }) => attempt.repositoryId);
  const rows = visible.map((one) => toRepository(one, byRepository.get(one.id) ?? [], judged, now));
  const names = new Map(visible.map((one) => [one.id, `${one.owner}/${one.repo}`]));
  const publicIds = new Set(visible.flatMap(({ id, visibility }) => (visibility === 'public' ? id : [])));
  const matching = attempts
    .filter(isRequested(input, names))
    .sort(
      (one, other) =>
        compareJudgements(one.judgement, other.judgement) ||
        rankReach(one.reach) - rankReach(other.reach) ||
        other.startedAt - one.startedAt,
    );
  const { readable, next } = planReading(matching);
  const pages = Math.max(1, Math.ceil(matching.length / input.limit));
  const page = Math.min(input.page, pages);
  const runs = [...Map.groupBy(attempts, ({ attempt }) => `${attempt.repositoryId} ${attempt.runId}`).values()];
  return {
    org: input.org,
    suspects: suspects.map(({ name, suspect: { kind, match } }, index) => ({
      kind,
      name,
      names: judged.names[index] ?? [],
      match,
    })),
    window: stretch,
    totals: {
      repositories: countVerdicts(rows),
      runs: countVerdicts(runs.flatMap((own) => findWorst(own.map(({ judgement }) => judgement)) ?? [])),
      attempts: countVerdicts(attempts.map(({ judgement }) => judgement)),
      ...findUse(attempts),
      ...countReach(attempts),
    },
    repositories: rows.sort(
      (one, other) => compareJudgements(one, other) || (one.repo.toLowerCase() < other.repo.toLowerCase() ? -1 : 1),
    ),
    uses: matching.slice((page - 1) * input.limit, page * input.limit).map((one) => ({
      ...toUse(one, names.get(one.attempt.repositoryId) ?? ''),
      ...toReachFields(one.reach, publicIds.has(one.attempt.repositoryId)),
    })),
    secrets: listSecrets(attempts, names),
    total: matching.length,
    page,
    pages,
    table: input.table,
    notChecked: countReasons(attempts),
    logs: {
      readable: readable.length,
      next: next.length,
      requestsAtLeast: next.reduce((sum, one) => sum + countRequests(one), 0),
      waiting: attempts.filter(({ logState }) => logState === 'waiting').length,
      read: attempts.filter(({ logState }) => logState === 'kept').length,
      canRead: canReadLogs(context),
    },
    coverage: toCoverage<ExposureGap>({
      read: attempts.length,
      cap: judged.cap,
      reasons: listGaps(judged, visible),
    }),
    ledgerSince: judged.ledgerSince,
    partial,
    generatedAt: now,
    dataSource: 'database',
  };
}

const countVerdicts = (all: readonly { verdict: Verdict }[]) => {
  const count = (verdict: Verdict) => all.filter((one) => one.verdict === verdict).length;
  return { proven: count('proven'), possible: count('possible'), unknown: count('unknown'), no: count('no') };
};

/** When the first and the last attempt started that is affected, or possibly. */
function findUse(attempts: readonly JudgedAttempt[]): { firstUse: Instant | null; lastUse: Instant | null } {
  const starts = attempts
    .filter(({ judgement: { verdict } }) => verdict === 'proven' || verdict === 'possible')
    .map(({ startedAt }) => startedAt)
    .sort((one, other) => one - other);
  return { firstUse: starts[0] ?? null, lastUse: starts.at(-1) ?? null };
}

/** A judgement in the fields of an answer. */
function toFields(judgement: Judgement) {
  if (judgement.verdict === 'proven') return { ...judgement, likelihood: null, reasons: [] };
  if (judgement.verdict === 'no') return { ...judgement, likelihood: null, reasons: [] };
  return { ...judgement, proof: null };
}

function toRepository(
  { id, ...name }: Repository,
  attempts: readonly JudgedAttempt[],
  { used, usingNow, complete }: JudgedAttempts,
  now: Instant,
) {
  const own = used.get(id);
  const judgement = judgeRepository(
    attempts.map((one) => one.judgement),
    complete.has(id),
    now,
  );
  return {
    ...toFields(judgement),
    repo: `${name.owner}/${name.repo}`,
    attempts: countVerdicts(attempts.map((one) => one.judgement)),
    direct: own?.isDirect === true,
    through: [...(own?.through ?? [])].sort(),
    refs: [...(own?.refs ?? [])].sort(),
    ...findUse(attempts),
    secrets: countSecrets(attempts),
    allSecrets: reachesAll(attempts),
    defaultBranchUsesNow: usingNow.has(id),
  };
}

const toUse = ({ attempt, startedAt, workflowPath, logState, judgement, suspect }: JudgedAttempt, repo: string) => ({
  ...toFields(judgement),
  repo,
  suspect,
  run: {
    id: attempt.runId,
    attempt: attempt.attempt,
    number: attempt.runNumber,
    workflow: attempt.workflowName,
    workflowPath,
    event: attempt.event,
    headBranch: attempt.headBranch,
    headSha: attempt.headSha,
    startedAt,
    htmlUrl: attempt.htmlUrl,
  },
  logState,
});

const isOpen = ({ judgement: { verdict } }: JudgedAttempt): boolean => verdict === 'possible' || verdict === 'unknown';

/** Whether it could still be settled by its log. */
const isLogMissing = ({ logState, judgement }: JudgedAttempt): boolean =>
  'reasons' in judgement && (logState !== 'kept' || judgement.reasons.includes('log_cut'));

function countReasons(attempts: readonly JudgedAttempt[]): Answer['notChecked'] {
  const counts = new Map<Reason, number>();
  for (const { judgement } of attempts)
    for (const reason of 'reasons' in judgement ? judgement.reasons : [])
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, found]) => ({ reason, attempts: found }))
    .sort((one, other) => other.attempts - one.attempts);
}

function listGaps({ attempts, read, complete, cap }: JudgedAttempts, visible: readonly Repository[]): ExposureGap[] {
  return [
    ...(visible.some(({ id }) => !read.has(id)) ? (['not_read'] as const) : []),
    ...(visible.some(({ id }) => !complete.has(id)) ? (['runs_gap'] as const) : []),
    ...(attempts.some((one) => !one.isFileRead && isOpen(one)) ? (['files_unread'] as const) : []),
    ...(attempts.some(isLogMissing) ? (['logs_unread'] as const) : []),
    ...(cap !== null ? (['page_cap'] as const) : []),
  ];
}
