import { useLocation } from 'react-router';
import type { Panel as Answer } from '../../../server/http/adapters.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { type Cost, OrganizationFigures, type Bill as PersonBill, PersonFigures } from './figures.tsx';
import { type CalendarMonth, isRunning, MonthSteps, monthName } from './month.tsx';
import type { BillAnswers } from './read-bill.ts';
import { billSections, DayBars, KindTable, ProductTable, RepositoryTable } from './tables.tsx';

/** A month of the bill by day, SKU, repository and product. */
export function BillView({ bill: { org, month }, organizations, amounts }: BillAnswers) {
  const { now } = usePageContext();
  const { search } = useLocation();
  return (
    <>
      <WhenReady data={organizations} fallback={<Whose owners={[]} org={org} search={search} />}>
        {({ organizations: listed }) => (
          <Whose owners={listed.ok ? listed.data.map(({ login }) => login) : []} org={org} search={search} />
        )}
      </WhenReady>
      <MonthSteps month={month} now={now} search={search} />
      <WhenReady data={amounts} fallback={<LoadingPanels titles={[monthName(month)]} />}>
        {({ organizationCost, personCost }) => (
          <>
            {organizationCost ? <OrganizationCost result={organizationCost} month={month} /> : null}
            {personCost ? <PersonCost result={personCost} month={month} /> : null}
          </>
        )}
      </WhenReady>
    </>
  );
}

const maxOwners = 12;

interface WhoseProps {
  owners: readonly string[];
  org: string | null;
  search: string;
}

function Whose({ owners, org, search }: WhoseProps) {
  const { base } = usePageContext();
  const first = owners.slice(0, maxOwners);
  const offered =
    org === null || first.some((one) => one.toLowerCase() === org.toLowerCase()) ? first : [...first, org];
  const options = offered.map((value) => ({ value, label: value }));
  const choice = {
    kind: 'links' as const,
    name: 'org',
    label: 'Bill of',
    value: org ?? '',
    options: base ? options : [{ value: '', label: 'your account' }, ...options],
  };
  return <FilterBar label="Whose bill" search={search} filters={[choice]} />;
}

interface CostProps<Data> {
  result: Answer<Data>;
  month: CalendarMonth;
}

function OrganizationCost({ result, month }: CostProps<Cost>) {
  const { base } = usePageContext();
  const title = monthName(month);
  if (!result.ok && isHidden(result.problem.code)) return <Hidden title={title} text={result.problem.error} />;
  return (
    <>
      <Panel title={title} result={result} feature={feature} whenPartial={whatIsMissing(result)}>
        {(cost) => <OrganizationFigures data={cost} base={base} />}
      </Panel>
      {result.ok && result.data.skus.length > 0 ? <OrganizationTables data={result.data} month={month} /> : null}
    </>
  );
}

function OrganizationTables({ data, month }: { data: Cost; month: CalendarMonth }) {
  const { now, base } = usePageContext();
  const file = (table: string) => csv(base, 'billing/cost-analysis', { org: data.login, table }, month);
  return (
    <>
      <DayBars data={data} isRunning={isRunning(month, now)} csvHref={file('by_day')} />
      <Section title="Usage by SKU" id={billSections.skus}>
        <Unpriced skus={data.unpriced_skus} />
        <KindTable rows={data.skus} csvHref={file('skus')} />
      </Section>
      <Section title="Repositories" id={billSections.repositories}>
        <RepositoryTable data={data} csvHref={file('by_repository')} />
      </Section>
      <Section title="Products" id={billSections.products}>
        <ProductTable data={data} csvHref={file('products')} />
      </Section>
    </>
  );
}

function PersonCost({ result, month }: CostProps<PersonBill>) {
  const { base } = usePageContext();
  const title = monthName(month);
  if (!result.ok && isHidden(result.problem.code)) return <Hidden title={title} text={result.problem.error} />;
  return (
    <>
      <Panel title={title} result={result} feature={feature} whenPartial={whatIsMissing(result)}>
        {(bill) => <PersonFigures data={bill} />}
      </Panel>
      {result.ok && result.data.by_sku.length > 0 ? (
        <Section title="Usage by SKU" id={billSections.skus}>
          <KindTable rows={result.data.by_sku} csvHref={csv(base, 'billing', {}, month)} />
        </Section>
      ) : null}
    </>
  );
}

const feature = { label: 'Cost', shows: 'runner cost and forecast' };
/** What is missing of a bill: lines that could not be read are missing in its amounts, nothing else is. */
const whatIsMissing = (result: Answer<Cost> | Answer<PersonBill>): string =>
  result.ok && result.notes?.partialReason
    ? 'Amounts are minimums.'
    : 'The plan, or usage by day and repository, could not be loaded. Amounts are complete.';

/** The platform says the same of a bill that is hidden and of one that is not there. */
const isHidden = (code: string) => code === 'upstream_forbidden' || code === 'not_found';

function Hidden({ title, text }: { title: string; text: string }) {
  return (
    <Section title={title}>
      <Notice tone="problem" title="This token cannot read billing data.">
        {text}
      </Notice>
    </Section>
  );
}

function Unpriced({ skus }: { skus: readonly string[] }) {
  if (skus.length === 0) return null;
  return <Notice>No list price for {skus.join(', ')}. Only per-run estimates exclude them.</Notice>;
}

function csv(
  base: string,
  path: string,
  params: { org?: string; table?: string },
  { year, month }: CalendarMonth,
): string {
  const query = new URLSearchParams({ ...params, year: String(year), month: String(month), format: 'csv' });
  return `${base}/api/codehost/${path}?${query}`;
}
