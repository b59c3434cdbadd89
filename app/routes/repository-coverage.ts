import type { z } from 'zod';
import { count, figures } from '../../server/domain/quantity.ts';
import type { CoveredRepository } from '../../server/reports/kernel/repository-coverage.ts';
import type { Coverage } from '../components/measurement.tsx';

interface Covered {
  read: number;
  /** null where not every repository is listed. */
  expected: number | null;
}

const nouns = ['repository', 'repositories'] as const;

/** How many repositories of a scope figures are of, as a card says it. */
export function toCardCoverage({ read, expected }: Covered): Coverage {
  const [one, many] = nouns;
  return { read, total: expected, one, many };
}

/** `Pull requests of 3 of 16 repositories` for a bar; nothing where they are of all, or of none. */
export function describePullRequests({ read, expected }: Covered): string[] {
  if (read === 0 || read === expected) return [];
  if (expected === null) return [`Pull requests of ${count(read, ...nouns)}, more may exist`];
  return [`Pull requests of ${figures(read)} of ${count(expected, ...nouns)}`];
}

/** Why a repository is not counted, or not completely. */
export const exclusionLabels: Record<NonNullable<z.output<typeof CoveredRepository>['reason']>, string> = {
  not_synced: 'not synced',
  not_yet_read: 'not loaded yet',
  begin_missing: 'range not fully synced',
  end_missing: 'newest data missing',
  none_listed: 'none listed, sources may be off',
  not_enabled: 'sources not enabled',
  rate_limited: 'API quota is low',
  forbidden: 'no access with your token',
  sub_fetch_failed: 'could not be loaded',
  search_cap: 'too many pull requests',
  page_cap: 'too many pull requests',
  upstream_truncated: 'partial response',
};
