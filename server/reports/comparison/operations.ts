import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { owner, repo } from '../../api/parameters.ts';
import { maxComparedDays } from '../../domain/verdict.ts';
import { within } from '../../platform/fields.ts';
import { dependOnOwner, dependOnRepository, untilWindowsMove } from '../kernel/dependencies.ts';
import { type ComparedMetric, comparedMetrics } from './metrics.ts';
import { countDays } from './periods.ts';
import { type ComparisonInput, comparePeriods } from './report.ts';
import { ComparisonReport } from './schema.ts';
import { toComparisonRow } from './table.ts';

const maxMetrics = 5;

const one = `(${comparedMetrics.join('|')})`;
const list = `^${one}(,${one}){0,${maxMetrics - 1}}$`;

const metrics = z
  .string()
  .refine(
    (text) => new RegExp(list).test(text) && new Set(text.split(',')).size === text.split(',').length,
    `is no list of one to ${maxMetrics}, each once and with commas between them, of ${comparedMetrics.join(', ')}`,
  )
  .transform((text) => text.split(',') as ComparedMetric[])
  .meta({
    override: { type: 'string', pattern: list, examples: ['success_rate', 'duration_p50,queue_p95,runs'] },
    description: `One to ${maxMetrics} of ${comparedMetrics.map((metric) => `\`${metric}\``).join(', ')}, with commas between them.`,
  });

// One that is no day is not compared with the others.
const day = z.iso.date({ abort: true }).optional();
const dayFields = ['a_from', 'a_to', 'b_from', 'b_to'] as const;

type Chosen = Omit<ComparisonInput, 'metrics'>;

/** What is wrong with the periods, by field. */
function* findFaults(input: Chosen): Generator<[field: keyof Chosen, message: string]> {
  const given = dayFields.filter((field) => input[field] !== undefined);
  if (given.length === 0) return;
  if (input.days !== undefined) yield ['days', 'does not go with days of your own'];
  for (const field of dayFields) if (!given.includes(field)) yield [field, 'is required beside the others'];
  const { a_from, a_to, b_from, b_to } = input;
  if (a_from && a_to) yield* findFaultsOf('a_to', a_from, a_to);
  if (b_from && b_to) yield* findFaultsOf('b_to', b_from, b_to);
  if (a_from && a_to && b_from && b_to && a_from <= b_to && b_from <= a_to)
    yield ['b_from', 'lies in the other period'];
}

function* findFaultsOf(
  field: 'a_to' | 'b_to',
  from: string,
  to: string,
): Generator<[field: keyof Chosen, message: string]> {
  if (to < from) yield [field, 'is before the first day'];
  else if (countDays(from, to) > maxComparedDays) yield [field, `makes a period of more than ${maxComparedDays} days`];
}

export const getComparison = operation({
  method: 'GET',
  path: '/api/db/compare',
  summary:
    'Two periods side by side from stored facts, with the difference and whether it is more than noise; as a table the metrics',
  access: feature('reports'),
  input: z
    .object({
      owner,
      repo: repo.optional().meta({ description: 'Without it all synchronized repositories of the owner.' }),
      metrics,
      days: within(7, 90).optional().meta({
        description:
          'b: so many times 24 hours up to the last synchronization; a: as many before. 30 unless days are given.',
      }),
      a_from: day.meta({
        description: `Instead of \`days\`: the first day of a, of the team’s zone. At most ${maxComparedDays} days each, all of them over, and none in both.`,
      }),
      a_to: day,
      b_from: day,
      b_to: day,
    })
    .superRefine((input, check) => {
      for (const [field, message] of findFaults(input)) check.addIssue({ code: 'custom', path: [field], message });
    }),
  output: ComparisonReport,
  rows: ({ metrics }) => metrics.map(toComparisonRow),
  dependsOn({ owner, repo }, context) {
    const until = untilWindowsMove(context.services.clock.now());
    return repo ? dependOnRepository({ owner, repo }, context, until) : dependOnOwner(owner, context, until);
  },
  run: comparePeriods,
});
