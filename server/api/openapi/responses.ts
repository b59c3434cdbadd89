import { z } from 'zod';
import { problemStatus } from '../../platform/problem.ts';
import type { Operation } from '../operation.ts';
import { headerReferences, headersOnSuccess, ofLimits } from './headers.ts';

const problem = z
  .object({
    ok: z
      .literal(false)
      .optional()
      .meta({ description: 'Where every answer states whether it did what was requested.' }),
    error: z.string().meta({ description: 'A sentence that is safe to show.' }),
    code: z.string().meta({ description: 'Stable machine code.' }),
    flag: z.string().optional().meta({ description: 'The feature that is not granted.' }),
    details: z.record(z.string(), z.unknown()).optional(),
    request_id: z.string(),
  })
  .meta({ id: 'Problem' });

const hasBody = ({ method }: Operation) => method !== 'GET';
const isGuarded = ({ access }: Operation) => access.name !== 'anyone';
/** `ai/status` reads the settings alone. */
const readsPlatform = ({ path }: Operation) => /^\/api\/(advisor|codehost|explain|ai)\b(?!\/status$)/.test(path);
/** What is stored is shown to who may see the repository: while the platform cannot confirm it, it is a 503. */
const provesVisibility = (operation: Operation) => readsPlatform(operation) || /^\/api\/db\b/.test(operation.path);
const never = () => false;

interface Failure {
  status: number;
  meaning: string;
  /** Whether the declaration of an operation implies it; others name it among their `failures`. */
  isImplied(operation: Operation): boolean;
}

/** The failures that an operation can answer with. `default` describes any other. */
const failures: readonly Failure[] = [
  { status: 400, meaning: 'The request is malformed, or a field is missing or not valid', isImplied: () => true },
  { status: 401, meaning: 'Not authenticated', isImplied: isGuarded },
  { status: 403, meaning: 'Denied', isImplied: (operation) => isGuarded(operation) || operation.method !== 'GET' },
  { status: 404, meaning: 'Not found, or not visible to the caller', isImplied: provesVisibility },
  { status: 409, meaning: 'In conflict with what is stored', isImplied: never },
  { status: 410, meaning: 'Gone, or switched off', isImplied: provesVisibility },
  { status: 413, meaning: 'The body is too large', isImplied: hasBody },
  { status: 415, meaning: 'The body is not of the declared type', isImplied: hasBody },
  { status: 422, meaning: 'Rejected by GitHub', isImplied: never },
  { status: 429, meaning: 'Too many requests', isImplied: (operation) => isGuarded(operation) || !!operation.limit },
  { status: 502, meaning: 'GitHub or a provider could not be reached', isImplied: readsPlatform },
  { status: 503, meaning: 'Not available right now, or not configured', isImplied: isGuarded },
];

/** The statuses of the failures that an operation implies and declares. */
export function failureStatuses(operation: Operation): number[] {
  const declared = new Set<number>(operation.failures?.map((code) => problemStatus[code]));
  return failures
    .filter(({ status, isImplied }) => isImplied(operation) || declared.has(status))
    .map(({ status }) => status);
}

/** The failures by status, and any other as `default`: each is described once. */
export const failureResponses = Object.fromEntries([
  ...failures.map(({ status, meaning }) => [`Failure${status}`, failure(`${meaning}: ${listCodes(status)}.`)]),
  ['Failure', failure('Any other failure.')],
]);

/** Every status of an operation with its shape and its headers. */
export function describeResponses(operation: Operation) {
  const { successes = { 200: 'OK' } } = operation;
  const succeeded = Object.entries(successes).map(([status, meaning]) => [
    status,
    Number(status) < 300 ? success(operation, meaning) : redirect(operation, meaning),
  ]);
  const unchanged = headersOnSuccess(operation).includes('ETag') ? [[304, notModified(operation)]] : [];
  const failed = failureStatuses(operation)
    .filter((status) => !(status in successes))
    .map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]);
  return Object.fromEntries([
    ...succeeded,
    ...unchanged,
    ...failed,
    ['default', { $ref: '#/components/responses/Failure' }],
  ]);
}

const success = (operation: Operation, description: string) => ({
  description,
  headers: headerReferences(headersOnSuccess(operation)),
  content: operation.svg
    ? { 'image/svg+xml': { schema: z.string() } }
    : {
        [operation.contentType ?? 'application/json']: { schema: operation.output },
        ...(operation.rows && { 'text/csv': { schema: z.string() } }),
        ...(operation.diff && { 'text/x-patch': { schema: z.string() } }),
        ...(operation.sarif && { 'application/sarif+json': { schema: sarifLog } }),
      },
});

const sarifLog = z.looseObject({ version: z.literal('2.1.0'), runs: z.array(z.looseObject({})) });

const redirect = (operation: Operation, description: string) => ({
  description,
  headers: headerReferences(headersOnSuccess(operation)),
});

const notModified = (operation: Operation) => ({
  description: 'Not modified: what `If-None-Match` names is still the answer.',
  headers: headerReferences(headersOnSuccess(operation).filter((name) => name !== 'Content-Disposition')),
});

function failure(description: string) {
  const headers = headerReferences([...ofLimits, 'Retry-After', 'X-Request-Id']);
  return { description, headers, content: { 'application/json': { schema: problem } } };
}

function listCodes(status: number): string {
  const codes = Object.entries(problemStatus).filter(([, one]) => one === status);
  return codes.map(([code]) => `\`${code}\``).join(', ');
}
