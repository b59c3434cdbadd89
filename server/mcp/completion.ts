import type { CompleteResult } from '@modelcontextprotocol/server';
import type { Context } from '../access/context.ts';
import { findMetrics } from './glossary.ts';

const maxValues = 20;

/** Values that an argument may have, of what this process has already read for the caller: GitHub is not called. */
export async function complete(
  { name, value }: { name: string; value: string },
  context: Context,
): Promise<CompleteResult> {
  const values = await find(name, value, context);
  return {
    completion: { values: values.slice(0, maxValues), total: values.length, hasMore: values.length > maxValues },
  };
}

async function find(name: string, start: string, context: Context): Promise<string[]> {
  if (name === 'metric') return findMetrics(start);
  if (name !== 'repo' && name !== 'owner' && name !== 'org') return [];
  const { repositories } = await context.codehost();
  const values = new Set(repositories.knownMine().map(({ owner, repo }) => (name === 'repo' ? repo : owner)));
  return [...values].filter((one) => one.toLowerCase().startsWith(start.toLowerCase())).sort();
}
