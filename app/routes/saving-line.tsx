import { count, figures } from '../../server/domain/quantity.ts';
import type { PanelsOf } from '../../server/http/adapters.ts';
import type { getPlan } from '../../server/reports/advisor/operations.ts';
import { Link } from '../charts/link.tsx';
import { usePageContext } from '../components/page-context.ts';
import { formatShare } from './repo/advisor/predicted.tsx';

/** What recommended changes would save, in one line that leads to them; nothing where no saving is certain. */
export function SavingLine({ plan }: PanelsOf<{ plan: typeof getPlan }>) {
  const { base } = usePageContext();
  if (!plan.ok || plan.data.total === null || plan.data.total.minutes_saved.low <= 0) return null;
  const { total, scope, repositories } = plan.data;
  const place = scope.org === null ? `/repos/${scope.owner}/${scope.repo}` : `/org/${scope.org}`;
  return (
    <p>
      <Link href={`${base}${place}/advisor`}>{count(total.recommendations, 'recommended change')}</Link> of workflow
      files: {formatShare(total)} predicted (80 % range)
      {scope.org === null ? '' : ` in ${figures(repositories.judged)} of ${figures(repositories.seen)} repositories`}.
    </p>
  );
}
