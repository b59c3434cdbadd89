import { costForecast } from '../../metrics/cost/spend-forecast.ts';
import { sampleCi } from '../ci/demo.ts';
import { nameRepository } from '../ci/evidence.ts';
import { readScope } from '../ci/reading.ts';
import { coverRuns } from '../ci/scope-coverage.ts';
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { findMissing } from '../kernel/stored-coverage.ts';
import { assertOwner } from '../repositories/visibility.ts';
import { readForecast } from './forecast.ts';

/** The days that a month is forecast from. */
export const spendExplanations: readonly Explanation[] = [
  {
    key: costForecast.key,
    feature: 'costAnalytics',
    needs: [],
    async explain(input, context) {
      const { org } = input;
      const named = nameRepository(input);
      // The range is of no matter to the month.
      const scope = await readScope({ org, repo: named }, '30', context, (items) => sampleCi(items, context));
      if (org && !named && scope.visible === 0) await assertOwner(org, context);
      const { source, repositories, calendar } = scope;
      const repoIds = [...repositories.keys()];
      const [stored, syncedThrough] = await Promise.all([source.storedWindows(repoIds), source.syncedThrough(repoIds)]);
      const now = context.services.clock.now();
      const { days, forecast, missing, window } = await readForecast(scope, { stored, now }, context);
      const answer = explainMetric(costForecast, days, {
        window,
        partial: findMissing('runs', { stored, repoIds, now }, window).length > 0,
        ...(named === undefined && coverRuns(scope, { stored, window, now })),
        asOf: syncedThrough ?? now,
        source: 'database',
        interval: forecast && { low: forecast.low, high: forecast.high },
        item: ({ day, usd }) => ({ label: day, url: null, at: calendar.getStart(day), value: usd, note: null }),
      });
      return { ...answer, value: forecast?.expected ?? null, noValue: missing ?? answer.noValue };
    },
  },
];
