import { operations } from '../../../server/api/registry.ts';
import type { SearchEntry } from './search.ts';

/** The family of an operation, which is its heading in the reference. */
export const getFamily = (path: string): string => path.split('/')[2] ?? 'api';

/** The operations of the API as places that a search can lead to. */
export const operationEntries = (): SearchEntry[] =>
  operations.map(({ method, path, summary }) => ({
    title: 'API reference',
    heading: `${method} ${path}`,
    href: `/docs/api#${getFamily(path)}`,
    text: summary,
  }));
