import {
  type DocumentNode,
  execute,
  type GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Answer, expectRejected, ok } from './answers.ts';
import type { Fault } from './faults.ts';
import { servedField, viewOf } from './graphql-objects.ts';
import { costOf, type Price } from './graphql-price.ts';
import { graphqlSchema } from './graphql-schema.ts';
import { GraphqlRequestError } from './graphql-view.ts';
import { faultAnswer, type Incoming, tokenOf } from './respond.ts';
import type { DoubleToken } from './world.ts';

/** One error as the platform puts it: the type beside the message. */
interface WireError {
  type?: string;
  message: string;
  path?: readonly (string | number)[] | undefined;
  locations?: readonly { line: number; column: number }[] | undefined;
}

/** Executes a GraphQL request on the platform's own schema, within its limits. */
export async function answerGraphql(incoming: Incoming): Promise<Answer> {
  const { service, entry } = incoming;
  entry.resource = 'graphql';
  const token = tokenOf(incoming);
  const faulty = faultAnswer(incoming);
  if (faulty) return faulty;
  if (!token)
    return expectRejected(
      401,
      entry.token === null ? 'This endpoint requires you to be authenticated.' : 'Bad credentials',
    );
  if (entry.method !== 'POST') return expectRejected(404, 'Not Found');
  const body = requestOf(incoming.body);
  if (!body) return expectRejected(400, 'Problems parsing JSON');
  entry.graphql = body;
  const result = await answerDocument(incoming, token, body);
  return ok(result, { ...service.budgets.headers(token.login, 'graphql'), ...scopes(token) });
}

function requestOf(text: string): { query: string; variables: Record<string, unknown> } | null {
  try {
    const { query, variables } = JSON.parse(text) as { query?: unknown; variables?: Record<string, unknown> };
    return typeof query === 'string' ? { query, variables: variables ?? {} } : null;
  } catch {
    return null;
  }
}

const scopes = (token: DoubleToken): Record<string, string> =>
  token.scopes ? { 'x-oauth-scopes': token.scopes.join(', ') } : {};

async function answerDocument(
  incoming: Incoming,
  token: DoubleToken,
  { query, variables }: { query: string; variables: Record<string, unknown> },
): Promise<{ data?: unknown; errors?: WireError[] }> {
  const { service, entry, fault } = incoming;
  const read = readDocument(query);
  if (!read.document) {
    service.violations.push(...read.errors.map((error) => `Invalid GraphQL: ${error.message}`));
    return { errors: read.errors.map(wireError) };
  }
  entry.operation = read.operation.name?.value ?? null;
  const price = costOf(read.document, read.operation, variables);
  if (price.error) {
    service.violations.push(`GraphQL beyond the limits: ${price.error.message}`);
    return { errors: [price.error] };
  }
  if (fault?.kind === 'graphql_error') return { errors: [{ type: fault.type, message: fault.message ?? fault.type }] };
  if (!service.budgets.spend(token.login, 'graphql', price.cost)) return { errors: [rateLimited(service, token)] };
  entry.cost = price.cost;
  const result = await executed(incoming, token, read.document, variables, price);
  if (fault?.kind === 'nested_graphql') return withoutNested(result, fault.field, fault.type);
  if (fault?.kind === 'lost_repository') return withoutRepository(result, fault, variables);
  return fault?.kind === 'partial_graphql' ? withoutField(result, fault.field, fault.type, fault.message) : result;
}

type Document = { document: DocumentNode; operation: OperationDefinitionNode } | { document: null; errors: Faulty };
type Faulty = readonly GraphQLError[];

/** Clients send few documents, and checking one against the platform's schema takes longer than answering it. */
const readDocuments = new LRUCache<string, Document>({ max: 500 });

function readDocument(query: string): Document {
  const known = readDocuments.get(query) ?? checkDocument(query);
  readDocuments.set(query, known);
  return known;
}

function checkDocument(query: string): Document {
  try {
    const document = parse(query);
    const errors = validate(graphqlSchema(), document);
    const operation = getOperationAST(document);
    return errors.length || !operation ? { document: null, errors } : { document, operation };
  } catch (error) {
    return { document: null, errors: [error as GraphQLError] };
  }
}

async function executed(
  { service, entry, fault }: Incoming,
  token: DoubleToken,
  document: DocumentNode,
  variableValues: Record<string, unknown>,
  price: Price,
) {
  const fields = new Set<string>();
  const result = await execute({
    schema: graphqlSchema(),
    document,
    variableValues,
    rootValue: viewOf(service, token, price),
    fieldResolver: (source, given, context, info) => {
      const field = `${info.parentType.name}.${info.fieldName}`;
      fields.add(field);
      if (fault?.kind === 'failing_field' && fault.field === field)
        throw new GraphqlRequestError(fault.type, fault.message ?? 'This field fails.');
      return servedField(source, given, context, info);
    },
  });
  entry.fields = [...fields];
  for (const { originalError, message } of result.errors ?? [])
    if (!(originalError instanceof GraphqlRequestError)) service.violations.push(`The double failed: ${message}`);
  return { data: result.data, ...(result.errors ? { errors: result.errors.map(wireError) } : {}) };
}

function wireError(error: GraphQLError): WireError {
  const { message, path, locations, originalError } = error;
  const type = originalError instanceof GraphqlRequestError ? { type: originalError.type } : {};
  return { ...type, ...(path ? { path } : {}), ...(locations ? { locations } : {}), message };
}

function rateLimited({ world }: Incoming['service'], { login }: DoubleToken): WireError {
  const id = world.accounts.find((one) => one.login === login)?.id;
  return { type: 'RATE_LIMITED', message: `API rate limit exceeded for user ID ${id}.` };
}

const gaveUp = 'Something went wrong while executing your query.';

function withoutField(result: { data?: unknown; errors?: WireError[] }, field: string, type: string, message = gaveUp) {
  const data = { ...(result.data as Record<string, unknown>), [field]: null };
  return { data, errors: [...(result.errors ?? []), { type, path: [field], message }] };
}

function withoutRepository(
  result: { data?: unknown; errors?: WireError[] },
  { repo, type, message = gaveUp }: Extract<Fault, { kind: 'lost_repository' }>,
  variables: Record<string, unknown>,
) {
  const key = Object.keys(variables).find((one) => /^name\d+$/.test(one) && variables[one] === repo);
  if (key === undefined) return result;
  const alias = `r${key.slice('name'.length)}`;
  const data = { ...(result.data as Record<string, unknown>), [alias]: null };
  const error = { ...(type === null ? {} : { type }), path: [alias], message };
  return { data, errors: [...(result.errors ?? []), error] };
}

/** Only for fields that may be null: of others the platform drops what they are in. */
function withoutNested(result: { data?: unknown; errors?: WireError[] }, field: string, type: string | null) {
  const errors: WireError[] = [...(result.errors ?? [])];
  const strip = (value: unknown, path: (string | number)[]): unknown => {
    if (Array.isArray(value)) return value.map((one, index) => strip(one, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    if (path.length > 1 && path.at(-1) === field) {
      if (type !== null) errors.push({ type, path, message: 'This part is not told.' });
      return null;
    }
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strip(one, [...path, key])]));
  };
  const data = strip(JSON.parse(JSON.stringify(result.data ?? null)), []);
  return { data, ...(errors.length > 0 ? { errors } : {}) };
}
