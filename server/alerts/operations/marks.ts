import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { offers } from '../../access/decision.ts';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { org, repositoryName } from '../../api/parameters.ts';
import type { Domain } from '../../api/wire.ts';
import { sampleCi } from '../../reports/ci/demo.ts';
import { deploymentDays, listDeploymentDays } from '../../reports/ci/deployment-days.ts';
import { type CiScope, readScope, type ScopeInput } from '../../reports/ci/reading.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { type Range, range } from '../../reports/kernel/period.ts';
import { explainEvent } from '../shown.ts';
import { readAlerts } from '../source.ts';
import { mayAdminister } from './list.ts';

/** As many of the newest alerts as an answer has at most. */
const maxAlerts = 50;

const alertMarks = z
  .array(
    z.object({
      fired_at: instant,
      repo: z.string().nullable(),
      label: z.string(),
      value: z.number().nullable(),
      threshold: z.number(),
      unit: z.string(),
      explained_at: z.string().meta({ description: 'Page that explains the value.' }),
    }),
  )
  .nullable()
  .meta({
    description: `Alerts that fired in the window about repositories of the scope, the newest ${maxAlerts}, newest first; to others than administrators those of rules of a repository alone. null without the feature alerts.`,
  });

export const Marks = z
  .object({ window: z.object({ from: instant, to: instant }), deployments: deploymentDays, alerts: alertMarks })
  .meta({ id: 'Marks' });

export const getMarks = operation({
  method: 'GET',
  path: '/api/db/marks',
  summary: 'What happened beside the runs of a scope: deployments to production and alerts, from the database',
  access: feature('reports'),
  input: z.object({
    org: org.optional().meta({ description: 'Organization or user; without it every repository the caller can see.' }),
    repo: repositoryName.optional().meta({ description: 'One repository, as owner/name.' }),
    range: range.default('30'),
  }),
  output: Marks,
  run: marks,
});

async function marks({ range, ...input }: ScopeInput & { range: Range }, context: Context) {
  const scope = await readScope(input, range, context, (items) => sampleCi(items, context));
  const [deployments, alerts] = await Promise.all([listDeploymentDays(scope, context), listAlerts(scope, context)]);
  return { window: scope.window, deployments, alerts };
}

const alertsFeature = feature('alerts');

/**
 * The scope has proved which repositories the caller sees. Who is a member of an organization would have to be requested
 * of the platform, so that its rules are shown to administrators alone.
 */
async function listAlerts(
  { repositories, window }: Pick<CiScope, 'repositories' | 'window'>,
  context: Context,
): Promise<Domain<typeof alertMarks>> {
  if (!(await offers(alertsFeature, context, await context.actor()))) return null;
  const { firedAlerts } = await readAlerts(context);
  const isAdmin = await mayAdminister(context);
  const wanted = { repoIds: [...repositories.keys()], window, ofRepositoriesOnly: !isAdmin };
  return (await firedAlerts.list(wanted, maxAlerts)).map((event) => {
    const { firedAt, repo, threshold } = event;
    const { label, value, unit, explainedAt } = explainEvent(event);
    return { firedAt, repo, label, value, threshold, unit, explainedAt };
  });
}
