import { expect, test } from 'vitest';
import { emptyReply } from '../../../server/http/execute.ts';
import type { Deployment } from '../../../server/metrics/kernel/delivery-facts.ts';
import { isWithin, type Window } from '../../../server/metrics/kernel/window.ts';
import { deploymentsReport } from '../../../server/reports/deployments/report.ts';
import { readScopeDeployments } from '../../../server/reports/scope-deployments/reading.ts';
import { scopeDeploymentsReport } from '../../../server/reports/scope-deployments/report.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService({});

test('each repository of the demo has the figures of its own page', async () => {
  const context = openDemo(visit.service);
  const { repositories, totals, totalsBefore, failing } = await scopeDeploymentsReport({}, context);
  let [deployments, failed, finishedBefore] = [0, 0, 0];
  for (const row of repositories) {
    const [owner = '', repo = ''] = row.repo.split('/');
    const own = await deploymentsReport({ owner, repo }, context, emptyReply());
    const production = own.byEnvironment.find(({ isProduction }) => isProduction);
    expect(row).toMatchObject({
      environment: own.productionEnvironment,
      deployments: own.totalDeployments,
      deploysPerDay: production?.deploysPerDay ?? null,
      changeFailureRatePct: own.changeFailureRatePct,
      timeToRestoreHours: production?.mttrMedianHours ?? null,
      restoreSample: production?.mttrSamples ?? 0,
      failingSince: production?.openFailureSince ?? null,
    });
    deployments += own.totalDeployments;
    failed += own.failed ?? 0;
    finishedBefore += own.periodBefore?.finished ?? 0;
  }
  expect(deployments).toBeGreaterThan(20);
  expect(totals).toMatchObject({ deployments, failed });
  expect(totals.changeFailureRatePct).toBe(Math.round((100 * failed) / (totals.finished ?? 0)));
  // The page of a repository that is quiet now has no period before.
  const quiet = (await readScopeDeployments(undefined, context)).repositories.flatMap(({ known }) =>
    known?.before && known.recent.length === 0 ? listWithin(known.set.items, known.before) : [],
  );
  expect(quiet.length).toBeGreaterThan(0);
  expect(totalsBefore?.finished).toBe(finishedBefore + quiet.length);
  expect(failing).toBe(repositories.filter(({ failingSince }) => failingSince !== null).length);
});

const listWithin = (items: readonly Deployment[], window: Window) =>
  items.filter(({ createdAt }) => isWithin(createdAt, window));
