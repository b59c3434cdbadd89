import { operations } from '../../../server/api/registry.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/panel.tsx';
import type { Route } from './+types/api-reference';
import { DocsPage } from './docs-page.tsx';
import { getFamily, getFamilyTitle } from './families.ts';
import { docsNavigation } from './sections.ts';

export const handle = { isPlain: true };

export const loader = () => ({
  navigation: docsNavigation('/docs/api'),
  entries: operations.map(({ method, path, summary, access, input }) => {
    const required = new Set(Object.keys(input.shape).filter((key) => !input.shape[key]?.safeParse(undefined).success));
    return {
      family: getFamily(path),
      method,
      path,
      summary,
      access: access.name,
      parameters: Object.keys(input.shape).map((name) => ({ name, required: required.has(name) })),
    };
  }),
});

type Entry = Route.ComponentProps['loaderData']['entries'][number];

/** Every operation of the API, by family. */
export default function ApiReference({ loaderData: { entries, navigation } }: Route.ComponentProps) {
  const families = Map.groupBy(entries, ({ family }) => family);
  return (
    <DocsPage
      title="API reference"
      lead="Generated from the schemas that validate every request and response."
      navigation={navigation}
      actions={<a href="/api/openapi.json">OpenAPI 3.1</a>}
    >
      {[...families].map(([family, familyOperations]) => (
        <Section key={family} id={family} title={getFamilyTitle(family)}>
          <DataTable<Entry>
            caption={`Operations: ${getFamilyTitle(family)}`}
            captionHidden
            rows={familyOperations}
            rowKey={({ method, path }) => `${method} ${path}`}
            noun="operations"
            columns={columns}
          />
        </Section>
      ))}
    </DocsPage>
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
  { key: 'access', label: 'Access', cell: ({ access }: Entry) => access },
];
