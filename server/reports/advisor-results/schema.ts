import { z } from 'zod';
import { verdictReasonTexts } from '../../advisor/verdict/sentence.ts';
import { verdictStates } from '../../advisor/verdict/verdict.ts';
import { Band } from '../advisor/effect.ts';
import { instant, provenance } from '../kernel/instants.ts';

const reasonCodes = Object.keys(verdictReasonTexts) as [
  keyof typeof verdictReasonTexts,
  ...(keyof typeof verdictReasonTexts)[],
];

const Measured = z
  .object({ low: z.number(), mid: z.number(), high: z.number(), level: z.literal(98) })
  .meta({ id: 'AdvisorMeasured', description: 'Percent fewer minutes per unit of demand, with its 98 % interval.' });

/** What came of one merged change, in short. */
export const ShortVerdict = z.object({
  promise: Band.nullable().meta({
    description:
      'Percent fewer minutes, as predicted when the pull request was opened, or last before the commit; null where nothing was.',
  }),
  measured: Measured.nullable().meta({
    description: 'At the last look; null before the first, and where nothing could be compared.',
  }),
  state: z.enum(verdictStates).meta({
    description:
      'waiting: not decided yet. measured: nothing was promised, or less than 3 %. in_place, undone: of changes that do not concern minutes.',
  }),
  next_look: instant.nullable(),
  reason: z
    .object({ code: z.enum(reasonCodes), text: z.string() })
    .nullable()
    .meta({ description: 'Why it is inconclusive.' }),
});

/** The same with what it is of. */
const Result = z.object({
  owner: z.string(),
  repo: z.string(),
  id: z.string().meta({ description: 'Of the recommendation.' }),
  kind: z.string(),
  title: z.string(),
  workflow_path: z.string(),
  applied_by: z
    .enum(['pull_request', 'other'])
    .meta({ description: 'other: somebody made the change without a pull request from here.' }),
  pull_request: z.object({ number: z.int(), html_url: z.string() }).nullable(),
  commit: z
    .object({ sha: z.string(), html_url: z.string() })
    .nullable()
    .meta({ description: 'With which the change came to the default branch, where that is known.' }),
  merged_at: instant.meta({ description: 'When it came to the default branch.' }),
  ...ShortVerdict.shape,
  sentence: z.string(),
  together_with: z.array(z.string()).meta({
    description:
      'Recommendations for the same workflow that were merged with it: promise and result are of all of them.',
  }),
  href: z.string(),
});

/** What came of the merged changes of a repository or an organization; contract of the advisor, section 6.5. */
export const Results = z
  .object({
    rows: z.array(Result).meta({ description: 'The newest merge first.' }),
    summary: z.object({
      merged: z.int(),
      kept: z.int(),
      not_kept: z.int(),
      no_effect: z.int(),
      cannot_tell: z.int(),
      waiting: z.int(),
      lost: z.int(),
      minutes_saved_measured: z
        .object({ low: z.int(), mid: z.int(), high: z.int() })
        .nullable()
        .meta({ description: 'In 28 days like those before, of what was kept; null where nothing was.' }),
      bands_hit: z.int().meta({ description: 'Decided results whose measured value lay in the predicted band.' }),
      bands_judged: z.int(),
    }),
    hidden_kinds: z.array(z.string()).meta({
      description: 'Kinds not shown because the feature securityScan is not granted.',
    }),
    partial: z.boolean().meta({ description: 'Whether not every repository of the organization is listed.' }),
    ...provenance,
  })
  .meta({ id: 'AdvisorResults' });

const Side = z.object({
  from: instant,
  to: instant.meta({ description: 'End of the last day.' }),
  units: z.int(),
  value: z.number().nullable().meta({ description: 'Minutes per unit.' }),
});

const VerdictRun = z.object({
  side: z.enum(['before', 'after']),
  run_id: z.int(),
  run_number: z.int(),
  attempt: z.int(),
  html_url: z.string(),
  arrived_at: instant,
  event: z.string(),
  stratum: z.string(),
  minutes: z.int(),
});

/** How one merged change was judged; contract of the advisor, section 6.6. */
export const VerdictDetail = z
  .object({
    verdict: Result.extend({
      merge_commit: z.string().nullable(),
      unit_label: z
        .string()
        .nullable()
        .meta({ description: 'What minutes are measured per; null where they are not.' }),
      before: Side.nullable(),
      after: Side.nullable().meta({ description: 'Up to the last look.' }),
      strata: z
        .array(
          z.object({
            label: z.string(),
            weight_pct: z.number(),
            before: z.number().meta({ description: 'Minutes per unit.' }),
            after: z.number(),
            units_before: z.int(),
            units_after: z.int(),
          }),
        )
        .meta({ description: 'What was compared: units that are alike, weighed as they were before.' }),
      looks: z.array(
        z.object({
          day: z.int().meta({ description: 'Days after the merge.' }),
          at: instant,
          units: z.int(),
          delta_pct: z.number().nullable(),
          low: z.number().nullable(),
          high: z.number().nullable(),
          low90: z.number().nullable(),
          high90: z.number().nullable(),
          outcome: z
            .enum([
              'kept',
              'no_effect',
              'not_kept',
              'open',
              'skipped',
              'history_too_short',
              'nothing_comparable',
              'no_minutes_after',
              'something_else_changed',
            ])
            .meta({
              description: 'skipped: fewer than 20 units. history_too_short: jobs of fewer than 14 days are stored.',
            }),
        }),
      ),
      drift: z
        .object({
          measure: z.string(),
          delta_pct: z.number(),
          low: z.number(),
          high: z.number(),
          flagged: z.boolean(),
          since: instant.nullable(),
        })
        .nullable()
        .meta({ description: 'The same estimate of what the change cannot move; null where there is no such thing.' }),
      weeks: z
        .array(
          z.object({
            at: instant,
            units: z.int().nullable(),
            delta_pct: z.number().nullable(),
            low: z.number().nullable(),
            high: z.number().nullable(),
          }),
        )
        .meta({
          description:
            'The weekly looks at a gain that was kept, each at the two weeks up to it, the newest last, at most 52; null where it was not measured: too little ran, or nothing to compare.',
        }),
      lost_since: instant
        .nullable()
        .meta({ description: 'The first day of the first two weeks without the gain; found three weeks later.' }),
    }),
    runs: z
      .array(VerdictRun)
      .meta({ description: 'The newest 1,000 that are stored; jobs are deleted after 120 days.' }),
    truncated: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'AdvisorVerdict' });
