import type { Services } from '../../access/context.ts';
import type { WorkflowFile, WorkflowFiles } from '../../codehost/workflow-files/client.ts';
import type { WorkflowTree } from '../../codehost/workflow-files/trees.ts';
import { Problem } from '../../platform/problem.ts';
import { countUses, type FileUses } from '../../scan/action-uses.ts';
import type { RepositoryUses } from '../../store/action-uses.ts';
import type { KnownRepository } from '../../store/repositories.ts';
import { passOver, throwIfEnded } from './problems.ts';
import type { LedgerContext } from './run.ts';

/** What workflow files use is read again in all of them when this changes. */
const ruleVersion = 4;
const repositoriesPerRequest = 50;
/** More than workflow files of people and programs take; what takes longer is not read. */
const fileMs = 600;
const waitMs = 30_000;

export interface UsesResult {
  repositories: number;
  /** Those of which workflow files were read, because they had changed. */
  changed: number;
  /** Those that could not be read. */
  failed: number;
  /** false when the time was up before all were looked at. */
  complete: boolean;
}

/**
 * Stores what the workflow files of each tracked repository's default branch use today: where the files are as they
 * were, without reading them. Those that cannot be read keep what they used when they last could.
 * @throws Problem when the quota is spent, or the token rejected.
 */
export async function readUses(context: LedgerContext, day: string): Promise<UsesResult> {
  const { store, mayContinue } = context;
  const repositories = await store.repositories.tracked();
  const known = await store.actionUses.trees();
  const result: UsesResult = { repositories: repositories.length, changed: 0, failed: 0, complete: true };
  for (let start = 0; start < repositories.length; start += repositoriesPerRequest) {
    if (!mayContinue()) return { ...result, complete: false };
    const batch = repositories.slice(start, start + repositoriesPerRequest);
    const trees = await context.codehost.workflowTrees(batch).catch(ofAll(batch));
    throwIfEnded(trees);
    context.signal.throwIfAborted();
    const found = batch.flatMap((repository, index) => {
      const tree = trees[index];
      return tree && isRead(tree, repository) ? [{ repository, tree }] : [];
    });
    const unchanged = found.filter(({ repository, tree }) => {
      const before = known.get(repository.id);
      return before?.ruleVersion === ruleVersion && before.treeId === tree.treeId;
    });
    await store.actionUses.repeatUses(
      unchanged.map(({ repository }) => repository.id),
      day,
    );
    const changed = found.filter((one) => !unchanged.includes(one)).map(({ repository }) => repository);
    result.changed += changed.length;
    result.failed += batch.length - found.length + (await readChanged(context, changed, day));
  }
  return result;
}

/** A name may have passed to another repository. */
const isRead = (tree: WorkflowTree | Problem, { codehostId }: KnownRepository): tree is WorkflowTree =>
  !(tree instanceof Problem) && tree.repositoryId === codehostId;

/** The problem of a request is that of each repository in it. */
const ofAll =
  (repositories: readonly KnownRepository[]) =>
  (error: unknown): Problem[] => {
    const problem = passOver(error);
    return repositories.map(() => problem);
  };

/** Answers how many could not be read. */
async function readChanged(context: LedgerContext, changed: readonly KnownRepository[], day: string): Promise<number> {
  if (changed.length === 0) return 0;
  const reads = await context.codehost.workflowFilesOfMany(changed).catch(ofAll(changed));
  let failed = 0;
  for (const [index, repository] of changed.entries()) {
    const read = reads[index];
    const isRead = read && !(read instanceof Problem) && !read.stale && !isIncomplete(read);
    const uses = isRead ? await listUses(read, context.services) : null;
    context.signal.throwIfAborted();
    if (uses === null) failed += 1;
    else await context.store.actionUses.putUses(repository.id, uses, day);
  }
  throwIfEnded(reads);
  return failed;
}

/** Some files were not given this time: another look brings them. */
const isIncomplete = ({ partial, files }: WorkflowFiles) =>
  partial || files.some(({ unread }) => unread === 'no answer');

/** null where a file was not scanned this time. */
async function listUses(
  { treeId, files, visibility }: WorkflowFiles,
  services: Pick<Services, 'scanner' | 'clock'>,
): Promise<RepositoryUses | null> {
  const found: (FileUses | null)[] = [];
  for (const file of files) {
    const uses = await findUses(file, visibility, services);
    if (uses === 'not scanned') return null;
    found.push(uses);
  }
  const read = found.filter((uses) => uses !== null);
  return {
    treeId,
    ruleVersion,
    unreadFiles: found.length - read.length,
    uses: countUses(read.map(({ refs }) => refs)),
    // Called workflows of the repository are files of the same directory.
    unknown: read.flatMap(({ unknown }) => unknown.map((one) => ({ ...one, through: '', privateSources: [] }))),
  };
}

/** null where a file has no text or cannot be parsed, and never will be. `not scanned` where another try may do it. */
async function findUses(
  { path, text }: WorkflowFile,
  visibility: WorkflowFiles['visibility'],
  { scanner, clock }: Pick<Services, 'scanner' | 'clock'>,
): Promise<FileUses | null | 'not scanned'> {
  if (text === null) return null;
  const around = { visibility, largerRunnerLabels: [], actions: null };
  const outcome = await scanner.run({ path, text, around, now: clock.now() }, fileMs, waitMs);
  if (outcome.state !== 'done') return 'not scanned';
  return outcome.result.parseError === null ? outcome.result.uses : null;
}
