import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { Operation } from '../api/operation.ts';
import { fieldMessage } from '../platform/fields.ts';
import { type FieldProblem, invalidRequest, Problem } from '../platform/problem.ts';
import { parsedValues, takesList } from './texts.ts';

/** The input of a request before it is validated. */
export interface RawInput {
  values: Record<string, unknown>;
  /** Keys that came more than once. */
  duplicates: string[];
  /** Keys of a body that the operation does not take there; those of a query are ignored. */
  unknown: string[];
  /** Keys of a query beside a body. */
  misplaced?: string[];
}

/** Whatever carries the bytes of a body; a `Request` does. */
export interface RequestBody {
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | null;
}

const bodyLimit = 64 * 1024;

type Declared = Pick<Operation, 'method' | 'input' | 'query'>;

/** The query and the path of a request as texts, as pages ask with. An empty value counts as absent. */
export function readQuery(search: URLSearchParams, params: Record<string, string | undefined> = {}): RawInput {
  const values: Record<string, unknown> = {};
  const duplicates: string[] = [];
  // Grouped in one pass: a search per key takes seconds for a form of 64 KiB with thousands of keys.
  for (const [key, given] of Map.groupBy(search, ([name]) => name)) {
    if (given.length > 1) duplicates.push(key);
    const [[, value] = []] = given;
    if (value) values[key] = value;
  }
  for (const [key, value] of Object.entries(params)) if (value) values[key] = value;
  return { values, duplicates, unknown: [] };
}

/**
 * What an API request gives an operation: reads and deletions by the query, other writes by a JSON body, whose values
 * keep their types. A write takes of its query only what it declares to stand there, and nothing beside a body.
 */
export async function readRequest(
  context: Context,
  request: RequestBody,
  params: Record<string, string>,
  { method, input, query }: Declared,
): Promise<RawInput> {
  const inQuery = method === 'GET' || method === 'DELETE' ? Object.keys(input.shape) : (query ?? []);
  const search = [...context.url.searchParams].filter(([key]) => inQuery.includes(key));
  const { values, duplicates } = readQuery(new URLSearchParams(search), params);
  const body = method === 'GET' ? {} : await readJson(context, request);
  const inBody = method === 'DELETE' ? {} : input.shape;
  const keys = Object.keys(body);
  const isMixed = method !== 'DELETE' && keys.length > 0;
  return {
    values: { ...parsedValues(input, values), ...body },
    // What the path or the query names is not named again by the body.
    duplicates: [...duplicates, ...keys.filter((key) => Object.hasOwn(values, key))],
    unknown: keys.filter((key) => !Object.hasOwn(inBody, key)),
    misplaced: isMixed ? search.map(([key]) => key).filter((key) => !Object.hasOwn(body, key)) : [],
  };
}

/** The same of an address that is given away: nothing in it is ignored. */
export async function readAddress(
  { url }: Context,
  _request: RequestBody,
  params: Record<string, string>,
  { input }: Declared,
): Promise<RawInput> {
  const { values, duplicates } = readQuery(url.searchParams, params);
  const unknown = [...new Set(url.searchParams.keys())].filter((key) => !Object.hasOwn(input.shape, key));
  return { values: parsedValues(input, values), duplicates, unknown };
}

async function readJson({ headers }: Context, request: RequestBody): Promise<Record<string, unknown>> {
  const text = (await readBytes(request, bodyLimit)).toString('utf8');
  if (text.trim() === '') return {};
  if (!/^application\/(.+\+)?json\b/i.test(headers.get('content-type') ?? ''))
    throw new Problem('unsupported_media_type', 'Send the body as application/json.');
  return parseJson(text);
}

/**
 * The fields of a form, without the ones that belong to the form itself. A list of which nothing is ticked is empty.
 */
export function readForm(
  form: FormData,
  params: Record<string, string | undefined>,
  { input }: Pick<Operation, 'input'>,
): RawInput {
  const search = new URLSearchParams();
  for (const [key, value] of form) if (typeof value === 'string' && !formOwn.has(key)) search.append(key, value);
  const { values, duplicates } = readQuery(search, params);
  const lists = Object.keys(input.shape).filter((key) => takesList(input.shape[key]));
  for (const key of lists) values[key] = search.getAll(key);
  return {
    values: parsedValues(input, values),
    duplicates: duplicates.filter((key) => !lists.includes(key)),
    unknown: [],
  };
}

const formOwn = new Set(['intent', 'csrf', 'return_to']);

/**
 * The bytes of a body; `onBytes` gets the size of each part before it is stored, and may reject it.
 * @throws Problem `payload_too_large` beyond `limit` bytes, `invalid_request` when it broke off.
 */
export async function readBytes(
  { headers, body }: RequestBody,
  limit: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Buffer<ArrayBuffer>> {
  if (Number(headers.get('content-length')) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      onBytes(chunk.byteLength);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('invalid_request', 'The body broke off.', { details: { fields: [] } });
  }
  return Buffer.concat(chunks);
}

const tooLarge = (limit: number) => new Problem('payload_too_large', `The body is larger than ${limit / 1024} KiB.`);

function parseJson(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (body && typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    // Answered below, like a body that is no object.
  }
  throw new Problem('invalid_request', 'The body is not a JSON object.', { details: { fields: [] } });
}

/** The input an operation declared, or a 400 that names every field at fault. */
export function parseInput<In extends z.ZodObject>(
  { input }: Pick<Operation<In>, 'input'>,
  raw: RawInput,
  reply: Reply,
): z.output<In> {
  const fields: FieldProblem[] = [
    ...raw.duplicates.map((field) => problem(field, 'duplicate', 'is given more than once')),
    ...raw.unknown.map((field) => problem(field, 'unknown', 'is unknown')),
    ...(raw.misplaced ?? []).map((field) => problem(field, 'unknown', 'must stand in the body, as the others do')),
  ];
  const result = input.safeParse(raw.values, { error: fieldMessage });
  if (!result.success) fields.push(...result.error.issues.map((issue) => fieldProblem(issue, raw.values)));
  if (fields.length > 0 || !result.success) throw invalidRequest(fields, allowedValues(result.error));
  reportClamped(raw.values, result.data, reply);
  return result.data;
}

const problem = (field: string, reason: FieldProblem['reason'], phrase: string): FieldProblem => ({
  field,
  reason,
  message: `${field} ${phrase}.`,
});

function fieldProblem(issue: z.core.$ZodIssue, values: Record<string, unknown>): FieldProblem {
  const field = String(issue.path[0] ?? '');
  const phrase = issue.message.replace(/\.$/, '');
  if (values[field] === undefined) return problem(field, 'missing', issue.code === 'custom' ? phrase : 'is required');
  return problem(field, 'invalid', phrase);
}

/** The values of which one had to be given, when that is what was wrong. */
const allowedValues = (error: z.ZodError | undefined): string[] | undefined =>
  error?.issues.find((issue) => issue.code === 'invalid_value')?.values.map(String);

/** A limit above its maximum is taken as the maximum, and the answer reports it. */
function reportClamped(given: Record<string, unknown>, taken: Record<string, unknown>, reply: Reply): void {
  for (const key of ['per_page', 'limit', 'count'])
    if (given[key] !== undefined && Number(given[key]) !== taken[key])
      reply.headers.set('X-Effective-Limit', String(taken[key]));
}
