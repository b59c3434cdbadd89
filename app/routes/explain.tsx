import { useLocation } from 'react-router';
import { explain } from '../../server/api/explain.ts';
import { assertFound, deferPanels } from '../../server/http/deferred-panels.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { LoadingPanels, WhenReady } from '../components/skeleton.tsx';
import type { Route } from './+types/explain';
import { type Answer, Details } from './explain/details.tsx';
import { crumbs, repositoryCrumb, useOrganizationCrumb } from './links.ts';
import { useProfileHref } from './people/person-href.ts';
import { ShareLink } from './share-link.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const answers = await deferPanels({ context: context.get(requestContext), params }, { explained: explain });
  // What is wrong with a parameter is said in the place of the number.
  assertFound(answers.panels, [404]);
  return answers;
};

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
      <ShareLink />
    </Page>
  );
}

const unknownTitle = 'Metric details';

const getTitle = (answer: Answer) => (answer.ok ? answer.data.label : unknownTitle);

function usePlace(query: URLSearchParams, base: string) {
  const [owner, repo, org, login] = ['owner', 'repo', 'org', 'login'].map((name) => query.get(name) ?? '');
  const profile = useProfileHref(owner ?? '')(login ?? '');
  const organization = useOrganizationCrumb(org ?? '');
  if (owner && repo) return [repositoryCrumb(base, `${owner}/${repo}`)];
  if (owner && login) return profile ? [{ label: `${login} in ${owner}`, href: profile }] : [];
  return org ? organization : [];
}
