import { z } from 'zod';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { isOnBranch } from '../action-references/reach.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { isPossibleName, repositoryParams } from '../client/names.ts';
import type { PartError, Transport } from '../client/transport.ts';
import { instant } from '../client/wire.ts';
import { objectFields, peel, wireObject } from './objects.ts';

/** A repository, and the refs of it that workflow files name. */
export interface RefQuestion extends RepositoryName {
  /** As written; none is a commit SHA. */
  refs: readonly string[];
}

/** What a ref leads to. */
export interface FoundTarget {
  commit: string;
  /** The id of the tag itself, where it has a message; of a tag of a tag that of the outermost. */
  tagObject: string | null;
  isBranch: boolean;
  /** The platform's id of the release of this tag; null without one. */
  releaseId: number | null;
}

/** A published release, as far as it tells whether its tag can move. */
export interface FoundRelease {
  /** null where the platform does not say. */
  immutable: boolean | null;
  publishedAt: Instant | null;
}

/** What was answered about a repository. */
export interface FoundRefs {
  /** The platform's id of the repository that has the name now, or that was renamed from it. */
  repositoryId: number;
  /** Its name in lower case. */
  name: string;
  /** Whether not everybody may see it. */
  isPrivate: boolean;
  /** By ref as written; null for one that is not there. What could not be read is absent. */
  targets: Map<string, FoundTarget | null>;
}

/**
 * How a commit stands to another: `ahead` when that one is among its ancestors, `unrelated` where the repository has the
 * commit and none that the two have in common, or the other one no more.
 */
export type CommitComparison = 'ahead' | 'identical' | 'behind' | 'diverged' | 'unrelated';

export interface RefTargetReads {
  /**
   * Where refs of several repositories lead now, in one request; `not_found` where there is no repository that the token
   * can see, `unreadable` where the platform denied the answer or gave none. Throws `Problem`.
   */
  refTargets(questions: readonly RefQuestion[]): Promise<(FoundRefs | 'not_found' | 'unreadable')[]>;
  /** How `head` stands to `base`; null where the repository does not show `head`. Throws `Problem`. */
  compareCommits(name: RepositoryName, base: string, head: string): Promise<CommitComparison | null>;
  /**
   * Whether a branch leads to a commit, with up to five requests; null where not all branches could be compared with it.
   * Throws `Problem`.
   */
  isOnBranch(name: RepositoryName, commit: string): Promise<boolean | null>;
  /** A release by its id; null where it is not there any more. Throws `Problem`. */
  release(name: RepositoryName, releaseId: number): Promise<FoundRelease | null>;
}

/** Repositories, and refs of each, in one request. */
export const repositoriesPerRequest = 20;
export const refsPerRepository = 20;

async function hasCommit(transport: Transport, name: RepositoryName, commit: string): Promise<boolean> {
  const { fresh } = await transport.rest<'shown' | 'missing'>({
    operation: 'commit',
    route: 'GET /repos/{owner}/{repo}/commits/{ref}',
    params: { ...repositoryParams(name), ref: commit, per_page: 1 },
    read: (data) => (wireCommit.parse(data).sha === commit ? 'shown' : 'missing'),
    errorStatuses: [404, 422],
    fromError: () => 'missing',
  });
  return fresh?.value === 'shown';
}

/** Reads where refs of any repository lead. */
export const createRefTargets = (transport: Transport): RefTargetReads => ({
  async refTargets(questions) {
    const possible = questions.filter(isPossibleName);
    if (possible.length === 0) return questions.map(() => 'not_found');
    const found = await requestRefs(transport, possible);
    return questions.map((question) => found[possible.indexOf(question)] ?? 'not_found');
  },
  async compareCommits(name, base, head) {
    const { fresh } = await transport.rest<CommitComparison>({
      operation: 'comparison of commits',
      route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
      params: { ...repositoryParams(name), basehead: `${base}...${head}`, per_page: 1 },
      read: (data) => wireComparison.parse(data).status,
      fromError: ({ status }) => (status === 404 ? 'unrelated' : null),
    });
    if (fresh?.value !== 'unrelated') return fresh?.value ?? null;
    // The same answer is given about a repository that is hidden.
    return (await hasCommit(transport, name, head)) ? 'unrelated' : null;
  },
  isOnBranch: (name, commit) => isOnBranch(transport, { ...name, commit }),
  async release(name, releaseId) {
    const { fresh } = await transport.rest<FoundRelease | 'gone'>({
      operation: 'release',
      route: 'GET /repos/{owner}/{repo}/releases/{release_id}',
      params: { ...repositoryParams(name), release_id: releaseId },
      read(data) {
        const { immutable, published_at: publishedAt } = wireRelease.parse(data);
        return { immutable: immutable ?? null, publishedAt: publishedAt ?? null };
      },
      fromError: ({ status }) => (status === 404 ? 'gone' : null),
    });
    return fresh === null || fresh.value === 'gone' ? null : fresh.value;
  },
});

const wireCommit = z.object({ sha: z.string() });

const wireComparison = z.object({ status: z.enum(['ahead', 'identical', 'behind', 'diverged']) });

/** A short name is a tag's, else a branch's, as runners of workflows read it; one may say which: `heads/main`. */
function qualify(ref: string): string[] {
  if (ref.startsWith('refs/')) return [ref];
  const short = [`refs/tags/${ref}`, `refs/heads/${ref}`];
  return /^(?:heads|tags)\//.test(ref) ? [`refs/${ref}`, ...short] : short;
}

function requestRefs(transport: Transport, questions: readonly RefQuestion[]) {
  const variables = Object.assign({}, ...questions.map(toVariables)) as Record<string, string>;
  const declared = Object.keys(variables).map((name) => `$${name}: String!`);
  return requestAll(transport, {
    operation: 'targets of refs',
    query: `query RefTargets(${declared.join(', ')}) {\n  ${rateLimitCost}\n  ${questions.map(toFields).join('\n  ')}\n}`,
    variables,
    read: (data, errors) =>
      questions.map((one, index) => readRepository(z.record(z.string(), z.unknown()).parse(data), errors, one, index)),
  });
}

const toVariables = ({ owner, repo, refs }: RefQuestion, index: number) => ({
  [`o${index}`]: owner,
  [`n${index}`]: repo,
  ...Object.fromEntries(
    refs
      .flatMap(qualify)
      .flatMap((name, at) => [
        [`r${index}_${at}`, name],
        ...(name.startsWith(tagPrefix) ? [[`l${index}_${at}`, name.slice(tagPrefix.length)]] : []),
      ]),
  ),
});

function toFields({ refs }: RefQuestion, index: number): string {
  const wanted = refs
    .flatMap(qualify)
    .flatMap((name, at) => [
      `r${at}: ref(qualifiedName: $r${index}_${at}) { ${refFields} }`,
      ...(name.startsWith(tagPrefix) ? [`l${at}: release(tagName: $l${index}_${at}) { databaseId }`] : []),
    ]);
  const fields = ['databaseId', 'nameWithOwner', 'isPrivate', ...wanted].join('\n    ');
  return `a${index}: repository(owner: $o${index}, name: $n${index}) {\n    ${fields}\n  }`;
}

const tagPrefix = 'refs/tags/';

const refFields = `name prefix target { ${objectFields} }`;

function readRepository(
  data: Record<string, unknown>,
  errors: readonly PartError[],
  { refs }: RefQuestion,
  index: number,
): FoundRefs | 'not_found' | 'unreadable' {
  const about = errors.filter(({ path }) => path?.[0] === `a${index}`);
  const found = wireRepository.nullish().catch(undefined).parse(data[`a${index}`]);
  // Of what the token has no permission for, and of single sign-on, it is not known whether it is there.
  if (!found) return about.some(({ type }) => type === 'NOT_FOUND') ? 'not_found' : 'unreadable';
  // An error that names no place may be about any of them.
  const isSure = errors.every(({ path }) => (path?.length ?? 0) > 0);
  const places = refs.flatMap((ref) => qualify(ref).map((qualified) => ({ ref, qualified })));
  const targets = new Map<string, FoundTarget | null>();
  for (const ref of refs) {
    const own = places.flatMap((place, at) =>
      place.ref === ref ? [{ qualified: place.qualified, key: `r${at}`, release: found[`l${at}`] }] : [],
    );
    if (about.some(({ path }) => own.some(({ key }) => path[1] === key))) continue;
    const read = own.map((one) => readRef(found[one.key], one, isSure));
    // The first that is there is the one that is used; where it cannot be read, no other stands for it.
    const first = read.find((one) => one !== null) ?? null;
    if (first !== 'unreadable') targets.set(ref, first);
  }
  const { databaseId, nameWithOwner, isPrivate } = found;
  return { repositoryId: databaseId, name: nameWithOwner.toLowerCase(), isPrivate, targets };
}

/** null where there is no such ref: the platform may give one of another kind where the name fits. */
function readRef(
  value: unknown,
  { qualified, release }: { qualified: string; release: unknown },
  isNullSure: boolean,
): FoundTarget | 'unreadable' | null {
  if (value === null && isNullSure) return null;
  const { data } = wireRef.safeParse(value);
  if (!data) return 'unreadable';
  if (data.prefix + data.name !== qualified) return null;
  const { target } = data;
  const commit = peel(target);
  if (commit.__typename !== 'Commit') return 'unreadable';
  return {
    commit: commit.oid,
    tagObject: target.target ? target.oid : null,
    isBranch: data.prefix === 'refs/heads/',
    releaseId: wireReleaseId.parse(release)?.databaseId ?? null,
  };
}

const wireRef = z.object({
  name: z.string(),
  prefix: z.string(),
  target: wireObject,
});
const wireRepository = z
  .object({ databaseId: z.int(), nameWithOwner: z.string(), isPrivate: z.boolean() })
  .catchall(z.unknown());
const wireReleaseId = z.object({ databaseId: z.int().nullish() }).nullish().catch(null);
const wireRelease = z.object({ immutable: z.boolean().nullish(), published_at: instant.nullish() });
