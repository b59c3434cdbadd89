import { z } from 'zod';
import { ContributorsReport } from '../contributors/schema.ts';
import { instant } from '../kernel/instants.ts';
import { CoveredRepository, coveredRepositories } from '../kernel/repository-coverage.ts';

export const teamTables = ['contributors', 'repositories'] as const;

const TeamRepository = CoveredRepository.extend({
  prs_merged: z.int().nullable().meta({ description: 'In the window; null when excluded.' }),
  as_of: instant.nullable().meta({ description: 'Includes data up to then; null when excluded.' }),
}).meta({ id: 'TeamRepository' });

const unlessCounted = { description: 'null where no repository could be counted.' };
const counted = z.int().nullable().meta(unlessCounted);

/** The contributors of several repositories in the shape of those of one. */
export const OrgContributorsReport = ContributorsReport.omit({
  fetched_prs: true,
  total_prs_analysed: true,
  total_prs_attempted: true,
})
  .extend({
    org: z.string(),
    table: z.enum(teamTables).meta({ description: 'The rows of a CSV file.' }),
    window_days: z.union([z.literal(30), z.literal(90)]),
    prs_opened_in_window: z.null().meta({ description: 'Open pull requests are not stored, so it is not known.' }),
    prs_merged_total: counted,
    prs_merged_by_people: counted,
    prs_author_unread: counted,
    bot_prs: ContributorsReport.shape.bot_prs.extend({ merged: counted }),
    repositories: z.array(TeamRepository).meta({
      description:
        'Those that the caller can see, by name. Only synchronized ones count; of those not yet read, ask again.',
    }),
    coverage: coveredRepositories.coverage
      .extend({ reviews_truncated_prs: ContributorsReport.shape.coverage.shape.reviews_truncated_prs })
      .meta({ id: 'OrgContributorsCoverage', description: 'Counted in repositories that the caller can see.' }),
  })
  .meta({ id: 'OrgContributorsReport' });
