import { comparison, headCommit } from './graphql-commits.ts';
import { connection, type Paging } from './graphql-connection.ts';
import type { View } from './graphql-view.ts';
import { type DoubleAdvisory, type DoubleRef, defaultRef, mergeStatus, refName, refsOf } from './refs.ts';
import type { DoubleRepository } from './world.ts';

/** The default branch; null in an empty repository. */
export function defaultBranch(view: View, one: DoubleRepository) {
  const branch = defaultRef(one);
  return branch ? shape(view, one, branch) : null;
}

/** A ref by its qualified name, else by its short one. */
export function refNamed(view: View, one: DoubleRepository, wanted: string) {
  const all = refsOf(one);
  const found = all.find((ref) => refName(ref) === wanted) ?? all.find(({ name }) => name === wanted);
  return found ? shape(view, one, found) : null;
}

/** Refs of one kind; tags newest first when requested so, else in the order of the alphabet. */
export function refs(view: View, one: DoubleRepository, args: Paging & { refPrefix: string; orderBy?: Order | null }) {
  const found = refsOf(one).filter((ref) => refName(ref).startsWith(args.refPrefix));
  const inOrder =
    args.orderBy?.field === 'TAG_COMMIT_DATE'
      ? found.toReversed()
      : found.toSorted((a, b) => a.name.localeCompare(b.name));
  return connection(inOrder, args, (ref) => shape(view, one, ref));
}

interface Order {
  field: string;
}

/** A commit or a tag with a message by its id, wherever in the network of forks it is; null for others. */
export function gitObject(one: DoubleRepository, id: string) {
  const tag = refsOf(one).find(({ object }) => object === id);
  if (tag) return targetOf(tag);
  const isKnown = one.forkCommits.includes(id) || refsOf(one).some(({ commits }) => commits.includes(id));
  return isKnown ? bareCommit(id) : null;
}

const bareCommit = (oid = '') => ({
  __typename: 'Commit',
  id: `C_${oid}`,
  oid,
  changedFilesIfAvailable: null,
  parents: () => ({ nodes: [] }),
});

const targetOf = ({ object, commits: [own], name }: DoubleRef) =>
  object ? { __typename: 'Tag', id: `T_${object}`, oid: object, name, target: bareCommit(own) } : bareCommit(own);

/** What is known of a commit that was added to a branch; null where none was. */
function addedCommit({ files, commits: [oid, parent] }: DoubleRef) {
  if (!files) return null;
  const parents = { nodes: [bareCommit(parent)] };
  return { ...bareCommit(oid), changedFilesIfAvailable: files.size, parents: () => parents };
}

function shape(view: View, one: DoubleRepository, ref: DoubleRef) {
  const isDefault = ref.kind === 'heads' && ref.name === one.facts.defaultBranch;
  return {
    __typename: 'Ref',
    id: `REF_${refName(ref)}`,
    prefix: `refs/${ref.kind}/`,
    name: ref.name,
    target: () => (isDefault ? headCommit(view, one) : (addedCommit(ref) ?? targetOf(ref))),
    refUpdateRule: isDefault ? protectionOf(one) : null,
    compare: ({ headRef }: { headRef: string }) =>
      compared((isDefault && comparison(one, headRef)) || mergeStatus(one, ref, headRef)),
  };
}

/** null where nothing is protected. */
const protectionOf = ({ requiredChecks: { byProtection } }: DoubleRepository) =>
  byProtection.length > 0 ? { requiredStatusCheckContexts: byProtection } : null;

function compared(state: { aheadBy: number; behindBy: number } | null) {
  if (!state) return null;
  const { aheadBy, behindBy } = state;
  const apart = behindBy > 0 ? 'BEHIND' : 'IDENTICAL';
  return { ...state, status: aheadBy === 0 ? apart : behindBy > 0 ? 'DIVERGED' : 'AHEAD' };
}

/** Published advisories about packages, or about one, whose name is compared letter by letter. */
export function vulnerabilities(
  advisories: readonly DoubleAdvisory[],
  args: Paging & { ecosystem?: string | null; package?: string | null },
) {
  const found = advisories.filter(
    (one) => args.ecosystem === 'ACTIONS' && (args.package == null || one.package === args.package),
  );
  return connection(found, args, (one) => ({
    vulnerableVersionRange: one.range,
    firstPatchedVersion: one.patched === null ? null : { identifier: one.patched },
    package: { name: one.package, ecosystem: 'ACTIONS' },
    advisory: {
      __typename: 'SecurityAdvisory',
      id: `SA_${one.id}`,
      ghsaId: one.id,
      withdrawnAt: one.withdrawn ? '2026-01-02T00:00:00Z' : null,
    },
  }));
}
