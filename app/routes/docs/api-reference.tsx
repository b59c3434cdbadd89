import { operations } from '../../../server/api/registry.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/panel.tsx';
import type { Route } from './+types/api-reference';
import { docTabs } from './tabs.ts';

export const loader = () =>
  operations.map(({ method, path, summary, access, input }) => {
    const required = new Set(Object.keys(input.shape).filter((key) => !input.shape[key]?.safeParse(undefined).success));
    return {
      method,
      path,
      summary,
      access: access.name,
      parameters: Object.keys(input.shape).map((name) => ({ name, required: required.has(name) })),
    };
  });

type Entry = Route.ComponentProps['loaderData'][number];

export default function ApiReference({ loaderData }: Route.ComponentProps) {
  const families = Map.groupBy(loaderData, ({ path }) => path.split('/')[2] ?? 'api');
  return (
    <Page
      title="API reference"
      lead="Made from the same declarations that check every request and answer."
      breadcrumbs={[{ label: 'Documentation', href: '/docs' }]}
      tabs={docTabs('/docs/api')}
      actions={<a href="/api/openapi.json">OpenAPI 3.1</a>}
    >
      {[...families].map(([family, entries]) => (
        <Section key={family} title={family}>
          <DataTable<Entry>
            caption={`Operations of ${family}`}
            captionHidden
            rows={entries}
            rowKey={({ method, path }) => `${method} ${path}`}
            noun="operations"
            columns={columns}
          />
        </Section>
      ))}
    </Page>
  );
}

const columns = [
  {
    key: 'operation',
    label: 'Operation',
    heading: true,
    cell: ({ method, path, summary }: Entry) => (
      <>
        <code>
          {method} {path}
        </code>
        <span className="sub muted">{summary}</span>
      </>
    ),
  },
  {
    key: 'parameters',
    label: 'Parameters (* required)',
    cell: ({ parameters }: Entry) =>
      parameters.length === 0 ? (
        <span className="muted">none</span>
      ) : (
        <code>{parameters.map(({ name, required }) => (required ? `${name}*` : name)).join(', ')}</code>
      ),
  },
  { key: 'access', label: 'Who may ask', cell: ({ access }: Entry) => access },
];
