// How long a repository of 20,000 jobs in 90 days takes: the effect of one change of a workflow that ran all of them, and
// the list of 40 recommendations in ten workflows, with their total. What memory it takes, `--max-old-space-size` limits.
import { predictEffects } from '../../server/advisor/effects.ts';
import { planRepository } from '../../server/advisor/plan.ts';
import { recommend } from '../../server/advisor/recommend.ts';
import { busyRepository } from '../simulation/ci-predictions.ts';

const timed = (work) => {
  const from = performance.now();
  const result = work();
  return { result, ms: Math.round(performance.now() - from) };
};
const predictAll = (repository, found) => predictEffects(repository, found, { isPublic: false });

const one = busyRepository(1);
const jobs = one.attempts.reduce((sum, attempt) => sum + attempt.jobs.length, 0);
const found = recommend(one);
const effects = found
  .filter(({ counterfactual }) => counterfactual !== null)
  .map((recommendation) => ({ kind: recommendation.kind.id, ms: timed(() => predictAll(one, [recommendation])).ms }));

const ten = busyRepository(10);
const list = timed(() => {
  const { recommendations, past } = predictAll(ten, recommend(ten));
  return { recommendations, plan: planRepository(recommendations, past) };
});
console.table(effects);
console.table([
  {
    jobs,
    recommendations: list.result.recommendations.length,
    predicted: list.result.recommendations.filter(({ effect }) => effect.next !== null).length,
    'in the total': list.result.plan.rows.length,
    'list, ms': list.ms,
  },
]);
