import type { Context, Reply } from '../../access/context.ts';
import { listUncached } from '../../advisor/dependency-caches.ts';
import { type Predicted, type Prediction, predictEffects, type RepositoryPast } from '../../advisor/effects.ts';
import type { RecordedAttempt } from '../../advisor/history.ts';
import { type AdvisedRepository, type Recommendation, recommend, watchedSteps } from '../../advisor/recommend.ts';
import type { Calibration } from '../../advisor/replay/calibrate.ts';
import { attemptsWithin, coveredDaysOf, findUsableWindow, type WindowReading } from '../../advisor/usable-window.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { WorkflowFiles } from '../../codehost/workflow-files/client.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { actionUsesIn } from '../../scan/action-knowledge.ts';
import { readWorkflow } from '../../scan/read-workflow.ts';
import type { Surroundings } from '../../scan/rule.ts';
import { ifReadable } from '../kernel/coverage.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';
import { largerRunnerLabels } from '../runners/report.ts';
import { onlineKnowledge } from '../security-scan/online.ts';
import { readDeployments, readHistory } from './history.ts';

/** The recommendations of a repository with what they were made of. */
export interface Advice {
  repository: Repository;
  files: WorkflowFiles;
  window: WindowReading;
  /** Attempts in the usable window; null without one. */
  attempts: readonly RecordedAttempt[] | null;
  /** Whether the stored jobs give the stored minutes; null without a usable window. */
  calibration: Calibration | null;
  recommendations: Predicted[];
  past: RepositoryPast;
  /** What they were looked for in. */
  advised: AdvisedRepository;
}

/**
 * Reads the workflow files of a repository with what is stored of its runs and jobs, and looks for recommendations.
 * Two requests, those of pages that show the same: for the files and for the workflows; one more the first time for
 * deployments, which are stored, and every six hours one for the size of caches and two for
 * required checks, where a recommendation depends on them.
 */
export async function readAdvice(
  { owner, repo, days }: RepositoryName & { days: number },
  context: Context,
  reply: Reply,
): Promise<Advice> {
  const codehost = await context.codehost();
  const now = context.services.clock.now();
  const [repository, files, workflows] = await Promise.all([
    codehost.repositories.get({ owner, repo }),
    codehost.workflowFiles({ owner, repo }),
    codehost.workflows.list({ owner, repo }),
  ]);
  noteCanonicalName(reply, codehost, { owner, repo });
  noteListing(reply, files);
  const read = repository.archived ? [] : readableFiles(files);
  const { rootFiles } = files;
  const stepNames = watchedSteps({ files: read, rootFiles });
  const history = await readHistory(
    codehost,
    repository,
    { since: now - (days + warmUpDays) * dayMs, stepNames },
    context,
  );
  const window = findUsableWindow(history, days, now);
  const attempts = window.usable && attemptsWithin(history, window.usable);
  const known: AdvisedRepository = {
    id: repository.id,
    defaultBranch: repository.defaultBranch ?? '',
    files: read,
    hasUnreadFiles: files.partial || read.length < files.files.length,
    rootFiles,
    cacheBytes: await cacheBytesFor(read, codehost, files, { owner, repo }),
    requiredChecks: null,
    workflowIds: new Map(workflows.items.map(({ id, path }) => [path, id])),
    around: surroundingsOf(files, context),
    attempts,
    days: window.usable ? coveredDaysOf(window.usable) : [],
    deployedAt: await deploymentsIn(codehost, repository, window, context),
    now,
  };
  const { advised, found } = await recommendFor(known, codehost, { owner, repo });
  const prediction = judge(advised, found, files.visibility, context);
  if (prediction.calibration?.state === 'failed')
    context.services.log.error(
      { repository: repository.id },
      'stored jobs do not add up to the minutes stored with them',
    );
  return { repository, files, window, attempts, advised, ...prediction };
}

/** Predicts what each recommendation saves. */
export const judge = (
  advised: AdvisedRepository,
  found: readonly Recommendation[],
  visibility: WorkflowFiles['visibility'],
  { services: { env } }: Context,
): Prediction =>
  predictEffects(advised, found, {
    isPublic: visibility === 'public',
    largerRunnerLabels: largerRunnerLabels(env),
  });

/** Runs that were under way when the window began. */
const warmUpDays = 1;

const readableFiles = ({ files }: WorkflowFiles) =>
  files.flatMap(({ path, text }) => (text === null || text.length > maxCharacters ? [] : { path, text }));

/** Whether checks are required is requested only where nothing else excludes a recommendation. */
async function recommendFor(known: AdvisedRepository, codehost: Platform, name: RepositoryName) {
  const found = recommend(known);
  const isMissing = found.some(
    ({ reasons: [first, ...others] }) => first === 'required_unknown' && others.length === 0,
  );
  if (!isMissing) return { advised: known, found };
  const checks = await ifReadable(codehost.requiredChecks(name, known.defaultBranch));
  const advised = { ...known, requiredChecks: checks?.names ?? null };
  return { advised, found: recommend(advised) };
}

/** Requested only where a cache could be recommended. */
async function cacheBytesFor(
  read: readonly { path: string; text: string }[],
  codehost: Platform,
  { rootFiles }: WorkflowFiles,
  name: RepositoryName,
): Promise<number | null> {
  const mayCache = read.some(({ path, text }) => listUncached(readWorkflow(path, text), rootFiles ?? []).length > 0);
  const usage = mayCache ? await ifReadable(codehost.caches.usage(name)) : null;
  return usage?.bytes ?? null;
}

/** Workflow files in which nothing was looked for, each with the reason. */
export const skippedFiles = ({ files }: WorkflowFiles) =>
  files.flatMap(({ path, text, unread }) => {
    if (text === null) return { path, reason: unread ?? ('no answer' as const) };
    if (text.length > maxCharacters) return { path, reason: 'too large' as const };
    const { root, problems } = readWorkflow(path, text);
    return root === null || problems.length > 0 ? { path, reason: 'invalid' as const } : [];
  });

/** A workflow file above this starts nothing on the platform. */
const maxCharacters = 500_000;

function surroundingsOf(files: WorkflowFiles, context: Context): Surroundings {
  const uses = readableFiles(files).flatMap(({ path, text }) => actionUsesIn(readWorkflow(path, text)));
  return {
    visibility: files.visibility,
    largerRunnerLabels: Object.keys(largerRunnerLabels(context.services.env)),
    actions: onlineKnowledge(uses, context).actions,
  };
}

const deploymentsIn = async (
  codehost: Platform,
  repository: Repository,
  { usable }: WindowReading,
  context: Context,
): Promise<readonly number[] | null> => (usable ? readDeployments(codehost, repository, usable.from, context) : []);
