import { filesPerRequest } from '../codehost/ref-targets/action-files.ts';
import type { ExecutedUses, RunRecord } from '../codehost/runs/logs.ts';
import type { RepositoryName } from '../metrics/kernel/facts.ts';
import type { Download } from '../metrics/security/job-log.ts';
import { Problem } from '../platform/problem.ts';
import { type UsedRef, usedRefKey } from '../scan/action-uses.ts';
import type { UsedInTurn } from '../scan/used-in-turn.ts';
import { type FileContext, followAll, nameFile, readBatch } from './action-ledger/used-in-turn.ts';

/** As deep as actions nest, one request a level; a file may need to be read in a second one. */
const maxRequests = 12;

/** What a run had at hand. */
interface Executed {
  repository: RepositoryName;
  file: NonNullable<RunRecord['file']>;
  called: RunRecord['called'];
  downloads: readonly Download[];
  /** Where refs of actions led when they were observed last, by `owner/repo ref`. */
  commits: ReadonlyMap<string, string>;
}

/** What came of reading a workflow file. */
export interface FileReading {
  /** null where it cannot be read. */
  file: ExecutedUses | null;
  /** Files that were read for it now. */
  filesRead: number;
  /** Whether another try may read a file that could not be read now. */
  hasFailed: boolean;
  /** Whether the platform gives no more files for now. */
  isSpent: boolean;
}

/**
 * What the workflow file that certainly ran used, directly and in turn: of each ref at the commit that the run's own
 * records name, else at the one that it led to last.
 * @throws Problem when the token is rejected.
 */
export async function readExecutedFile(
  { repository, file: { path, commit }, called, downloads, commits }: Executed,
  context: FileContext & { mayContinue(): boolean },
): Promise<FileReading> {
  const actionKey = `${repository.owner}/${repository.repo}`.toLowerCase();
  const root: UsedRef = { actionKey, path, kind: 'reusable_workflow', ref: commit };
  const known = new Map([...commits, ...downloads.filter(isCertain).map(toEntry), ...(called ?? []).map(toEntry)]);
  const passedOver = new Set<string>();
  const reading = { filesRead: 0, hasFailed: false, isSpent: false };
  for (let requests = 0; ; requests++) {
    const followed = (await followAll(context.store, [root], known)).get(usedRefKey(root)) as UsedInTurn;
    const wanted = followed.needed.filter((file) => !passedOver.has(nameFile(file)));
    if (wanted.length === 0) return { ...reading, file: toUses(root, followed, false) };
    if (requests === maxRequests || !context.mayContinue()) return { ...reading, file: toUses(root, followed, true) };
    const batch = wanted.slice(0, filesPerRequest);
    const unread = await readBatch(context, batch).catch(orSpent);
    if (unread === null) return { ...reading, isSpent: true, file: toUses(root, followed, true) };
    const { unreadable, missing, hasFailed } = unread;
    for (const file of [...unreadable, ...missing]) passedOver.add(nameFile(file));
    reading.filesRead += batch.length - unreadable.length - missing.length;
    reading.hasFailed ||= hasFailed;
  }
}

function orSpent(error: unknown): null {
  if (error instanceof Problem && error.code === 'upstream_rate_limited') return null;
  throw error;
}

const isCertain = ({ isInStep, isAtOtherTime }: Download): boolean => !isInStep && !isAtOtherTime;

const toEntry = ({ actionKey, ref, commit }: Pick<Download, 'actionKey' | 'ref' | 'commit'>) =>
  [`${actionKey} ${ref}`, commit] as const;

function toUses(root: UsedRef, { refs, unknown, readAt, reach }: UsedInTurn, isCut: boolean): ExecutedUses | null {
  if (!readAt.has(usedRefKey(root)) && !isCut) return null;
  return {
    // The file itself may be what was compromised.
    uses: [{ ...root, privateSources: [] }, ...refs].map((use) => {
      const ofFile = reach.get(usedRefKey(use));
      return { ...use, readAt: readAt.get(usedRefKey(use)) ?? null, ...(ofFile && { reach: ofFile }) };
    }),
    unknown: unknown.map(({ reason, privateSources }) => ({ reason, privateSources })),
    isCut,
  };
}

/** Of two readings of a file the one that read more; of equal ones the newer. */
export function pickFile(before: ExecutedUses | null, now: ExecutedUses | null): ExecutedUses | null {
  if (before === null || now === null) return now ?? before;
  return countRead(before) > countRead(now) ? { ...before, isCut: now.isCut } : now;
}

const countRead = ({ uses }: ExecutedUses): number => uses.filter(({ readAt }) => readAt !== null).length;
