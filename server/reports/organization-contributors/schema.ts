import { z } from 'zod';
import { ContributorsReport } from '../contributors/schema.ts';
import { coverageReasons } from '../kernel/coverage.ts';
import { instant } from '../kernel/instants.ts';

/** What may keep pull requests of a repository out. */
const exclusionReasons = [...coverageReasons, 'not_yet_read'] as const;

export type ExclusionReason = (typeof exclusionReasons)[number];

const TrackedRepository = z.object({
  repo: z.string(),
  prs_merged: z.int().nullable().meta({ description: 'In the window; null when excluded.' }),
  included: z.boolean(),
  reason: z.enum(exclusionReasons).nullable().meta({
    description:
      'Why it was excluded; of an included one, why its numbers are at least these. not_yet_read: request it again.',
  }),
  as_of: instant.nullable().meta({ description: 'Includes data up to then; null when excluded.' }),
});

/** The contributors of several repositories in the shape of those of one. */
export const OrgContributorsReport = ContributorsReport.omit({
  fetched_prs: true,
  total_prs_analysed: true,
  total_prs_attempted: true,
})
  .extend({
    org: z.string(),
    window_days: z.union([z.literal(30), z.literal(90)]),
    prs_opened_in_window: z.null().meta({ description: 'Open pull requests are not stored, so it is not known.' }),
    repositories: z
      .array(TrackedRepository)
      .meta({ description: 'The synchronized repositories that the caller can see, by name.' }),
    coverage: ContributorsReport.shape.coverage
      .omit({ search_slices: true })
      .meta({ id: 'OrgContributorsCoverage', description: 'Counted in repositories.' }),
  })
  .meta({ id: 'OrgContributorsReport' });
