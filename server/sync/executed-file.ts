import { filesPerRequest } from '../codehost/ref-targets/action-files.ts';
import type { ExecutedUses, RunRecord } from '../codehost/runs/logs.ts';
import type { RepositoryName } from '../metrics/kernel/facts.ts';
import type { Download } from '../metrics/security/job-log.ts';
import { type UsedRef, usedRefKey } from '../scan/action-uses.ts';
import type { UsedInTurn } from '../scan/used-in-turn.ts';
import { type FileContext, followAll, nameFile, readBatch } from './action-ledger/used-in-turn.ts';

/** As deep as actions nest, one request a level; a file may have to be asked for in a second one. */
const maxRequests = 12;

/** What a run had at hand. */
interface Executed {
  repository: RepositoryName;
  record: RunRecord;
  downloads: readonly Download[];
  /** Where refs of actions led when they were observed last, by `owner/repo ref`. */
  commits: ReadonlyMap<string, string>;
}

/**
 * What the workflow file that certainly ran used, directly and in turn: of each ref at the commit that the run's own
 * records name, else at the one that it led to last. null where it is not certain which file ran, or that cannot be read.
 * @throws Problem when the quota is spent, or the token rejected.
 */
export async function readExecutedFile(
  { repository, record, downloads, commits }: Executed,
  context: FileContext & { mayContinue(): boolean },
): Promise<ExecutedUses | null> {
  if (record.file === null) return null;
  const { path, commit } = record.file;
  const actionKey = `${repository.owner}/${repository.repo}`.toLowerCase();
  const root: UsedRef = { actionKey, path, kind: 'reusable_workflow', ref: commit };
  const known = new Map([...commits, ...downloads.filter(isCertain).map(toEntry), ...record.called.map(toEntry)]);
  const passedOver = new Set<string>();
  for (let requests = 0; ; requests++) {
    const followed = (await followAll(context.store, [root], known)).get(usedRefKey(root)) as UsedInTurn;
    const wanted = followed.needed.filter((file) => !passedOver.has(nameFile(file)));
    if (wanted.length === 0 || requests === maxRequests || !context.mayContinue()) return toUses(root, followed);
    const { unreadable, missing } = await readBatch(context, wanted.slice(0, filesPerRequest));
    for (const file of [...unreadable, ...missing]) passedOver.add(nameFile(file));
  }
}

const isCertain = ({ isInStep, isAtOtherTime }: Download): boolean => !isInStep && !isAtOtherTime;

const toEntry = ({ actionKey, ref, commit }: Pick<Download, 'actionKey' | 'ref' | 'commit'>) =>
  [`${actionKey} ${ref}`, commit] as const;

function toUses(root: UsedRef, { refs, unknown, readAt }: UsedInTurn): ExecutedUses | null {
  if (!readAt.has(usedRefKey(root))) return null;
  return {
    // The file itself may be what was compromised.
    uses: [{ ...root, privateSources: [] }, ...refs].map((use) => ({
      ...use,
      readAt: readAt.get(usedRefKey(use)) ?? null,
    })),
    unknown: unknown.map(({ reason, privateSources }) => ({ reason, privateSources })),
  };
}
