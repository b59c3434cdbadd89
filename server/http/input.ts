import { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { Operation } from '../api/operation.ts';
import { type FieldProblem, invalidRequest, Problem } from '../platform/problem.ts';

/** What a request says before anybody checked it. */
export interface RawInput {
  values: Record<string, unknown>;
  /** Keys that came more than once. */
  duplicates: string[];
  /** Keys that came in a body; unknown ones are refused, unlike those of a query. */
  bodyKeys: string[];
}

/** Whatever carries the bytes of a body; a `Request` does. */
export interface RequestBody {
  readonly body: AsyncIterable<Uint8Array> | null;
}

const bodyLimit = 64 * 1024;

/** The query and the path of a request, as pages ask with. An empty value counts as absent. */
export function readQuery(search: URLSearchParams, params: Record<string, string | undefined> = {}): RawInput {
  const values: Record<string, unknown> = {};
  const duplicates: string[] = [];
  for (const key of new Set(search.keys())) {
    const given = search.getAll(key);
    if (given.length > 1) duplicates.push(key);
    if (given[0]) values[key] = given[0];
  }
  for (const [key, value] of Object.entries(params)) if (value) values[key] = value;
  return { values, duplicates, bodyKeys: [] };
}

/** Query, path and JSON body of an API request. */
export async function readRequest(
  context: Context,
  request: RequestBody,
  params: Record<string, string>,
): Promise<RawInput> {
  const input = readQuery(context.url.searchParams, params);
  if (context.method === 'GET' || context.method === 'HEAD') return input;
  const text = (await readBytes(request, bodyLimit)).toString('utf8');
  if (text.trim() === '') return input;
  if (!/^application\/(.+\+)?json\b/i.test(context.headers.get('content-type') ?? ''))
    throw new Problem('unsupported_media_type', 'Send the body as application/json.');
  const body = parseJson(text);
  const bodyKeys = Object.keys(body);
  // What the path names is not named again by the body.
  const duplicates = [...input.duplicates, ...bodyKeys.filter((key) => Object.hasOwn(params, key))];
  return { values: { ...input.values, ...body }, duplicates, bodyKeys };
}

/**
 * The fields of a form, without the ones that belong to the form itself. A form knows texts only: what the operation
 * declares as a list or a yes-or-no is read as such, and a list of which nothing is ticked is empty.
 */
export function readForm(
  form: FormData,
  params: Record<string, string | undefined>,
  { input }: Pick<Operation, 'input'>,
): RawInput {
  const search = new URLSearchParams();
  for (const [key, value] of form) if (typeof value === 'string' && !formOwn.has(key)) search.append(key, value);
  const { values, duplicates } = readQuery(search, params);
  const listed = new Set<string>();
  for (const [key, schema] of Object.entries(input.shape)) {
    if (schema instanceof z.ZodBoolean && /^(true|false)$/.test(String(values[key])))
      values[key] = values[key] === 'true';
    if (!(schema instanceof z.ZodArray)) continue;
    values[key] = search.getAll(key);
    listed.add(key);
  }
  return { values, duplicates: duplicates.filter((key) => !listed.has(key)), bodyKeys: [] };
}

const formOwn = new Set(['intent', 'csrf', 'return_to']);

/** The bytes of a body. @throws Problem `payload_too_large` beyond `limit` bytes, `invalid_request` when it broke off. */
export async function readBytes({ body }: RequestBody, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > limit) throw new Problem('payload_too_large', `The body is larger than ${limit / 1024} KiB.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('invalid_request', 'The body broke off.', { details: { fields: [] } });
  }
  return Buffer.concat(chunks);
}

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
    ...raw.bodyKeys
      .filter((key) => !Object.hasOwn(input.shape, key))
      .map((field) => problem(field, 'unknown', 'is not known')),
  ];
  const result = input.safeParse(raw.values);
  if (!result.success) fields.push(...result.error.issues.map((issue) => fieldProblem(issue, raw.values)));
  if (fields.length > 0 || !result.success) throw invalidRequest(fields, allowedValues(result.error));
  sayClamped(raw.values, result.data, reply);
  return result.data;
}

const problem = (field: string, reason: FieldProblem['reason'], words: string): FieldProblem => ({
  field,
  reason,
  message: `${field} ${words}.`,
});

function fieldProblem(issue: z.core.$ZodIssue, values: Record<string, unknown>): FieldProblem {
  const field = String(issue.path[0] ?? '');
  const words = issue.message.replace(/\.$/, '');
  if (values[field] === undefined) return problem(field, 'missing', issue.code === 'custom' ? words : 'is required');
  return problem(field, 'invalid', words);
}

/** The values of which one had to be given, when that is what was wrong. */
const allowedValues = (error: z.ZodError | undefined): string[] | undefined =>
  error?.issues.find((issue) => issue.code === 'invalid_value')?.values.map(String);

/** A limit above its maximum is taken as the maximum, and the answer says so. */
function sayClamped(given: Record<string, unknown>, taken: Record<string, unknown>, reply: Reply): void {
  for (const key of ['per_page', 'limit', 'count'])
    if (given[key] !== undefined && Number(given[key]) !== taken[key])
      reply.headers.set('X-Effective-Limit', String(taken[key]));
}
