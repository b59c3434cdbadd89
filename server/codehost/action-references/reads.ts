import { type ActionAdvisory, type ActionUse, actionUseKey, type KnownAction } from '../../scan/action-knowledge.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import { isUnavailable } from '../client/part-errors.ts';
import type { Transport } from '../client/transport.ts';
import { areOnDefaultBranch, isReachable, type NamedCommit } from './reach.ts';
import { type ActionRequest, type AnsweredAction, requestActions, requestAdvisories } from './request.ts';

export interface ActionReferenceReads {
  /**
   * What the platform reports of actions at refs, each with its `actionUseKey`, as soon as it is known; null for one that
   * is not public or not there. Always a request to the platform: one for twenty repositories, one more where the
   * platform writes names otherwise or moved them, and for commits that no listed tag stands on one more for twenty,
   * then up to eight for each. Ends early when the requests are used up. Throws `Problem`.
   */
  actionReferences(uses: readonly ActionUse[], maxRequests: number): AsyncIterable<[string, KnownAction | null]>;
  /**
   * The tags on the commits that uses lead to, by their `actionUseKey`, as far as they are among the newest hundred of
   * the repository; null where these are not known, and for what is not public or not there, and left out where nothing
   * was reported. One request for twenty repositories. Throws `Problem`.
   */
  tagsOfActions(uses: readonly ActionUse[]): Promise<Map<string, readonly string[] | null>>;
}

/** Reads what the platform reports of the actions that workflow files use. */
export const createActionReferences = (transport: Transport): ActionReferenceReads => ({
  async *actionReferences(uses, maxRequests) {
    const limited = inBatches(transport, maxRequests);
    const possible = uses.filter(isPossible);
    for (const use of uses) if (!possible.includes(use)) yield [actionUseKey(use), null];
    for (const batch of toBatches(possible)) {
      try {
        yield* await readBatch(limited, batch);
      } catch (error) {
        if (error instanceof RequestsSpent) return;
        throw error;
      }
    }
  },
  async tagsOfActions(uses) {
    const tags = new Map<string, readonly string[] | null>();
    for (const batch of toBatches(uses.filter(isPossible))) {
      const answers = await requestActions(transport, batch.map(requestFor), false);
      for (const [use, known] of toKnown(batch, answers)) tags.set(actionUseKey(use), known?.tags ?? null);
    }
    return tags;
  },
});

/** The requests of one reading are used up. */
class RequestsSpent extends Error {}

function inBatches(transport: Transport, requests: number): Transport {
  let left = requests;
  return {
    ...transport,
    async graphql(question) {
      if (left <= 0) throw new RequestsSpent();
      left -= 1;
      return transport.graphql(question);
    },
  };
}

/** A name that the platform cannot have is not requested. */
function isPossible(use: ActionUse): boolean {
  try {
    repositoryParams(use);
    return true;
  } catch {
    return false;
  }
}

const actionsPerRequest = 20;
const usesPerAction = 20;

/** Uses by repository; one that is used at very many refs counts several times. */
function toBatches(uses: readonly ActionUse[]): ActionUse[][][] {
  const actions = [...Map.groupBy(uses, nameKey).values()].flatMap((all) => splitIntoChunks(all, usesPerAction));
  return splitIntoChunks(actions, actionsPerRequest);
}

const splitIntoChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

async function readBatch(
  transport: Transport,
  actions: readonly ActionUse[][],
): Promise<[string, KnownAction | null][]> {
  const answers = await requestActions(transport, actions.map(requestFor), true);
  const advisories = await underPresentNames(transport, actions, answers);
  const found = toKnown(
    actions,
    answers.map((answer, index) => answer && { ...answer, advisories: advisories[index] ?? null }),
  );
  await settleReach(transport, found);
  return found.map(([use, known]) => [actionUseKey(use), known]);
}

/** What is known of them without looking for where their commits come from. */
function toKnown(actions: readonly ActionUse[][], answers: Answers): [ActionUse, KnownAction | null][] {
  return actions.flatMap((uses, index): [ActionUse, KnownAction | null][] => {
    const answer = answers[index];
    return answer === undefined ? [] : uses.map((use) => [use, answer && toKnownAction(use, answer)]);
  });
}

type Answers = Awaited<ReturnType<typeof requestActions>>;

function requestFor(uses: ActionUse[]): ActionRequest {
  const [{ owner, repo }] = uses as [ActionUse];
  const objects = uses.filter(({ isSha }) => isSha).map(({ ref }) => ref);
  return { owner, repo, refs: [...new Set(uses.flatMap(listRefs))], objects: [...new Set(objects)] };
}

/** The qualified refs that are to be looked up for a use. */
const listRefs = (use: ActionUse): string[] =>
  use.isSha ? commentRefs(use) : use.ref.startsWith('refs/') ? [use.ref] : [toBranchRef(use), toTagRef(use)];

const toBranchRef = ({ ref }: ActionUse) => `refs/heads/${ref}`;
const toTagRef = ({ ref }: ActionUse) => `refs/tags/${ref}`;

/** A version in a comment may omit the `v` of its tag, or add one. */
const commentRefs = ({ comment }: ActionUse): string[] =>
  comment === null ? [] : [`refs/tags/${comment}`, `refs/tags/${comment.replace(/^v?(?=\d)/, (v) => (v ? '' : 'v'))}`];

/**
 * The advisories about each action. They are published under the name of the repository; where the file writes it in
 * another case, or by an earlier name, they are requested under the present one too.
 */
async function underPresentNames(
  transport: Transport,
  actions: readonly ActionUse[][],
  answers: Answers,
): Promise<(ActionAdvisory[] | null)[]> {
  const written = actions.map(([use]) => `${use?.owner}/${use?.repo}`);
  const others = answers.flatMap((answer, index) => (answer && answer.name !== written[index] ? [index] : []));
  const names = others.map((index) => answers[index]?.name ?? '');
  const more = names.length === 0 ? [] : await requestAdvisories(transport, names);
  return answers.map((answer, index) => {
    const first = answer?.advisories ?? null;
    if (!others.includes(index)) return first;
    const second = more[others.indexOf(index)] ?? null;
    if (first === null || second === null) return null;
    return [...new Map([...first, ...second].map((one) => [`${one.id} ${one.range}`, one])).values()];
  });
}

function toKnownAction(use: ActionUse, { isArchived, tags, refs, commits, advisories }: AnsweredAction): KnownAction {
  const commitByRef = new Map([...(tags ?? []), ...refs].map(({ ref, commit }) => [ref, commit]));
  const first = (names: string[]) => names.map((name) => commitByRef.get(name)).find((commit) => commit !== undefined);
  const commit = use.isSha ? commits.get(use.ref) : first([toTagRef(use), toBranchRef(use), use.ref]);
  const onCommit = [...commitByRef].flatMap(([ref, one]) =>
    one === commit && ref.startsWith('refs/tags/') ? [ref] : [],
  );
  return {
    isArchived,
    isBranchAndTag: !use.isSha && [toBranchRef(use), toTagRef(use)].every((ref) => commitByRef.has(ref)),
    commit: commit ?? null,
    tags: tags && onCommit.map((ref) => ref.slice('refs/tags/'.length)),
    commentedCommit: first(commentRefs(use)) ?? null,
    isReachable: use.isSha && onCommit.length > 0 ? true : null,
    advisories,
  };
}

/** Finds out where commits come from that no known tag stands on; left open when the platform cannot determine it. */
async function settleReach(transport: Transport, found: readonly [ActionUse, KnownAction | null][]): Promise<void> {
  const open = found.flatMap(([{ owner, repo, isSha }, known]) =>
    isSha && known?.commit && known.isReachable === null ? [{ owner, repo, commit: known.commit, known }] : [],
  );
  try {
    for (const piece of splitIntoChunks(open, actionsPerRequest)) {
      const areThere = await areOnDefaultBranch(transport, piece);
      for (const [index, one] of piece.entries()) one.known.isReachable = areThere[index] ? true : null;
    }
    for (const one of open) one.known.isReachable ??= await reachOrNull(transport, one);
  } catch (error) {
    if (!(error instanceof RequestsSpent)) throw error;
  }
}

/** Comparing many refs can be too much for the platform, which then omits the rest. */
async function reachOrNull(transport: Transport, commit: NamedCommit): Promise<boolean | null> {
  return isReachable(transport, commit).catch((error: unknown) => {
    if (isUnavailable(error)) return null;
    throw error;
  });
}
