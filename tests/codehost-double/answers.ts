import type { Instant } from '../../server/metrics/kernel/facts.ts';
import type { DoubleRepository, DoubleToken, DoubleWorld } from './world.ts';

/** One request after the door: who asks, for what. */
export interface RestRequest {
  world: DoubleWorld;
  /** Address of the API, without a slash at the end. */
  base: string;
  token: DoubleToken;
  /** Path parameters. */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Path as requested, e.g. `/repos/octo/web/actions/runs`. */
  path: string;
  /** What was sent; empty for reads. */
  body: string;
  now: Instant;
}

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export type Handler = (request: RestRequest) => Answer;

export const ok = (body: unknown, headers?: Record<string, string>): Answer => ({
  status: 200,
  body,
  ...(headers ? { headers } : {}),
});

/** An error with the platform's small error body. */
export const expectRejected = (status: number, message: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: { message, documentation_url: 'https://docs.codehost.example/rest', status: String(status) },
  headers,
});

export const notFound = () => expectRejected(404, 'Not Found');

/** The most a filtered run list or a search gives, whatever its count says. */
export const resultCap = 1000;

/**
 * One page of a list, with the `Link` header to the others. `linkPath` is the path the links use:
 * the platform names repositories and organizations in them by number.
 */
export function paged<T>(request: RestRequest, items: T[], linkPath: string, readable = items.length) {
  const size = Math.min(Math.max(Number(request.query.get('per_page') ?? 30), 1), 100);
  const page = Math.max(Number(request.query.get('page') ?? 1), 1);
  const last = Math.max(Math.ceil(Math.min(items.length, readable) / size), 1);
  const link = (to: number, relation: string) => {
    const query = new URLSearchParams(request.query);
    query.set('page', String(to));
    return `<${request.base}${linkPath}?${query}>; rel="${relation}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  return {
    items: items.slice(0, readable).slice((page - 1) * size, page * size),
    headers: links.length ? { link: links.join(', ') } : undefined,
  };
}

/** The link path of a list below a repository. */
export const byNumber = ({ facts }: DoubleRepository, rest: string) => `/repositories/${facts.id}${rest}`;
