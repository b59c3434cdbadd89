import { useLocation } from 'react-router';
import type { Panel, PanelRequest } from '../../../server/http/adapters.ts';
import { deferAnswers, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getSpend } from '../../../server/reports/spend/operations.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { allRuns } from '../../components/period-filters.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { sectionCrumbs } from '../links.ts';
import { readMarks } from '../read-marks.ts';
import { panelOfAllNames } from '../read-named.ts';
import { readSaving } from '../read-saving.ts';
import { SavingLine } from '../saving-line.tsx';
import { ScopeBar } from '../scope-bar.tsx';
import { scopeLists } from '../scope-lists.ts';
import type { Route } from './+types/page';
import { Answer } from './answer.tsx';
import { BillView } from './bill.tsx';
import { readBill } from './read-bill.ts';
import { SpendView } from './spend.tsx';
import { getTabs, requestedView, type Spend, type View } from './views.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { url, isDemo, services } = pageRequest.context;
  const isStored = isDemo || services.store !== null;
  const view = requestedView(url.searchParams, isStored);
  return view === 'bill'
    ? { view, isStored, spend: null, lists: null, saving: null, ...(await readBill(pageRequest)) }
    : { view, isStored, ...(await readSpend(pageRequest, view)), bill: null, organizations: null, amounts: null };
};

async function readSpend(pageRequest: PanelRequest, by: Exclude<View, 'bill'>) {
  const { searchParams } = pageRequest.context.url;
  const [spend, lists, saving] = await Promise.all([
    deferAnswers(
      pageRequest,
      Promise.all([panelOfAllNames(getSpend, { ...pageRequest, extra: { by } }), readMarks(pageRequest)]).then(
        ([spend, marks]) => ({ spend, marks }),
      ),
      (failed) => ({ spend: failed as Panel<Spend>, marks: null }),
    ),
    deferPanels({ ...pageRequest, isOptional: true }, scopeLists),
    readSaving(pageRequest, scopeOf(searchParams)),
  ]);
  return { spend: spend.panels, lists: lists.panels, saving: saving.panels };
}

/** What the page is of; nothing where it is of every repository. */
function scopeOf(searchParams: URLSearchParams) {
  const [owner, repo] = searchParams.get('repo')?.split('/') ?? [];
  return repo ? { owner, repo } : { org: searchParams.get('org') || undefined };
}

/** What CI costs, estimated from stored jobs by workflow, repository, runner and day; and the bill of a month. */
export default function CostPage({ loaderData }: Route.ComponentProps) {
  const { view, isStored, spend, lists, saving, bill, organizations, amounts } = loaderData;
  const { base, hostName } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const scope = bill ? (bill.org ?? 'your account') : query.get('repo') || query.get('org');
  const lead = spend ? (
    <WhenReady data={spend} fallback={<span className="muted">Loading</span>}>
      {({ spend: answer }) => (answer.ok ? <Answer data={answer.data} /> : null)}
    </WhenReady>
  ) : (
    `Usage billed by ${hostName} in a calendar month (UTC). Usage can arrive a few hours late.`
  );
  return (
    <Page
      title={scope ? `Cost of ${scope}` : 'Cost'}
      description="What CI costs by workflow, repository, runner and day, with a forecast of the month, and the bill."
      lead={lead}
      breadcrumbs={sectionCrumbs('Cost', `${base}/cost`, scope)}
      tabs={getTabs(search, view, isStored)}
    >
      {bill ? <BillView bill={bill} organizations={organizations} amounts={amounts} /> : null}
      {spend ? (
        <>
          <ScopeBar search={search} lists={lists} fixed={allRuns} />
          {saving ? (
            <WhenReady data={saving} fallback={null}>
              {(ready) => <SavingLine {...ready} />}
            </WhenReady>
          ) : null}
          <WhenReady data={spend} fallback={<LoadingPanels titles={['Cost', 'Cost per day']} />}>
            {({ spend: answer, marks }) => <SpendView result={answer} marks={marks} lists={lists} search={search} />}
          </WhenReady>
        </>
      ) : null}
    </Page>
  );
}
