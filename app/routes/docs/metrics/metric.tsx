import { requestContext } from '../../../../server/http/router-context.ts';
import { Facts } from '../../../components/facts.tsx';
import { Section } from '../../../components/panel.tsx';
import { DocsPage } from '../docs-page.tsx';
import { getFamily } from '../search.ts';
import { docsNavigation } from '../sections.ts';
import type { Route } from './+types/metric';
import { type DocumentedMetric, readCatalogue } from './catalogue.ts';
import { MetricExample } from './example.tsx';
import type { Source } from './sources.ts';

export const handle = { isPlain: true };

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const metric = (await readCatalogue(context.get(requestContext))).get(params.metric);
  if (!metric) throw new Response(null, { status: 404 });
  const operations = [...metric.family.operations, '/api/explain'].map((path) => ({
    label: path === '/api/explain' ? `${path}?metric=${metric.key}` : path,
    href: `/docs/api#${getFamily(path)}`,
  }));
  return { metric, operations, navigation: docsNavigation('/docs/metrics') };
};

/** One metric: what it means, what it comes to over a few facts, and where it is found. */
export default function Metric({ loaderData: { metric, operations, navigation } }: Route.ComponentProps) {
  const { label, definition, counts } = metric;
  return (
    <DocsPage
      title={label}
      lead={definition ?? `Computed from ${counts}.`}
      navigation={navigation}
      parents={[{ label: 'Metrics', href: '/docs/metrics' }]}
    >
      <Section title="Definition">
        <Definition metric={metric} operations={operations} />
      </Section>
      <Section title="Example">
        <MetricExample metric={metric} />
      </Section>
    </DocsPage>
  );
}

interface DefinitionProps {
  metric: DocumentedMetric;
  operations: readonly Source[];
}

function Definition({ metric: { unit, better, counts, family, example }, operations }: DefinitionProps) {
  const { window } = example;
  return (
    <Facts
      facts={[
        { label: 'Counts', value: counts },
        { label: 'Unit', value: units[unit] },
        { label: 'Better', value: better === 'neither' ? 'neither higher nor lower' : better },
        { label: 'Window', value: window ? `${countDays(window)} days` : 'none' },
        { label: 'Source', value: family.definedBy ? <To {...family.definedBy} /> : 'Delivery Analytics' },
        { label: 'Data', value: <To label={`GitHub: ${family.data.label}`} href={family.data.href} /> },
        { label: 'Page', value: <To {...family.page} /> },
        {
          label: 'API',
          value: (
            <ul>
              {operations.map(({ label, href }) => (
                <li key={label}>
                  <a href={href}>
                    <code>{label}</code>
                  </a>
                </li>
              ))}
            </ul>
          ),
        },
      ]}
    />
  );
}

const To = ({ label, href }: Source) => <a href={href}>{label}</a>;

const countDays = ({ from, to }: { from: string; to: string }) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

const units = {
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
