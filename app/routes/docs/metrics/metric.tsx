import type { ReactNode } from 'react';
import type { AlertUse } from '../../../../server/api/metric-list.ts';
import { count, type Unit } from '../../../../server/domain/quantity.ts';
import { requestContext } from '../../../../server/http/router-context.ts';
import { Facts } from '../../../components/facts.tsx';
import { Section } from '../../../components/panel.tsx';
import { SharedParamsLink } from '../../../components/shared-params.tsx';
import { DocsPage } from '../docs-page.tsx';
import { getFamily } from '../families.ts';
import { docsNavigation } from '../sections.ts';
import type { Route } from './+types/metric';
import { type DocumentedMetric, readCatalogue } from './catalogue.ts';
import { MetricExample } from './example.tsx';
import type { Source } from './sources.ts';

export const handle = { isPlain: true };

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const metric = (await readCatalogue(context.get(requestContext))).get(params.metric);
  if (!metric) throw new Response(null, { status: 404 });
  const explain = metric.evidence ? ['/api/explain'] : [];
  const operations = [...metric.family.operations, ...explain].map((path) => ({
    label: path === '/api/explain' ? `${path}?metric=${metric.key}` : path,
    href: `/docs/api#${getFamily(path)}`,
  }));
  return { metric, operations, navigation: docsNavigation('/docs/metrics') };
};

/** One metric: what it means, how to read it, and what it comes to over a few facts. */
export default function Metric({ loaderData: { metric, operations, navigation } }: Route.ComponentProps) {
  const { label, definition, evidence, unit } = metric;
  return (
    <DocsPage
      title={label}
      lead={definition}
      navigation={navigation}
      parents={[{ label: 'Metrics', href: '/docs/metrics' }]}
    >
      <Section title="Definition">
        <Facts facts={listFacts(metric)} />
        <details className="source">
          <summary>Sources</summary>
          <Facts facts={listSources(metric, operations)} />
        </details>
      </Section>
      <Reading metric={metric} />
      {evidence ? (
        <Section title="Example">
          <MetricExample evidence={evidence} unit={unit} />
        </Section>
      ) : null}
    </DocsPage>
  );
}

function listFacts({ unit, evidence }: DocumentedMetric) {
  const window = evidence?.example.window;
  return [
    ...(evidence ? [{ label: 'Counts', value: evidence.counts }] : []),
    { label: 'Unit', value: units[unit] },
    ...(evidence ? [{ label: 'Window', value: window ? count(countDays(window), 'day') : 'no fixed period' }] : []),
  ];
}

/** Who defined it, and where its data and its values are. */
function listSources({ family: { definedBy, data, page } }: DocumentedMetric, operations: readonly Source[]) {
  return [
    { label: 'Defined by', value: definedBy ? <To {...definedBy} /> : 'Delivery Analytics' },
    { label: 'Data', value: <To label={`GitHub: ${data.label}`} href={data.href} /> },
    { label: 'Page', value: <To {...page} /> },
    {
      label: 'API',
      value: (
        <ul>
          {operations.map(({ label, href }) => (
            <li key={label}>
              <SharedParamsLink href={href}>
                <code>{label}</code>
              </SharedParamsLink>
            </li>
          ))}
        </ul>
      ),
    },
  ];
}

const To = ({ label, href }: Source) => <a href={href}>{label}</a>;

/** What a value, a color and a dash mean. */
function Reading({ metric: { levels, highlights, alert, evidence } }: { metric: DocumentedMetric }) {
  const facts: [label: string, value: ReactNode][] = [
    ['Levels', levels],
    ['Highlights', highlights],
    ['Change', evidence && changes[evidence.better]],
    ['No value', evidence?.noValue],
    ['Alerts', alert && describeAlert(alert, evidence !== null)],
  ];
  return (
    <Section title="How to read it">
      <dl className="explanations">
        {facts.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </Section>
  );
}

const changes = {
  higher: 'An increase is green, a decrease red.',
  lower: 'A decrease is green, an increase red.',
  neither: 'Neither direction is better: changes are gray.',
};

/** The definition too, where rules watch another selection than pages show. */
function describeAlert({ definition, minSample }: AlertUse, isShownElsewhere: boolean): string {
  const sample = `A rule fires only with a sample of at least ${minSample}.`;
  return isShownElsewhere ? `${definition} ${sample}` : sample;
}

const countDays = ({ from, to }: { from: string; to: string }) =>
  Math.ceil((Date.parse(to) - Date.parse(from)) / 86_400_000);

const units: Record<Unit, string> = {
  percent: 'percent',
  points: 'percentage points',
  score: 'points of 100',
  count: 'number',
  milliseconds: 'duration',
  minutes: 'minutes',
  hours: 'hours',
  days: 'days',
  per_day: 'per day',
  per_week: 'per week',
  usd: 'US dollars',
};
