import { z } from 'zod';
import type { FactKind, FactOf } from '../../facts/fact-repository.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { createPageReader, noItems, rateLimitCost } from '../client/graphql-pages.ts';
import { deniedErrors, dependsOnSize } from '../client/part-errors.ts';
import { mergeExcluded } from '../client/readable-items.ts';
import { type Attempt, shrinking } from '../client/shrinking.ts';
import { noTotals } from '../client/totals.ts';
import type { PartError } from '../client/transport.ts';
import { type DeliveryContext, repositoryIn, repositoryNameField, repositoryVariables } from '../delivery/context.ts';
import { comparison } from '../repositories/commits-wire.ts';
import type { Wanted } from './client.ts';
import type { Part, PartAnswer, Parts, Row } from './parts.ts';

/** What a repository answered about one kind beside the others. */
export interface Answered<Fact> extends PartAnswer<Fact> {
  /** true when nothing of the page is missing. */
  complete: boolean;
}

/** Kinds that the token may not read, or that are switched off, are absent. */
export type Answers = { [Kind in FactKind]?: Answered<FactOf[Kind]> };

/** What is requested of which repository. */
export interface ChangesRequest {
  context: DeliveryContext;
  parts: Parts;
  name: RepositoryName;
  wanted: Wanted;
}

/** Requests the first page of every wanted kind at once; for half as many items where the platform gives up. */
export const requestTogether = (request: ChangesRequest): Promise<Answers> =>
  shrinking((share) => requestOnce(request, share));

/** Requests further pages of one kind alone. */
export function pagesAlone<Kind extends FactKind>(request: ChangesRequest, kind: Kind) {
  const part = request.parts[kind] as Part<FactOf[Kind]>;
  // What the branch was is compared once.
  const wanted = { [kind]: { since: request.wanted[kind]?.since ?? 0, head: null } };
  return createPageReader<Row<FactOf[Kind]>>(request.context.transport, {
    operation: `more changes of ${kind.replace('_', ' ')}`,
    query: buildQuery([{ kind, part, page: 'first: $first, after: $after' }], { first: 'Int!', after: 'String' }),
    variables: buildVariables({ ...request, wanted }, [kind]),
    first: part.alone,
    read: (data) => part.schema.nullish().parse(answersSchema.parse(data)[kind])?.page ?? noItems,
  });
}

function requestOnce(request: ChangesRequest, share: number): Promise<Attempt<Answers>> {
  const { context, parts, name, wanted } = request;
  const kinds = kindsIn(wanted);
  const requests = kinds.map((kind): PartRequest => {
    const part: Part<unknown> = parts[kind];
    return { kind, part, page: `first: ${Math.floor(part.first * share)}` };
  });
  const inRepository = repositoryIn(context, name, { hasIssuesEnabled: z.boolean() });
  return context.transport.graphql({
    operation: 'changes',
    query: buildQuery(requests, {}),
    variables: buildVariables(request, kinds),
    retry: false,
    read(data, given) {
      const errors = given.filter(isAboutFacts);
      const { hasIssuesEnabled } = inRepository(data, errors);
      const answers = answersSchema.parse(data);
      // Of any kind: nothing says which.
      const isUnplaced = errors.some(({ path }) => (path ?? []).length === 0);
      const readable = requests.filter(({ kind }) => kind !== 'issues' || hasIssuesEnabled);
      const value = Object.fromEntries(
        readable.flatMap(({ kind, part }) => {
          const own = errors.filter(({ path }) => path?.[0] === kind);
          const answer = answered(part, answers[kind], own);
          return answer ? [[kind, { ...answer, complete: answer.complete && !isUnplaced }]] : [];
        }),
      ) as Answers;
      const pages = Object.values(value).flatMap(({ page }) => page ?? []);
      context.transport.warnExcluded('changes', mergeExcluded(pages));
      return { value, isTruncated: errors.some(dependsOnSize) };
    },
  });
}

/** A comparison with a commit that the platform no longer has gives no result, and fails nothing else. */
const isAboutFacts = ({ path }: PartError) => !path?.includes(comparison);

export const kindsIn = (wanted: Wanted) => Object.keys(wanted) as FactKind[];

const answersSchema = z.record(z.string(), z.unknown());

/** Reads one kind with the errors about it; null when the token may not read it. */
function answered(part: Part<unknown>, data: unknown, errors: PartError[]): Answered<unknown> | null {
  const ofAll = errors.filter(({ path }) => !path.includes('nodes'));
  if (ofAll.some(({ type }) => deniedErrors.has(type))) return null;
  const answer = ofAll.length > 0 ? null : part.schema.nullish().parse(data);
  if (!answer?.page) return { page: null, totals: noTotals, added: null, complete: false };
  // A requested team that the token may not read takes no item away.
  const hasGaps = answer.page.excluded !== null || !errors.every(({ path }) => path.includes('requestedReviewer'));
  return { ...answer, complete: !hasGaps };
}

interface PartRequest {
  kind: FactKind;
  part: Part<unknown>;
  /** Arguments of the page. */
  page: string;
}

/**
 * Each kind is requested of the repository under a name of its own, so that a rejected one takes nothing else along.
 */
function buildQuery(parts: PartRequest[], more: Record<string, string>): string {
  const declared = Object.assign(
    { owner: 'String!', name: 'String!' },
    more,
    ...parts.map(({ part }) => part.variables),
  ) as Record<string, string>;
  const fragments = new Set(parts.flatMap(({ part }) => part.fragments));
  const ofRepository = (fields: string) => `repository(owner: $owner, name: $name) { ${fields} }`;
  return `
query Changes(${Object.entries(declared)
    .map(([name, type]) => `$${name}: ${type}`)
    .join(', ')}) {
  ${rateLimitCost}
  ${ofRepository(`${repositoryNameField} hasIssuesEnabled`)}
  ${parts.map(({ kind, part, page }) => `${kind}: ${ofRepository(part.fields(page))}`).join('\n  ')}
}
${[...fragments].join('\n')}`;
}

function buildVariables({ parts, name, wanted }: ChangesRequest, kinds: FactKind[]): Record<string, string | boolean> {
  const values = kinds.map((kind) => wanted[kind] && parts[kind].toVariables(wanted[kind]));
  return Object.assign(repositoryVariables(name), ...values);
}
