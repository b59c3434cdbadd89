import { type FoundFile, filesPerRequest } from '../../codehost/ref-targets/action-files.ts';
import { Problem } from '../../platform/problem.ts';
import { type UsedRef, usedRefKey } from '../../scan/action-uses.ts';
import {
  followUse,
  type KnownFile,
  type KnownFiles,
  type NeededFile,
  nameUse,
  type UsedInTurn,
} from '../../scan/used-in-turn.ts';
import type { DirectUse, UsesInTurn } from '../../store/action-uses.ts';
import { passOver } from './problems.ts';
import type { LedgerContext } from './run.ts';
import type { TargetsResult } from './targets.ts';

/** What files of actions use is read again in all of them when this changes. */
const ruleVersion = 6;
const fileMs = 600;
const waitMs = 30_000;
/** A level of nested actions needs two: its files, then where their refs lead. */
const maxRounds = 22;

export interface InTurnResult {
  /** Files of actions and called workflows that were read: at a commit each once, for good. */
  filesRead: number;
  /** false when the time was up before all were followed, or a file could not be read this time. */
  complete: boolean;
}

/**
 * Follows what actions and called workflows use in turn, and stores it of every tracked repository: what is known after
 * each round, so that what could not be read leaves the rest. `observeNew` observes the refs that were found and not yet
 * observed.
 * @throws Problem when the quota is spent, or the token rejected.
 */
export async function followUses(
  context: LedgerContext,
  observeNew: () => Promise<TargetsResult>,
): Promise<InTurnResult> {
  const { store, signal, mayContinue } = context;
  const result: InTurnResult = { filesRead: 0, complete: true };
  /** Files that could not be read tonight, or that are not there, are not requested again. */
  const passedOver = new Set<string>();
  /** By repository, what was stored of it in an earlier round. */
  const stored = new Map<number, string>();
  for (let round = 0; round < maxRounds; round++) {
    if (!mayContinue()) return { ...result, complete: false };
    const direct = await store.actionUses.directUses();
    const followed = await followAll(store, direct, await store.actionUses.commits());
    for (const [repoId, uses] of Map.groupBy(direct, (use) => use.repoId)) {
      const inTurn = listUsesInTurn(uses, followed);
      const content = JSON.stringify(inTurn);
      if (stored.get(repoId) === content) continue;
      await store.actionUses.putUsesInTurn(repoId, inTurn);
      stored.set(repoId, content);
      signal.throwIfAborted();
    }
    const observed = await observeNew();
    const needed = new Map(
      [...followed.values()].flatMap((one) => one.needed).map((file) => [nameFile(file), file] as const),
    );
    const wanted = [...needed].flatMap(([name, file]) => (passedOver.has(name) ? [] : file));
    if (wanted.length === 0 && observed.refs === 0)
      return { ...result, complete: observed.complete && result.complete };
    for (let start = 0; start < wanted.length; start += filesPerRequest) {
      if (!mayContinue()) return { ...result, complete: false };
      const batch = wanted.slice(start, start + filesPerRequest);
      const { unreadable, missing } = await readBatch(context, batch);
      for (const file of [...unreadable, ...missing]) passedOver.add(nameFile(file));
      if (unreadable.length > 0) result.complete = false;
      result.filesRead += batch.length;
    }
  }
  return { ...result, complete: false };
}

function listUsesInTurn(direct: readonly DirectUse[], followed: ReadonlyMap<string, UsedInTurn>): UsesInTurn {
  const found = direct.map((use) => ({ use, inTurn: followed.get(usedRefKey(use)) as UsedInTurn }));
  return {
    uses: found.flatMap(({ use, inTurn }) =>
      inTurn.refs.map((ref) => ({ ...ref, through: nameUse(use), workflows: use.workflows })),
    ),
    unknown: found.flatMap(({ inTurn }) => inTurn.unknown),
  };
}

/** A commit of one repository may be requested of another, which does not have it. */
export const nameFile = (file: NeededFile) => `${file.actionKey} ${toKey(file)}`;

const toKey = ({ commit, path }: Pick<NeededFile, 'commit' | 'path'>) => `${commit} ${path}`;

/** By use, whoever has it; `commits` are those that refs lead to. Files are looked up level by level. */
export async function followAll(
  store: LedgerContext['store'],
  uses: readonly UsedRef[],
  commits: ReadonlyMap<string, string>,
): Promise<Map<string, UsedInTurn>> {
  const requested = new Set<string>();
  const files = new Map<string, KnownFile>();
  const known: KnownFiles = {
    commitOf: ({ actionKey, ref }) => commits.get(`${actionKey} ${ref}`) ?? null,
    fileAt: (path, commit) => files.get(toKey({ path, commit })),
  };
  for (;;) {
    const followed = new Map(uses.map((use) => [usedRefKey(use), followUse(use, known)]));
    const needed = new Set([...followed.values()].flatMap((one) => one.needed.map(({ commit }) => commit)));
    const unrequested = [...needed].filter((commit) => !requested.has(commit));
    if (unrequested.length === 0) return followed;
    for (const commit of unrequested) requested.add(commit);
    for (const one of await store.actionUses.actionFiles(unrequested, ruleVersion)) files.set(toKey(one), one);
  }
}

/** What files of actions are read with. */
export interface FileContext extends Pick<LedgerContext, 'store' | 'signal'> {
  codehost: Pick<LedgerContext['codehost'], 'actionFiles'>;
  services: Pick<LedgerContext['services'], 'scanner' | 'clock'>;
}

interface UnreadFiles {
  /** Those that could not be read this time. */
  unreadable: NeededFile[];
  /** Those that the repository has not at that commit. Another may have them: nothing is stored. */
  missing: NeededFile[];
  /** Whether another try may read some: the request failed, or a file was not scanned. */
  hasFailed: boolean;
}

/** Stores files, and answers those that were not read. */
export async function readBatch(context: FileContext, batch: readonly NeededFile[]): Promise<UnreadFiles> {
  const { codehost, store, services, signal } = context;
  const answers = await codehost.actionFiles(batch).catch(passOver);
  signal.throwIfAborted();
  if (answers instanceof Problem) return { unreadable: [...batch], missing: [], hasFailed: true };
  const unread: UnreadFiles = { unreadable: [], missing: [], hasFailed: false };
  for (const [index, file] of batch.entries()) {
    const answer = answers[index] ?? 'unreadable';
    if (answer === 'not_found') {
      unread.missing.push(file);
      continue;
    }
    if (answer === 'unreadable') {
      unread.unreadable.push(file);
      continue;
    }
    const { repositoryId: codehostId, isPrivate } = answer;
    await store.actionUses.putRepository(file.actionKey, { codehostId, isPrivate });
    const known = await scan(answer, services);
    if (known === 'unreadable') {
      unread.unreadable.push(file);
      unread.hasFailed = true;
    } else await store.actionUses.putActionFile({ commit: file.commit, path: file.path, ...known }, ruleVersion);
  }
  return unread;
}

async function scan(
  { path, text, leadsTo, repositoryId, isPrivate }: FoundFile,
  { scanner, clock }: FileContext['services'],
): Promise<KnownFile | 'unreadable'> {
  const around = { visibility: 'public', largerRunnerLabels: [], actions: null } as const;
  const outcome = await scanner.run({ path, text, around, now: clock.now() }, fileMs, waitMs);
  if (outcome.state !== 'done') return 'unreadable';
  const uses = outcome.result.parseError === null ? outcome.result.uses : null;
  return { uses, leadsTo, privateSource: isPrivate ? repositoryId : null };
}
