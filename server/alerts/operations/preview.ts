import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { administrator } from '../../access/rules.ts';
import { operation, perMinute } from '../../api/operation.ts';
import type { Domain } from '../../api/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { instant } from '../../reports/kernel/instants.ts';
import type { KnownRepository } from '../../store/repositories.ts';
import { findBackTests } from '../back-tests.ts';
import type { BackTest } from '../replay.ts';
import { leadershipDigest, metricLabels } from '../rules.ts';
import { parseScope } from '../scope.ts';
import { assertVisible, checkedRule, invalid, ruleFields } from './list.ts';

/** Repositories of an organization that are evaluated, by name; the others are reported as not evaluated. */
const maxRepositories = 20;

const series = z
  .array(
    z.object({
      at: instant,
      value: z.number().nullable().meta({
        description: 'In the unit of the metric, two decimals; null without enough data to evaluate the rule.',
      }),
      sample: z.int(),
      fires: z.boolean().meta({ description: 'Whether the rule would have fired.' }),
    }),
  )
  .meta({
    description:
      'Evaluated values, oldest first, at most 180. Of more, each point is the first of its neighbors that fired, else the highest.',
  });

export const AlertPreview = z
  .object({
    last_30_days: z.int().meta({ description: 'How often the rule would have fired.' }),
    last_90_days: z.int(),
    unit: z.string().meta({ description: 'Unit of the values and the threshold.' }),
    threshold: z.number(),
    repositories: z.array(
      z.object({
        repo: z.string(),
        last_30_days: z.int(),
        last_90_days: z.int(),
        fired: z.array(instant).meta({ description: 'Newest first, at most 50.' }),
        series,
        evaluated: z.int().meta({ description: 'Evaluations in the back-test.' }),
        covered_from: instant.meta({ description: 'Start of the known history.' }),
        thinned: z.boolean().meta({ description: 'true when evaluations were evenly sampled.' }),
        incomplete: z.string().nullable().meta({ description: 'Why the current value is unknown.' }),
      }),
    ),
    repositories_left_out: z.int().meta({ description: 'Repositories of the organization that were not back-tested.' }),
  })
  .meta({ id: 'AlertPreview' });

const PreviewInput = z.object(ruleFields);

export const previewAlert = operation({
  method: 'GET',
  path: '/api/alerts/preview',
  summary:
    'Back-test: how often an alert rule would have fired in the last 30 and 90 days, and when; CSV: the evaluated values',
  access: administrator,
  failures: ['not_found', 'upstream_unavailable'],
  limit: perMinute('alert-preview', 30, { per: 'account', counts: 'after' }),
  cache: 'private, no-store',
  input: PreviewInput,
  output: AlertPreview,
  rows: ({ repositories, unit }) =>
    repositories.flatMap(({ repo, series }) =>
      series.map(({ at, value, sample, fires }) => ({ repo, at, value, unit, sample, fires })),
    ),
  run: preview,
});

async function preview(given: z.output<typeof PreviewInput>, context: Context): Promise<Domain<typeof AlertPreview>> {
  const scope = parseScope(given.scope);
  if (!scope) throw new Error('The scope was checked.');
  if (given.metric === leadershipDigest) throw invalid('metric', 'The leadership digest is sent every Monday.');
  checkedRule(given, scope);
  await assertVisible(scope, context);
  const backTests = await findBackTests(context);
  const tracked = (await backTests.tracked(scope.owner)).filter(
    ({ repo }) => scope.repo === null || repo.toLowerCase() === scope.repo.toLowerCase(),
  );
  const people = await peopleIn(context.services);
  const { metric, threshold = 0, window_hours: windowHours, min_sample: minSample = null } = given;
  const rule = { metric, threshold, windowHours, minSample };
  const repositories = [];
  for (const { id: repoId, defaultBranch, ...name } of tracked.slice(0, maxRepositories))
    repositories.push(shown(name, await backTests.test(rule, { repoId, defaultBranch, people })));
  return {
    last30Days: repositories.reduce((sum, one) => sum + one.last30Days, 0),
    last90Days: repositories.reduce((sum, one) => sum + one.last90Days, 0),
    unit: metricLabels(metric).unit,
    threshold,
    repositories,
    repositoriesLeftOut: Math.max(0, tracked.length - maxRepositories),
  };
}

const shown = ({ owner, repo }: Pick<KnownRepository, 'owner' | 'repo'>, test: BackTest) => ({
  ...test,
  repo: `${owner}/${repo}`,
  last30Days: test.last30,
  last90Days: test.last90,
  series: test.series.map(({ at, value, sample, fires }) => ({
    at,
    value: value === null ? null : roundTo(value, 2),
    sample,
    fires,
  })),
  incomplete: test.incomplete ?? null,
});
