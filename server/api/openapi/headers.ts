import type { ZodOpenApiHeaderObject } from 'zod-openapi';
import type { Operation } from '../operation.ts';

const text = { type: 'string' as const };
const count = { type: 'integer' as const, minimum: 0 };
const yesOrNo = { type: 'string' as const, enum: ['true', 'false'] };

/** Every response header that describes the answer, beside those of HTTP itself and of security. */
export const responseHeaders = {
  'X-Request-Id': { description: 'Identifies the request in the log of the service.', schema: text },
  ETag: { description: 'Weak entity tag; send it as `If-None-Match` to get 304 where nothing changed.', schema: text },
  'X-Partial': { description: '`true` where not everything could be read, so that more exists.', schema: yesOrNo },
  'X-Partial-Reason': {
    description:
      'Number of items excluded or incomplete because of unreadable fields, with fields and request; or that single sign-on hides items.',
    schema: text,
  },
  'X-Stale': {
    description: '`true` where an earlier response is served because GitHub could not be reached.',
    schema: yesOrNo,
  },
  'X-Data-Source': {
    description: 'Where the data comes from.',
    schema: { type: 'string', enum: ['live', 'database', 'cache'] },
  },
  'X-Data-As-Of': { description: 'When the oldest part was read.', schema: { type: 'string', format: 'date-time' } },
  'X-Total-Count': { description: 'Total number of items, where known.', schema: count },
  'X-Canonical-Repo': {
    description: '`owner/name` of today, where the repository was requested by an earlier name.',
    schema: text,
  },
  'X-Effective-Limit': { description: 'The limit that was used, where a larger one was requested.', schema: count },
  'X-Orgs-Hint': {
    description: '`scope` where the token may not list organizations, so that an empty list proves nothing.',
    schema: { type: 'string', enum: ['scope'] },
  },
  'Idempotent-Replay': { description: '`true` where an earlier request had the same effect.', schema: yesOrNo },
  'X-RateLimit-Limit': { description: 'Issues that may be filed per hour from one address.', schema: count },
  'X-RateLimit-Remaining': { description: 'Issues that may still be filed within the hour.', schema: count },
  'RateLimit-Limit': { description: 'Requests that are allowed in the window.', schema: count },
  'RateLimit-Remaining': { description: 'Requests that are left in the window.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: count },
  'Retry-After': { description: 'Seconds to wait before the next try, where that is known.', schema: count },
  'Content-Disposition': { description: 'A file name, for CSV and SARIF.', schema: text },
  'Clear-Site-Data': {
    description: 'What a browser removes at a sign-out: stored answers and data of scripts.',
    schema: text,
  },
  'Set-Cookie': { description: 'The session, begun or ended.', schema: text },
  Location: { description: 'Where a browser goes on.', schema: text },
} satisfies Record<string, ZodOpenApiHeaderObject>;

export type HeaderName = keyof typeof responseHeaders;

export const ofLimits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
const ofData = [
  'X-Partial',
  'X-Partial-Reason',
  'X-Stale',
  'X-Data-Source',
  'X-Data-As-Of',
  'X-Total-Count',
  'X-Canonical-Repo',
] as const;

/** The headers that a successful answer of the operation may carry. */
export const headersOnSuccess = ({
  method,
  path,
  limit,
  input,
  rows,
  sarif,
  diff,
  svg,
  headers = [],
}: Operation): HeaderName[] => {
  const readsData = method === 'GET' && /^\/api\/(advisor|codehost|db|explain)\b/.test(path);
  const isClamped = ['per_page', 'limit', 'count'].some((key) => key in input.shape);
  return [
    'X-Request-Id',
    ...(readsData ? ofData : []),
    ...((method === 'GET' && /^\/api\/(advisor|codehost|db)\//.test(path)) || svg ? (['ETag'] as const) : []),
    ...(isClamped ? (['X-Effective-Limit'] as const) : []),
    ...(limit ? ofLimits : []),
    ...(rows || sarif || diff ? (['Content-Disposition'] as const) : []),
    ...headers,
  ];
};

/** References to the headers, by which each is described once. */
export const headerReferences = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
