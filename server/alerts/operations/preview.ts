import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { administrator } from '../../access/rules.ts';
import { operation, perMinute } from '../../api/operation.ts';
import type { Domain } from '../../api/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import { instant } from '../../reports/kernel/instants.ts';
import type { KnownRepository } from '../../store/repositories.ts';
import { backTest } from '../replay.ts';
import { leadershipDigest } from '../rules.ts';
import { parseScope } from '../scope.ts';
import { assertVisible, checkedRule, invalid, ruleFields } from './list.ts';

/** Repositories of an organization that are evaluated, by name; the others are reported as not evaluated. */
const maxRepositories = 20;

export const AlertPreview = z
  .object({
    last_30_days: z.int().meta({ description: 'How often the rule would have fired.' }),
    last_90_days: z.int(),
    repositories: z.array(
      z.object({
        repo: z.string(),
        last_30_days: z.int(),
        last_90_days: z.int(),
        fired: z.array(instant).meta({ description: 'Newest first, at most 50.' }),
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
  summary: 'Back-test: how often an alert rule would have fired in the last 30 and 90 days, and when',
  access: administrator,
  failures: ['not_found', 'upstream_unavailable'],
  limit: perMinute('alert-preview', 30, { per: 'account', counts: 'after' }),
  cache: 'private, no-store',
  input: PreviewInput,
  output: AlertPreview,
  run: preview,
});

async function preview(given: z.output<typeof PreviewInput>, context: Context): Promise<Domain<typeof AlertPreview>> {
  const scope = parseScope(given.scope);
  if (!scope) throw new Error('The scope was checked.');
  if (given.metric === leadershipDigest) throw invalid('metric', 'The leadership digest is sent every Monday.');
  checkedRule(given, scope);
  await assertVisible(scope, context);
  const { store, services } = context;
  const tracked = (await store.repositories.tracked(scope.owner)).filter(
    ({ repo }) => scope.repo === null || repo.toLowerCase() === scope.repo.toLowerCase(),
  );
  const people = await peopleIn(services);
  const { metric, threshold = 0, window_hours: windowHours, min_sample: minSample = null } = given;
  const rule = { metric, threshold, windowHours, minSample };
  const repositories = [];
  for (const { id: repoId, defaultBranch, ...name } of tracked.slice(0, maxRepositories))
    repositories.push(
      shown(name, await backTest(rule, { repoId, defaultBranch, people }, services.clock.now(), store)),
    );
  return {
    last30Days: repositories.reduce((sum, one) => sum + one.last30Days, 0),
    last90Days: repositories.reduce((sum, one) => sum + one.last90Days, 0),
    repositories,
    repositoriesLeftOut: Math.max(0, tracked.length - maxRepositories),
  };
}

const shown = (
  { owner, repo }: Pick<KnownRepository, 'owner' | 'repo'>,
  test: Awaited<ReturnType<typeof backTest>>,
) => ({
  ...test,
  repo: `${owner}/${repo}`,
  last30Days: test.last30,
  last90Days: test.last90,
  incomplete: test.incomplete ?? null,
});
