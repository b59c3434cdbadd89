import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../access/context.ts';
import type { WorkflowFile } from '../../codehost/workflow-files/client.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { type ActionKnowledge, type ActionUse, actionUseKey, type KnownAction } from '../../scan/action-knowledge.ts';
import type { Surroundings } from '../../scan/rule.ts';
import { type FileScan, unreadFile } from '../../scan/scan.ts';

/** Why a file was not scanned. */
export const notScannedReasons = [
  ...(['binary', 'link', 'no_answer', 'too_large', 'syntax_error'] as const),
  ...(['file_time', 'file_memory', 'failed', 'repository_size', 'repository_time', 'busy'] as const),
] as const;
export type NotScannedReason = (typeof notScannedReasons)[number];

/** A file of a repository after its scan; `notScanned` is null when it was scanned. */
export interface ScannedFile {
  scan: FileScan;
  notScanned: NotScannedReason | null;
  /** Nothing was left to scan it with what is known of the actions it uses. */
  lacksActions: boolean;
}

/** What one answer may spend on scanning: a file, and all files of the repository together. */
const limits = { fileMs: 600, repositoryMs: 1800, waitMs: 1000, fileBytes: 512_000, repositoryBytes: 4_000_000 };

/** What is left of it. */
export interface ScanBudget {
  ms: number;
  bytes: number;
  /** In the queue behind files of other repositories. */
  waitMs: number;
}

/** Several repositories share three times what one may spend. */
export function scanBudget(repositories: number): ScanBudget {
  const share = Math.max(1, Math.min(repositories, 3));
  return { ms: share * limits.repositoryMs, bytes: share * limits.repositoryBytes, waitMs: limits.waitMs };
}

/** For whom files are scanned, and what that may still cost. */
interface Within {
  context: Context;
  budget: ScanBudget;
}

/**
 * Scans files one after the other within a budget. Scans follow from the text, which its blob id names, and what is
 * known; a comment's date can end with the day. What is cached costs nothing, so that a repository which is too large
 * for one answer is scanned in full after a few.
 */
export async function scanFiles(
  files: readonly WorkflowFile[],
  around: Omit<Surroundings, 'actions'>,
  within: Within,
): Promise<ScannedFile[]> {
  const scanned: ScannedFile[] = [];
  for (const file of files) scanned.push(await scanFile(file, { ...around, actions: null }, within));
  return scanned;
}

/** Scans files once more with what is known of the actions they use; where nothing is left for it, `before` stands. */
export async function scanWithActions(
  files: readonly WorkflowFile[],
  before: readonly ScannedFile[],
  around: Surroundings,
  within: Within,
): Promise<ScannedFile[]> {
  const scanned: ScannedFile[] = [];
  for (const [index, file] of files.entries()) {
    const first = before[index];
    const actions = selectKnown(first?.scan.actionUses ?? [], around.actions);
    const again = actions.size === 0 ? null : await scanFile(file, { ...around, actions }, within);
    if (again?.notScanned === null) scanned.push(again);
    else if (first) scanned.push(again ? { ...first, lacksActions: true } : first);
  }
  return scanned;
}

/** What is known of the actions that one file uses. */
const selectKnown = (uses: readonly ActionUse[], actions: ActionKnowledge | null): ActionKnowledge =>
  new Map(
    uses.map(actionUseKey).flatMap((key): [string, KnownAction][] => {
      const known = actions?.get(key);
      return known ? [[key, known]] : [];
    }),
  );

const known = new LRUCache<string, ScannedFile>({ maxSize: 16_000_000 });
/** A file that took too long may have met a busy machine; it is tried again, but not at every look. */
const triedAgainAfterMs = 600_000;

async function scanFile(
  { path, blobId, text, unread }: WorkflowFile,
  around: Surroundings,
  { context, budget }: Within,
): Promise<ScannedFile> {
  if (text === null) return notScanned(path, unreadReasons[unread ?? 'no answer']);
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.fileBytes) return notScanned(path, 'too_large');
  const now = context.services.clock.now();
  const key = toCacheKey(`${blobId} ${path}`, around, now);
  const before = known.get(key);
  if (before) return before;
  if (bytes > budget.bytes) return notScanned(path, 'repository_size');
  if (budget.ms <= 0) return notScanned(path, 'repository_time');
  if (budget.waitMs <= 0) return notScanned(path, 'busy');
  budget.bytes -= bytes;
  const limitMs = Math.min(limits.fileMs, budget.ms);
  const outcome = await context.services.scanner.run({ path, text, around, now }, limitMs, budget.waitMs);
  budget.ms -= outcome.ms;
  budget.waitMs -= outcome.waitedMs;
  if (outcome.state === 'not_started') return notScanned(path, 'busy');
  if (outcome.state === 'done') {
    const { result: scan } = outcome;
    const notScannedFor = scan.parseError === null ? null : 'syntax_error';
    const scanned: ScannedFile = { scan, notScanned: notScannedFor, lacksActions: false };
    known.set(key, scanned, { size: 1000 + 1000 * scan.findings.length });
    return scanned;
  }
  context.services.log.warn({ path, state: outcome.state, bytes }, 'a workflow file could not be scanned');
  if (outcome.state === 'timeout' && limitMs < limits.fileMs) return notScanned(path, 'repository_time');
  const abandoned = notScanned(path, failures[outcome.state]);
  if (outcome.state !== 'failed') known.set(key, abandoned, { size: 2000, ttl: triedAgainAfterMs });
  return abandoned;
}

function toCacheKey(file: string, { visibility, largerRunnerLabels, actions }: Surroundings, now: Instant): string {
  const known = actions === null ? '' : hash('sha256', JSON.stringify([...actions]));
  return `${visibility} ${Math.floor(now / dayMs)} ${largerRunnerLabels.join()} ${known} ${file}`;
}

const failures = { timeout: 'file_time', out_of_memory: 'file_memory', failed: 'failed' } as const;

const unreadReasons: Record<NonNullable<WorkflowFile['unread']>, NotScannedReason> = {
  binary: 'binary',
  'too large': 'too_large',
  'a link': 'link',
  'no answer': 'no_answer',
};

const notScanned = (path: string, reason: NotScannedReason): ScannedFile => ({
  scan: unreadFile(path, sentences[reason]),
  notScanned: reason,
  lacksActions: false,
});

const sentences: Record<NotScannedReason, string> = {
  binary: 'it is not a text',
  link: 'it is a link to another file',
  no_answer: 'its content could not be loaded',
  too_large: 'it is larger than 512,000 bytes',
  syntax_error: 'it is not valid',
  file_time: `scanning it took more than ${limits.fileMs} ms`,
  file_memory: 'scanning it took too much memory',
  failed: 'scanning it failed',
  repository_size: 'the workflow files of the repository are larger than 4 MB together; ask again for the rest',
  repository_time: `the time for the repository, ${limits.repositoryMs} ms, was used up; ask again for the rest`,
  busy: 'files of other repositories are being scanned; ask again for the rest',
};
