import { useLocation } from 'react-router';
import { panel } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getOrganizations, getRepositories } from '../../../server/reports/repositories/operations.ts';
import { getSpend } from '../../../server/reports/spend/operations.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Filters } from '../ci/filters.tsx';
import { sectionCrumbs } from '../links.ts';
import type { Route } from './+types/page';
import { Answer } from './answer.tsx';
import { BillView } from './bill.tsx';
import { readBill } from './read-bill.ts';
import { SpendView } from './spend.tsx';
import { getTabs, requestedView } from './views.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { url, isDemo, services } = pageRequest.context;
  const isStored = isDemo || services.store !== null;
  const view = requestedView(url.searchParams, isStored);
  const isBill = view === 'bill';
  const organizations = await panel(getOrganizations, { ...pageRequest, isOptional: !isBill });
  const owners = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  if (isBill)
    return { view, isStored, owners, repositories: [], spend: null, bill: await readBill(pageRequest, owners) };
  const [spend, repositories] = await Promise.all([
    panel(getSpend, { ...pageRequest, extra: { by: view } }),
    panel(getRepositories, { ...pageRequest, isOptional: true }),
  ]);
  const names = repositories.ok ? repositories.data.map(({ full_name }) => full_name) : [];
  return { view, isStored, owners, repositories: names, spend, bill: null };
};

/** What CI costs, estimated from stored jobs by workflow, repository, runner and day; and the bill of a month. */
export default function CostPage({ loaderData }: Route.ComponentProps) {
  const { view, isStored, owners, repositories, spend, bill } = loaderData;
  const { base, hostName } = usePageContext();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const scope = bill ? (bill.org ?? 'your account') : query.get('repo') || query.get('org');
  const lead = bill ? (
    `Usage billed by ${hostName} in a calendar month (UTC). Usage can arrive a few hours late.`
  ) : spend?.ok ? (
    <Answer data={spend.data} />
  ) : null;
  return (
    <Page
      title={scope ? `Cost of ${scope}` : 'Cost'}
      description="What CI costs by workflow, repository, runner and day, with a forecast of the month, and the bill."
      lead={lead}
      breadcrumbs={sectionCrumbs('Cost', `${base}/cost`, scope)}
      tabs={getTabs(search, view, isStored)}
    >
      {bill ? <BillView bill={bill} owners={owners} /> : null}
      {spend ? (
        <>
          <Filters search={search} owners={owners} repositories={repositories} />
          <SpendView result={spend} search={search} here={`${pathname}${search}`} />
        </>
      ) : null}
    </Page>
  );
}
