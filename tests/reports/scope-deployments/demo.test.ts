import { expect, test } from 'vitest';
import { emptyReply } from '../../../server/http/execute.ts';
import { deploymentsReport } from '../../../server/reports/deployments/report.ts';
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
  expect(totalsBefore?.finished ?? finishedBefore).toBe(finishedBefore);
  expect(failing).toBe(repositories.filter(({ failingSince }) => failingSince !== null).length);
});
