import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { ActionAdvisory } from '../../scan/action-knowledge.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { deniedErrors } from '../client/part-errors.ts';
import { readableOnly } from '../client/readable-items.ts';
import type { PartError, Transport } from '../client/transport.ts';

/** A repository of actions, and what is requested about it. */
export interface ActionRequest extends RepositoryName {
  /** Qualified: `refs/tags/v4`. */
  refs: readonly string[];
  /** Ids of commits, or of tags with a message. */
  objects: readonly string[];
}

/** A branch or tag, and the commit it leads to. */
export interface FoundRef {
  /** Qualified. */
  ref: string;
  commit: string;
}

/** What was answered about a public repository of actions. */
export interface AnsweredAction {
  /** The name it has now, in its own case. */
  name: string;
  isArchived: boolean;
  /** The newest hundred; null when not reported. */
  tags: FoundRef[] | null;
  /** Those among the requested ones that exist. */
  refs: FoundRef[];
  /** Commits behind the requested ids. */
  commits: Map<string, string>;
  /** Under the name of the request; null when not requested or not reported, or more than a page. */
  advisories: ActionAdvisory[] | null;
}

/**
 * Requests several repositories at once, with the advisories about them or without: null where there is no public one,
 * undefined where nothing was reported.
 */
export async function requestActions(
  transport: Transport,
  requested: readonly ActionRequest[],
  withAdvisories: boolean,
): Promise<(AnsweredAction | null | undefined)[]> {
  const names = requested.map(({ owner, repo }, index) => [`p${index}`, `${owner}/${repo}`]);
  const published: Record<string, string> = withAdvisories ? Object.fromEntries(names) : {};
  const variables: Record<string, string> = Object.assign(published, ...requested.map(toVariables));
  const fields = [
    ...requested.map(actionFields),
    ...(withAdvisories ? requested.map((_, index) => advisoryFields(index)) : []),
  ];
  return requestAll(transport, {
    operation: 'actions',
    query: `query Actions(${declared(variables)}) {\n  ${rateLimitCost}\n  ${fields.join('\n  ')}\n}`,
    variables,
    read: (data, errors) =>
      requested.map((one, index) => answerAt(z.record(z.string(), z.unknown()).parse(data), errors, one, index)),
  });
}

/** Advisories about actions by the names they are published under, in the same order. */
export async function requestAdvisories(
  transport: Transport,
  names: readonly string[],
): Promise<(ActionAdvisory[] | null)[]> {
  const variables = Object.fromEntries(names.map((name, index) => [`p${index}`, name]));
  const fields = names.map((_, index) => advisoryFields(index));
  return requestAll(transport, {
    operation: 'advisories about actions',
    query: `query ActionAdvisories(${declared(variables)}) {\n  ${rateLimitCost}\n  ${fields.join('\n  ')}\n}`,
    variables,
    read(data) {
      const found = z.record(z.string(), z.unknown()).parse(data);
      return names.map((_, index) => advisoriesIn(found[`v${index}`]));
    },
  });
}

const toVariables = ({ owner, repo, refs, objects }: ActionRequest, index: number) => ({
  [`o${index}`]: owner,
  [`n${index}`]: repo,
  ...Object.fromEntries(refs.map((ref, at) => [`r${index}_${at}`, ref])),
  ...Object.fromEntries(objects.map((id, at) => [`c${index}_${at}`, id])),
});

const declared = (variables: Record<string, string>) =>
  Object.keys(variables)
    .map((name) => `$${name}: ${name.startsWith('c') ? 'GitObjectID!' : 'String!'}`)
    .join(', ');

const targetFields = '__typename oid ... on Tag { target { __typename oid } }';
const refFields = `name prefix target { ${targetFields} }`;

function actionFields({ refs, objects }: ActionRequest, index: number): string {
  const wanted = [
    ...refs.map((_, at) => `r${at}: ref(qualifiedName: $r${index}_${at}) { ${refFields} }`),
    ...objects.map((_, at) => `c${at}: object(oid: $c${index}_${at}) { ${targetFields} }`),
  ];
  const newest = 'first: 100, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }';
  return `a${index}: repository(owner: $o${index}, name: $n${index}) {
    nameWithOwner visibility isArchived
    tags: refs(refPrefix: "refs/tags/", ${newest}) { nodes { ${refFields} } }
    ${wanted.join('\n    ')}
  }`;
}

const advisoryFields = (
  index: number,
) => `v${index}: securityVulnerabilities(ecosystem: ACTIONS, package: $p${index}, first: 50) {
    nodes { vulnerableVersionRange firstPatchedVersion { identifier } advisory { ghsaId withdrawnAt } }
    pageInfo { hasNextPage }
  }`;

const target = z
  .object({
    __typename: z.string(),
    oid: z.string(),
    target: z.object({ __typename: z.string(), oid: z.string() }).nullish(),
  })
  .transform(({ target: inner, ...outer }) => inner ?? outer)
  // A tag of a tag is excluded: nobody makes them on purpose.
  .transform(({ __typename, oid }) => (__typename === 'Commit' ? oid : null));

const wireRef = z
  .object({ name: z.string(), prefix: z.string(), target: target.nullish() })
  .transform(({ name, prefix, target: commit }): FoundRef[] => (commit ? [{ ref: prefix + name, commit }] : []));

const wireAction = z
  .object({
    nameWithOwner: z.string(),
    visibility: z.string(),
    isArchived: z.boolean(),
    tags: z.object({ nodes: readableOnly(wireRef.nullable()).nullish() }).nullish(),
  })
  .catchall(z.unknown());

function answerAt(
  data: Record<string, unknown>,
  errors: PartError[],
  { refs, objects }: ActionRequest,
  index: number,
): AnsweredAction | null | undefined {
  const about = errors.filter(({ path }) => path?.[0] === `a${index}`);
  const found = wireAction.nullish().catch(undefined).parse(data[`a${index}`]);
  if (!found) return about.some(({ type }) => deniedErrors.has(type)) ? null : undefined;
  if (found.visibility !== 'PUBLIC') return null;
  // What is missing with an error is not known to be missing.
  if (about.length > 0) return undefined;
  const readCommit = (at: number) => target.nullish().catch(null).parse(found[`c${at}`]);
  return {
    name: found.nameWithOwner,
    isArchived: found.isArchived,
    tags: found.tags?.nodes?.flatMap((one) => one ?? []) ?? null,
    // The platform may give one of another kind where the name fits.
    refs: refs.flatMap((ref, at) =>
      (wireRef.nullish().catch(null).parse(found[`r${at}`]) ?? []).filter((one) => one.ref === ref),
    ),
    commits: new Map(objects.flatMap((id, at) => (readCommit(at) ? [[id, readCommit(at) as string]] : []))),
    advisories: advisoriesIn(data[`v${index}`]),
  };
}

const wireAdvisories = z
  .object({
    nodes: z.array(
      z.object({
        vulnerableVersionRange: z.string(),
        firstPatchedVersion: z.object({ identifier: z.string() }).nullish(),
        advisory: z.object({ ghsaId: z.string().regex(/^GHSA(-[\da-z]{4}){3}$/), withdrawnAt: z.string().nullish() }),
      }),
    ),
    pageInfo: z.object({ hasNextPage: z.boolean() }),
  })
  .nullish()
  .catch(null);

/** Withdrawn ones are excluded. A list that goes on is as good as none: what is not in it is not known. */
function advisoriesIn(data: unknown): ActionAdvisory[] | null {
  const found = wireAdvisories.parse(data);
  if (!found || found.pageInfo.hasNextPage) return null;
  return found.nodes.flatMap(({ advisory, vulnerableVersionRange: range, firstPatchedVersion }) =>
    advisory.withdrawnAt ? [] : [{ id: advisory.ghsaId, range, patched: firstPatchedVersion?.identifier ?? null }],
  );
}
