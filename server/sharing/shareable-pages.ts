// The pages that can be shared. What of an answer a snapshot holds is named field by field: what a later version adds to
// an operation is not shared until it is named here, and nobody's name ever is.
import type { z } from 'zod';
import type { Operation } from '../api/operation.ts';
import { getDeployments } from '../reports/deployments/operations.ts';
import { SharedDeployments } from './shared-deployments.ts';

interface ShareablePart {
  // biome-ignore lint/suspicious/noExplicitAny: an operation of any input serves here.
  operation: Operation<any, any>;
  /** Takes of its answer what may be shared. */
  holds: z.ZodType;
}

/** Their answers by name, as the page of that address calls them. */
export const shareablePages: Readonly<Record<string, Readonly<Record<string, ShareablePart>>>> = {
  '/repos/:owner/:repo/deployments': { deployments: { operation: getDeployments, holds: SharedDeployments } },
};

export interface FoundPage {
  parts: Readonly<Record<string, ShareablePart>>;
  /** Of the path and the query together. */
  input: Record<string, string>;
}

/** The page at a path with its query; null for one that cannot be shared. */
export function findShareable(address: string): FoundPage | null {
  const url = URL.parse(address, 'http://page');
  if (!address.startsWith('/') || url?.origin !== 'http://page') return null;
  for (const [pattern, parts] of Object.entries(shareablePages)) {
    const params = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(url.pathname)?.groups;
    if (params) return { parts, input: { ...Object.fromEntries(url.searchParams), ...params } };
  }
  return null;
}
