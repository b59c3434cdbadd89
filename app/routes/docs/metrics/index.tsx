import { requestContext } from '../../../../server/http/router-context.ts';
import { Section } from '../../../components/panel.tsx';
import { SharedParamsLink } from '../../../components/shared-params.tsx';
import { DocsPage } from '../docs-page.tsx';
import { docsNavigation } from '../sections.ts';
import type { Route } from './+types/index';
import { readCatalogue } from './catalogue.ts';

export const handle = { isPlain: true };

export const loader = async ({ context }: Route.LoaderArgs) => {
  const catalogue = await readCatalogue(context.get(requestContext));
  return {
    navigation: docsNavigation('/docs/metrics'),
    metrics: [...catalogue.values()].map(({ key, label, family }) => ({ key, label, family: family.label })),
  };
};

/** The names of all metrics, each of which has a page. */
export default function Metrics({ loaderData: { metrics, navigation } }: Route.ComponentProps) {
  const families = Map.groupBy(metrics, ({ family }) => family);
  return (
    <DocsPage title="Metrics" lead="Definitions, examples." navigation={navigation}>
      <div className="docs-cards">
        {[...families].map(([family, members]) => (
          <Section key={family} title={family}>
            <ul>
              {members.map(({ key, label }) => (
                <li key={key}>
                  <SharedParamsLink href={`/docs/metrics/${key}`}>{label}</SharedParamsLink>
                  {members.some((other) => other.label === label && other.key !== key) ? (
                    <span className="muted"> {key}</span>
                  ) : null}
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </div>
    </DocsPage>
  );
}
