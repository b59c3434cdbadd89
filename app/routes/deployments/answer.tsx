import { figures, quantity } from '../../../server/domain/quantity.ts';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import type { Deployments } from './page.tsx';

/** Which production is failing, else how often deployments fail. */
export function Answer({
  data: { repos_included: included, totals, failing, repositories, partial },
}: {
  data: Deployments;
}) {
  const { base } = usePageContext();
  const { deployments, failed, finished, change_failure_rate_pct: rate } = totals;
  if (included === 0) return null;
  if (deployments === null) return 'Deployments have not been read yet.';
  const [first] = repositories;
  return (
    <>
      {first?.failing_since ? (
        <>
          <strong>{figures(failing)}</strong> failing:{' '}
          <SharedParamsLink href={`${base}/repos/${first.repo}/deployments`}>{first.repo}</SharedParamsLink>, since{' '}
          <Moment at={first.failing_since} />
          {failing > 1 ? ' the longest' : ''}.{' '}
        </>
      ) : (
        `${partial ? 'None is known to be failing' : 'Nothing is failing now'}. `
      )}
      {rate === null ? null : (
        <>
          <strong>{quantity(rate, 'percent')}</strong> of {figures(finished ?? 0)} deployments failed
          {failed === 0 ? '' : ` (${figures(failed ?? 0)})`}.
        </>
      )}
    </>
  );
}
