import { z } from 'zod';
import { comparisonReasons, comparisonVerdicts } from '../../metrics/ai-authorship/comparison/compare.ts';
import { exclusions } from '../../metrics/ai-authorship/comparison/gather.ts';
import { outcomeKeys } from '../../metrics/ai-authorship/comparison/outcomes.ts';
import { common } from './schema.ts';

const value = z.number().nullable();
const count = z.int().nullable().meta({ description: 'null where it is hidden.' });
const key = z.enum(outcomeKeys);
const interval = z.object({ low: z.number(), high: z.number() }).nullable().meta({ description: '95 %.' });
const intervalOfEnough = interval.meta({
  description: '95 %; null of fewer than 10 repository weeks, and of weeks that do not differ.',
});
const effectUnit = z.enum(['points', 'percent', 'rounds']);
const side = z.object({ value, prs: count });

export const comparedClasses = ['agent_authored', 'ai_assisted'] as const;

const comparedOutcome = z.object({
  key,
  label: z.string(),
  unit: z.enum(['percent', 'hours', 'rounds', 'minutes']),
  matched_sets: count,
  clusters: count,
  repositories: count,
  marked: side,
  comparable: side.meta({ description: 'Times, minutes and rounds: geometric means.' }),
  effect: value.meta({ description: 'Of marked pull requests over those that are like them, in effect_unit.' }),
  effect_unit: effectUnit,
  interval,
  centre: value.meta({ description: 'Of the differences, by Hodges and Lehmann.' }),
  mantel_haenszel: value.meta({
    description:
      'Risk difference over all strata; null where there is no risk, and where those without a match are few.',
  }),
  verdict: z.enum(comparisonVerdicts),
  reasons: z.array(z.enum([...comparisonReasons, 'not_known', 'hidden'])).meta({
    description:
      'not_known: no pull request of the window has it stored. hidden: too few pull requests or people. in_one_repository: of a difference, that it rests on one with 60 matched or more; else, that there are fewer.',
  }),
  e_value: value.meta({ description: 'How strong a hidden cause would have to be to explain a claim away.' }),
  better: z.enum(['higher', 'lower', 'neither']),
});

const progress = {
  computing: z.boolean().meta({ description: 'A newer one is being computed: ask again in a minute.' }),
  failed: z.boolean().meta({ description: 'A newer one could not be computed; it is tried again after an hour.' }),
  compared_to: z.string().nullable().meta({
    description: 'The last month of the window that is compared; later ones were not followed for 30 days yet.',
  }),
};

/** How marked pull requests fare beside others that are like them; contract of the three answers, section 3.8. */
export const AuthorshipComparison = z
  .object({
    class: z.enum(comparedClasses),
    agent: z.string().nullable(),
    ...progress,
    repository_months: z.object({ compared: z.int(), left_out: z.int() }).meta({
      description:
        'A repository in a month is compared as a whole or not at all: from 10 matched pull requests and 5 people of both sides on, whichever window or scope is requested. left_out: all others of the window, whether any has a mark or not: smaller, too recent, or not all known.',
    }),
    outcomes: z.array(comparedOutcome),
    balance: z.array(z.object({ covariate: z.string(), before: value, after: value, ok: z.boolean() })).meta({
      description:
        'Standardized mean differences before and after matching; at most 0.1 is even. Empty where those without a match are few.',
    }),
    matched_share_pct: value,
    placebo: z.object({
      p1_claims_pct: value.meta({ description: 'How often anything is claimed where marks are dealt at random.' }),
      p2: z.enum(['pass', 'fail', 'not_run']).meta({
        description: 'Whether those opened before a marked one waited as long as those opened before the others.',
      }),
    }),
    raw: z
      .array(z.object({ class: z.enum([...comparedClasses, 'unmarked']), key, value, prs: count }))
      .meta({ description: 'Not comparable: groups differ in repository, size and kind of work.' }),
    excluded: z
      .array(z.object({ reason: z.enum(exclusions), prs: count }))
      .meta({ description: 'Of what is compared, whatever their class, where they are of enough people.' }),
    suppressed: z.boolean().meta({ description: 'Whether anything of the scope is hidden or excluded.' }),
    ...common,
  })
  .meta({ id: 'AuthorshipComparison' });

const costOfSide = {
  prs: count,
  ci_minutes_per_pr: value.meta({ description: 'Full minutes of every job of every attempt.' }),
  ci_usd_per_pr: value.meta({ description: 'An estimate at the list prices of the time; own runners are free.' }),
  failed_usd: value.meta({ description: 'Of it the attempts that failed.' }),
};

/** What runs of pull requests cost by class, within the same matching; contract of the three answers, section 3.6. */
export const AuthorshipCost = z
  .object({
    classes: z.array(
      z.object({
        class: z.enum(comparedClasses),
        label: z.string(),
        ...costOfSide,
        comparable: z.object(costOfSide).meta({ description: 'Those without a mark that they are compared with.' }),
        usd_difference: value.meta({ description: 'Of a marked pull request over those like it. Nothing is claimed.' }),
        usd_interval: intervalOfEnough,
        ...progress,
        suppressed: z.boolean().meta({
          description:
            'Nothing is said of it: too few pull requests or people, too recent, or jobs or their prices not known. false where nothing was computed yet.',
        }),
      }),
    ),
    ...common,
  })
  .meta({ id: 'AuthorshipCost' });

/** The same difference in each repository; contract of the three answers, sections 3.5 and 3.8. */
export const AuthorshipByRepository = z
  .object({
    class: z.enum(comparedClasses),
    outcome: key,
    label: z.string(),
    effect_unit: effectUnit,
    ...progress,
    repositories: z
      .array(
        z.object({
          repo: z.string(),
          sets: count,
          effect: value,
          interval: intervalOfEnough,
          suppressed: z.boolean().meta({
            description:
              'Nothing is said of it: too few pull requests or people, too recent, or not all known. false where nothing was computed yet.',
          }),
        }),
      )
      .meta({ description: 'The highest difference first. No claim is made of one repository here.' }),
    ...common,
  })
  .meta({ id: 'AuthorshipByRepository' });
