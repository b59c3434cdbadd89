import { z } from 'zod';
import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { coversBegin, coversEnd, type Window } from '../../metrics/kernel/window.ts';
import { Coverage, coverageReasons, toCoverage } from './coverage.ts';

/** What may keep facts of a repository out of the figures of a scope. */
const exclusionReasons = [
  ...coverageReasons,
  'not_synced',
  'not_yet_read',
  'begin_missing',
  'end_missing',
  'none_listed',
  'not_enabled',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

export const CoveredRepository = z
  .object({
    repo: z.string(),
    included: z.boolean(),
    reason: z.enum(exclusionReasons).nullable().meta({
      description:
        'Why it was excluded; of an included one, why its numbers are at least these. not_synced: never synchronized. not_yet_read: synchronized, but these facts were not read yet. begin_missing and end_missing: not all of the window is stored. none_listed: no alert is listed, and its sources may be off.',
    }),
  })
  .meta({ id: 'CoveredRepository' });

const RepositoryCoverage = Coverage.extend({ reasons: z.array(z.enum(exclusionReasons)) }).meta({
  id: 'RepositoryCoverage',
  description: 'Counted in repositories that the caller can see; expected is null where their list is incomplete.',
});

/** Of which repositories of a scope the figures of an answer are. */
export const coveredRepositories = {
  coverage: RepositoryCoverage,
  repositories: z.array(CoveredRepository).meta({ description: 'Those that the caller can see.' }),
};

export type Covered = Pick<Domain<typeof CoveredRepository>, 'included' | 'reason'>;

interface Scope {
  repositories: readonly Covered[];
  isListTruncated: boolean;
  cap?: number | null;
  /** Why figures of included repositories are incomplete, where these do not say it. */
  reasons?: readonly ExclusionReason[];
}

export function toRepositoryCoverage({ repositories, isListTruncated, cap, reasons = [] }: Scope) {
  return toCoverage<ExclusionReason>({
    read: repositories.filter(({ included }) => included).length,
    expected: isListTruncated ? null : repositories.length,
    cap,
    reasons: [
      ...repositories.flatMap(({ reason }) => reason ?? []),
      ...reasons,
      ...(isListTruncated ? (['upstream_truncated'] as const) : []),
    ],
  });
}

/** What of a window is missing of a synchronized repository; null where all is stored. */
export function findExclusion(known: Window | undefined, window: Window, now: Instant): ExclusionReason | null {
  if (known === undefined) return 'not_yet_read';
  // What a limit stopped has no window of which everything is known.
  if (!coversBegin(known, window)) return known.from === known.to ? 'search_cap' : 'begin_missing';
  return coversEnd(known, window, now) ? null : 'end_missing';
}
