import { z } from 'zod';
import type { Services } from '../../../access/context.ts';

/** How `/metrics` can be read, and what it shows of repositories, as the environment says. */
export const MetricsStatus = z.object({
  address: z.url().nullable().meta({ description: 'Answers with `METRICS_TOKEN` as its bearer; null without one.' }),
  listener: z.string().nullable().meta({ description: 'A second one, which asks for no token.' }),
  repositories: z.enum(['public', 'all', 'none']),
  has_workflows: z.boolean(),
});

export type MetricsStatus = z.output<typeof MetricsStatus>;

export const metricsStatus = ({ env }: Pick<Services, 'env'>) => ({
  address: env.METRICS_TOKEN === undefined ? null : `${env.APP_URL}/metrics`,
  listener: env.METRICS_LISTEN ? `${env.METRICS_LISTEN.host}:${env.METRICS_LISTEN.port}/metrics` : null,
  repositories: env.METRICS_REPOSITORIES,
  hasWorkflows: env.METRICS_WORKFLOWS,
});
