// The pages that can be shared, each with the operations it is drawn from and the fields of their answers that leave.
// What a later version adds to an operation is not shared until it is named, and nobody's name ever is.
import type { z } from 'zod';
import type { Operation } from '../api/operation.ts';
import type { Params } from '../mcp/tool.ts';
import { getDeployments } from '../reports/deployments/operations.ts';
import { deploymentsFields } from './deployments-fields.ts';
import type { SharedFields } from './fields.ts';

export interface SharedPart {
  operation: Operation;
  params: Params;
  fields: SharedFields<unknown>;
}

/** What an operation answers of a page. */
const part = <In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  params: Params,
  fields: SharedFields<z.output<Out>>,
) => ({ operation, params, fields }) as unknown as SharedPart;

/** The parts of the path and the choices of the query of a page, by name. */
export type Place = Readonly<Record<string, string | undefined>>;

interface ShareablePage {
  /** The choices of its query that are kept. */
  choices: readonly string[];
  parts(place: Place): Record<string, SharedPart>;
}

export const shareablePages = {
  '/repos/:owner/:repo/deployments': {
    choices: ['environment'],
    parts: ({ owner, repo }) => ({ deployments: part(getDeployments, { owner, repo }, deploymentsFields) }),
  },
} as const satisfies Record<string, ShareablePage>;

export type ShareablePattern = keyof typeof shareablePages;

export interface FoundPage {
  pattern: ShareablePattern;
  place: Place;
}

/** The page at a path with its query; null for one that cannot be shared. */
export function findShareable(address: string): FoundPage | null {
  const url = URL.parse(address, 'http://page');
  if (!address.startsWith('/') || url?.origin !== 'http://page') return null;
  for (const [pattern, { choices }] of Object.entries(shareablePages)) {
    const path = matchPath(pattern, url.pathname);
    if (!path) continue;
    const query = choices.map((name) => [name, url.searchParams.get(name) || undefined] as const);
    return { pattern: pattern as ShareablePattern, place: { ...path, ...Object.fromEntries(query) } };
  }
  return null;
}

/** The one address of a page, whichever way it was written. */
export function pageAddress({ pattern, place }: FoundPage): string {
  const chosen = shareablePages[pattern].choices.flatMap((name) => {
    const value = place[name as keyof Place];
    return value === undefined ? [] : [[name, value]];
  });
  const query = chosen.length > 0 ? `?${new URLSearchParams(chosen)}` : '';
  return `${pattern.replace(/:(\w+)/g, (_, name: string) => place[name] ?? '')}${query}`;
}

/** The parts of a path by their names in the pattern, as the router finds them: in any case, with or without an end. */
const matchPath = (pattern: string, path: string): Record<string, string> | undefined =>
  new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`, 'i').exec(path)?.groups;
