import type { Services } from '../access/context.ts';
import { isDatabaseUnavailable } from '../store/failure.ts';
import { type AlertServices, type Evaluation, evaluateAlerts } from './evaluate.ts';

/** Evaluates the rules over a repository whose facts were just read; a defect there does not undo the reading. */
export function createEvaluateAfterSync(
  services: Omit<AlertServices, 'store'> & Pick<Services, 'store'>,
): Services['evaluateAfterSync'] {
  const { store, log } = services;
  return async (repository, feed, source): Promise<Evaluation> => {
    if (!store) throw new Error('Evaluating needs a database.');
    try {
      return await evaluateAlerts(repository, feed, source, { ...services, store });
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log.error({ err: error, repo_id: repository.id, feed }, 'alert rules could not be evaluated');
      return { evaluated: 0, fired: 0 };
    }
  };
}
