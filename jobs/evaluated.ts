import type { Services } from '../server/access/context.ts';
import { type EvaluatedRepository, type Evaluation, evaluateAlerts } from '../server/alerts/evaluate.ts';
import type { Feed } from '../server/alerts/metric.ts';
import { isDatabaseUnavailable } from '../server/store/failure.ts';
import type { Store } from '../server/store/orm.ts';

export type EvaluationServices = Pick<Services, 'clock' | 'env' | 'log' | 'queue'>;

/** Evaluates the rules over a repository whose facts came in; a defect there does not undo the reading. */
export async function evaluated(
  repository: EvaluatedRepository,
  { feed, source, store }: { feed: Feed; source: 'sync' | 'webhook' | 'cron'; store: Store },
  services: EvaluationServices,
): Promise<Evaluation> {
  try {
    return await evaluateAlerts(repository, feed, source, { ...services, store });
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    services.log.error({ err: error, repo_id: repository.id, feed }, 'alert rules could not be evaluated');
    return { evaluated: 0, fired: 0 };
  }
}
