import type { Context } from '../../access/context.ts';
import { listUncached } from '../../advisor/dependency-caches.ts';
import { documentationChanges, maySkipDocumentation } from '../../advisor/kinds/documentation-changes.ts';
import { blobId } from '../../advisor/pull-request/names.ts';
import { type AdvisedRepository, watchedSteps } from '../../advisor/recommend.ts';
import {
  attemptsWithin,
  coveredDaysOf,
  daysWithin,
  findUsableWindow,
  type WindowReading,
} from '../../advisor/usable-window.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { WorkflowFile, WorkflowFiles } from '../../codehost/workflow-files/client.ts';
import type { Pricing } from '../../metrics/cost/job-cost.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { actionUsesIn } from '../../scan/action-knowledge.ts';
import { readWorkflow } from '../../scan/read-workflow.ts';
import type { Surroundings } from '../../scan/rule.ts';
import type { AdvisorSettings } from '../../settings/advisor.ts';
import { ifReadable } from '../kernel/coverage.ts';
import { largerRunnerLabels } from '../runners/report.ts';
import { onlineKnowledge } from '../security-scan/online.ts';
import { readDeployments, readHistory, readLongestPassing } from './history.ts';
import { readAdvisorSettings } from './in-effect.ts';

/** Who the advice is read for: a request, or work in the background with a client of its own. */
export type AdviceSource = Pick<Context, 'codehost' | 'services' | 'isDemo'>;

export type AdviceInput = RepositoryName & {
  /** Of history; without it as many as are set for all. */
  days?: number | undefined;
  /** Ids of kinds that are not looked for; without it those that are off. */
  kindsOff?: readonly string[];
};

/** A defect of this service: minutes are computed from the jobs that they are stored with. */
export const logMismatch = ({ id }: Repository, { services }: Pick<AdviceSource, 'services'>): void =>
  services.log.error({ repository: id }, 'stored jobs do not add up to the minutes stored with them');

/** A repository as it is read, before anything is looked for. */
export interface Gathered {
  repository: Repository;
  files: WorkflowFiles;
  window: WindowReading;
  /** Days of history that were looked at. */
  days: number;
  settings: AdvisorSettings;
  /** Paths of workflows that the platform does not run. */
  inactive: readonly string[];
  /** Whether something of it was not answered. */
  partial: boolean;
  /** Without its required checks. */
  known: AdvisedRepository;
  pricing: Pricing;
}

/**
 * Reads the workflow files of a repository with what is stored of its runs and jobs. Two requests, those of pages that
 * show the same: for the files and for the workflows; one more the first time for deployments, which are stored, and
 * every six hours one for the size of caches, where a recommendation depends on it; of files that pull requests change,
 * where runs could be left out for them, one for every 25 of the last 91 days, and then one for those that changed.
 */
export async function gather({ owner, repo, ...input }: AdviceInput, source: AdviceSource): Promise<Gathered> {
  const codehost = await source.codehost();
  const settings = await readAdvisorSettings(source);
  const wanted = input.days ?? settings.window_days;
  const { env, clock } = source.services;
  const now = clock.now();
  const [repository, files, workflows] = await Promise.all([
    codehost.repositories.get({ owner, repo }),
    codehost.workflowFiles({ owner, repo }),
    codehost.workflows.list({ owner, repo }),
  ]);
  const read = repository.archived ? [] : readableFiles(files);
  const { rootFiles } = files;
  const stepNames = watchedSteps({ files: read, rootFiles });
  const history = await readHistory(
    codehost,
    repository,
    { since: now - (wanted + warmUpDays) * dayMs, stepNames },
    source,
  );
  const days = daysWithin(history, wanted, now);
  const window = findUsableWindow(history, days, now);
  const kindsOff = input.kindsOff ?? settings.kinds_off;
  const looksForDocumentation = !kindsOff.includes(documentationChanges.id);
  const known: AdvisedRepository = {
    id: repository.id,
    kindsOff,
    defaultBranch: repository.defaultBranch ?? '',
    files: read,
    hasUnreadFiles: files.partial || read.length < files.files.length,
    rootFiles,
    cacheBytes: await cacheBytesFor(read, codehost, files, { owner, repo }),
    // Requested later, where one depends on them.
    requiredChecks: source.isDemo ? await checksOf(codehost, repository) : null,
    documentation:
      window.usable && looksForDocumentation ? await documentationFor(read, codehost, { owner, repo }) : null,
    workflowIds: new Map(workflows.items.map(({ id, path }) => [path, id])),
    around: surroundingsOf(files, source),
    attempts: window.usable && attemptsWithin(history, window.usable),
    days: window.usable ? coveredDaysOf(window.usable) : [],
    largerRunners: largerRunnerLabels(env),
    longestPassing: await readLongestPassing(codehost, repository, source),
    deployedAt: await deploymentsIn(codehost, repository, window, source),
    now,
  };
  const pricing = { isPublic: files.visibility === 'public', largerRunnerLabels: largerRunnerLabels(env) };
  const isUnanswered = files.files.some(({ text, unread }) => text === null && (unread ?? 'no answer') === 'no answer');
  return {
    repository,
    files,
    window,
    days,
    settings,
    inactive: workflows.items.filter(({ state }) => state !== 'active').map(({ path }) => path),
    partial: files.partial || workflows.partial || isUnanswered,
    known,
    pricing,
  };
}

/** Runs that were under way when the window began. */
const warmUpDays = 1;

const readableFiles = ({ files }: WorkflowFiles) =>
  files.flatMap((file) => {
    const { path, text } = file;
    return text === null || text.length > maxCharacters || !isExact(file) ? [] : { path, text };
  });

/** Whether a text is all that the file holds: the platform gives other characters for bytes that are none. */
export const isExact = ({ text, blobId: given }: Pick<WorkflowFile, 'text' | 'blobId'>): boolean =>
  text !== null && blobId(text) === given;

/** The same repository with the names of the checks that pull requests need, as far as they can be read. */
export async function withChecks(
  known: AdvisedRepository,
  codehost: Platform,
  name: RepositoryName,
): Promise<AdvisedRepository> {
  return { ...known, requiredChecks: await checksOf(codehost, { ...name, defaultBranch: known.defaultBranch }) };
}

async function checksOf(
  codehost: Platform,
  { defaultBranch, ...name }: RepositoryName & Pick<Repository, 'defaultBranch'>,
): Promise<readonly string[] | null> {
  const checks = await ifReadable(codehost.requiredChecks(name, defaultBranch ?? ''));
  return checks?.names ?? null;
}

/** Requested only where runs could be left out, and where pull requests may be read. */
async function documentationFor(
  read: readonly { path: string; text: string }[],
  codehost: Platform,
  name: RepositoryName,
): Promise<AdvisedRepository['documentation']> {
  const maySkip = read.some(({ path, text }) => maySkipDocumentation(readWorkflow(path, text)));
  const changes = maySkip ? await ifReadable(codehost.documentationChanges(name)) : null;
  return changes?.items ?? null;
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
  files.flatMap((file) => {
    const { path, text, unread } = file;
    if (text === null) return { path, reason: unread ?? ('no answer' as const) };
    if (text.length > maxCharacters) return { path, reason: 'too large' as const };
    if (!isExact(file)) return { path, reason: 'binary' as const };
    const { root, problems } = readWorkflow(path, text);
    return root === null || problems.length > 0 ? { path, reason: 'invalid' as const } : [];
  });

/** A workflow file above this starts nothing on the platform. */
const maxCharacters = 500_000;

function surroundingsOf(files: WorkflowFiles, source: AdviceSource): Surroundings {
  const uses = readableFiles(files).flatMap(({ path, text }) => actionUsesIn(readWorkflow(path, text)));
  return {
    visibility: files.visibility,
    largerRunnerLabels: Object.keys(largerRunnerLabels(source.services.env)),
    actions: onlineKnowledge(uses, source).actions,
  };
}

const deploymentsIn = async (
  codehost: Platform,
  repository: Repository,
  { usable }: WindowReading,
  source: AdviceSource,
): Promise<readonly number[] | null> => (usable ? readDeployments(codehost, repository, usable.from, source) : []);
