import { z } from 'zod';
import { instant } from '../kernel/instants.ts';

const share = z.number().nullable();
const median = z.number().nullable().meta({ description: 'null when there is nothing to measure.' });

const LargeItem = z.object({
  kind: z.enum(['commit', 'pr']),
  repo: z.string().meta({ description: 'owner/name' }),
  number: z.int().meta({ description: 'The pull request, or that of the commit.' }),
  sha: z.string().nullable().meta({ description: 'null for a pull request.' }),
  files: z.int().nullable(),
  lines: z.int().nullable().meta({ description: 'Added and removed together; null where GitHub did not report it.' }),
  commits: z.int().nullable().meta({ description: 'Without merges; null for a commit.' }),
  commitsTruncated: z.boolean().meta({ description: 'Not all of them are known: `commits` is a minimum.' }),
  mergedAt: instant,
});

const sizes = {
  prsMerged: z.int(),
  commits: z.int().meta({
    description: 'Without merges, in merged pull requests of people; each once, in the one that was merged first.',
  }),
  commitsMeasured: z.int().meta({ description: 'Commits whose size is known.' }),
  oversizedCommits: z.int(),
  oversizedCommitPct: share.meta({ description: 'Of the commits whose size is known.' }),
  prsMeasured: z.int().meta({ description: 'Pull requests whose commits are all known.' }),
  oversizedPrs: z.int().meta({ description: 'Of those, as is the share.' }),
  oversizedPrPct: share,
};

export const HabitsPerson = z
  .object({
    login: z.string(),
    linkedLogins: z.array(z.string()),
    unlinkedName: z.boolean().meta({ description: 'Known by the name in their commits alone.' }),
    ...sizes,
    medianFilesPerCommit: median,
    medianLinesPerCommit: median,
    medianCommitsPerPr: median,
    medianLinesPerPr: median,
    largest: z.array(LargeItem).meta({
      description:
        'At most five, by how far they go beyond a threshold. In one’s own view none from a pull request of others.',
    }),
  })
  .meta({ id: 'HabitsPerson' });

const counted = 'Of what is shown: everybody, or the requested person.';

export const HabitsReport = z
  .object({
    available: z.boolean().meta({ description: 'false: there is no database, so nothing is known.' }),
    untrackedRepo: z.boolean().meta({ description: 'true: the repository is not synchronized.' }),
    days: z.union([z.literal(30), z.literal(90)]),
    from: instant,
    to: instant.meta({ description: 'Merged before then.' }),
    owner: z.string(),
    repo: z.string().nullable(),
    scope: z
      .enum(['all', 'self'])
      .meta({ description: 'self: the caller may see what they did alone, and nobody else.' }),
    thresholds: z.object({ filesPerCommit: z.int(), linesPerCommit: z.int(), commitsPerPr: z.int() }),
    people: z.array(HabitsPerson),
    totals: z.object(sizes).nullable().meta({ description: 'Of what is shown; null in one’s own view.' }),
    commitSizes: z
      .array(
        z.object({ from: z.int(), to: z.int().nullable().meta({ description: 'null: any more.' }), commits: z.int() }),
      )
      .meta({ description: 'Commits of known size by changed lines, both ends included; the last are oversized.' }),
    coverage: z.object({
      reposTracked: z.int(),
      reposSynced: z.int().meta({ description: 'Those of which all commits were read once.' }),
      prsMerged: z.int().meta({ description: counted }),
      prsSynced: z.int().meta({ description: 'Those whose commits were read.' }),
      prsTruncated: z.int().meta({ description: 'Those with more commits than are read.' }),
      commitsUnmeasured: z.int().meta({ description: 'Commits without a size reported by GitHub.' }),
      syncedThrough: instant.nullable().meta({ description: 'Of the repository that is furthest behind.' }),
      lastRunAt: instant.nullable(),
      upToDate: z.boolean().meta({
        description: 'Whether `syncedThrough` reaches the end of the window, or the last nightly reading before it.',
      }),
      partial: z.boolean().meta({ description: 'true while anything merged in the window may not have been read.' }),
    }),
  })
  .meta({ id: 'HabitsReport' });
