import { useLocation } from 'react-router';
import { explain } from '../../server/api/explain.ts';
import { counted, quantity, refineRate, type Unit } from '../../server/domain/quantity.ts';
import type { PanelsOf } from '../../server/http/adapters.ts';
import { assertFound, deferPanels } from '../../server/http/deferred-panels.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { Link } from '../charts/link.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Facts } from '../components/facts.tsx';
import { Measurement, type Reading } from '../components/measurement.tsx';
import { Moment, PastMoment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { Panel, Section } from '../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../components/skeleton.tsx';
import type { Route } from './+types/explain';
import { Excluded, ExcludedRepositories } from './explain/excluded-repositories.tsx';
import { crumbs, repositoryCrumb, useOrganizationCrumb } from './links.ts';
import { useProfileHref } from './people/person-href.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const answers = await deferPanels({ context: context.get(requestContext), params }, { explained: explain });
  // What is wrong with a parameter is said in the place of the number.
  assertFound(answers.panels, [404]);
  return answers;
};

type Answer = PanelsOf<{ explained: typeof explain }>['explained'];
export type Explained = Extract<Answer, { ok: true }>['data'];
type Item = Explained['counted'][number];

/** One number opened: its definition, every counted item with a link, and what was excluded with the reason. */
export default function ExplainPage({ loaderData: { panels } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  return (
    <Page
      title={panels instanceof Promise ? unknownTitle : getTitle(panels.explained)}
      heading={
        <WhenReady data={panels} fallback={unknownTitle}>
          {({ explained }) => getTitle(explained)}
        </WhenReady>
      }
      description="Definition of the metric, counted items, and exclusions with reasons."
      breadcrumbs={crumbs(base, ...usePlace(query, base))}
    >
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Metric', 'Counted']} />}>
        {({ explained }) => <Details result={explained} search={search} />}
      </WhenReady>
    </Page>
  );
}

const unknownTitle = 'Metric details';

const getTitle = (answer: Answer) => (answer.ok ? answer.data.label : unknownTitle);

function Details({ result: explained, search }: { result: Answer; search: string }) {
  const { zone, base } = usePageContext();
  return (
    <>
      <Panel title="Metric" result={explained} whenPartial="Partial data: some items are missing below.">
        {(data) => <Definition data={data} zone={zone} />}
      </Panel>
      {explained.ok ? (
        <Evidence data={explained.data} zone={zone} csvHref={`${base}/api/explain${search}&format=csv`} />
      ) : null}
    </>
  );
}

function usePlace(query: URLSearchParams, base: string) {
  const [owner, repo, org, login] = ['owner', 'repo', 'org', 'login'].map((name) => query.get(name) ?? '');
  const profile = useProfileHref(owner ?? '')(login ?? '');
  const organization = useOrganizationCrumb(org ?? '');
  if (owner && repo) return [repositoryCrumb(base, `${owner}/${repo}`)];
  if (owner && login) return profile ? [{ label: `${login} in ${owner}`, href: profile }] : [];
  return org ? organization : [];
}

interface Shown {
  data: Explained;
  zone: string;
}

function Definition({ data, zone }: Shown) {
  const { value, unit, sample, part, source, interval, window } = data;
  const rate = refineRate(value, part, sample);
  const reason = `No data: needs ${source}.`;
  return (
    <Facts
      facts={[
        {
          label: 'Value',
          value: <Measurement value={{ value: rate, unit: unit as Unit, reason, quality: getQuality(data) }} />,
        },
        {
          label: 'Definition',
          value: (
            <>
              {data.definition ?? source} <Link href={`/docs/metrics/${data.metric}`}>Example</Link>
            </>
          ),
        },
        { label: 'Counted', value: counted(sample, source) },
        { label: 'Excluded', value: <Excluded data={data} /> },
        ...(interval
          ? [
              {
                label: 'Uncertainty',
                value: `95 % confidence interval: ${quantity(interval.low, unit as Unit)} to ${quantity(interval.high, unit as Unit)}.`,
              },
            ]
          : []),
        ...(window
          ? [
              {
                label: 'Window',
                value: (
                  <>
                    <Moment at={window.from} as="date-time" /> to <Moment at={window.to} as="date-time" /> ({zone})
                  </>
                ),
              },
            ]
          : []),
        {
          label: 'As of',
          value: <PastMoment at={data.generated_at} />,
        },
      ]}
    />
  );
}

/** A count in a scope of which something is missing may be higher; a source that is off has nothing to count. */
function getQuality({ unit, partial, coverage }: Explained): Reading['quality'] {
  if (unit !== 'count' || coverage === null) return 'measured';
  const isMissing = coverage.reasons.some((reason) => reason !== 'none_listed' && reason !== 'not_enabled');
  return partial || isMissing ? 'floor' : 'measured';
}

function Evidence({ data, csvHref }: Shown & { csvHref: string }) {
  return (
    <>
      <Section title="Counted">
        <Items
          caption="Counted items, newest first"
          items={data.counted}
          total={data.sample}
          unit={data.unit as Unit}
          csvHref={csvHref}
        />
      </Section>
      <ExcludedRepositories data={data} />
      {data.left_out.map(({ reason, count: total, items }) => (
        <Section key={reason} title={`Excluded: ${reason}`}>
          <Items caption={`Excluded: ${reason}`} items={items} total={total} unit={data.unit as Unit} />
        </Section>
      ))}
    </>
  );
}

interface ItemsProps {
  caption: string;
  items: Item[];
  total: number;
  unit: Unit;
  csvHref?: string;
}

function Items({ caption, items, total, unit, csvHref }: ItemsProps) {
  const hasValues = items.some(({ value }) => value !== null);
  const hasNotes = items.some(({ note }) => note !== null);
  return (
    <DataTable
      caption={caption}
      captionHidden
      rows={items}
      rowKey={({ url, at, label }) => `${url} ${at} ${label}`}
      total={total}
      noun="items"
      csvHref={csvHref}
      empty={{ cause: 'No items in this period.' }}
      columns={[
        {
          key: 'label',
          label: 'Item',
          cell: ({ label, url }) => (url && url !== '#' ? <Link href={url}>{label}</Link> : label),
        },
        ...(hasNotes ? [{ key: 'note', label: 'Details', cell: ({ note }: Item) => note ?? '–' }] : []),
        {
          key: 'at',
          label: 'When',
          cell: ({ at }: Item) => (at === null ? '–' : <Moment at={at} />),
        },
        ...(hasValues
          ? [
              {
                key: 'value',
                label: 'Value',
                numeric: true,
                cell: ({ value }: Item) => <Measurement value={{ value, unit, reason: 'Counts as one.' }} />,
              },
            ]
          : []),
      ]}
    />
  );
}
