import { Facts } from '../../components/facts.tsx';
import { Page } from '../../components/page.tsx';
import type { Route } from './+types/section';
import { sections } from './readings.ts';
import { docTabs } from './tabs.ts';

export const loader = ({ params }: Route.LoaderArgs) => {
  const section = sections.find(({ key }) => key === params.section);
  if (!section) throw new Response(null, { status: 404 });
  return section;
};

/** One section of the documentation. */
export default function DocsSection({ loaderData: { key, title, lead, readings } }: Route.ComponentProps) {
  return (
    <Page
      title={title}
      lead={lead}
      breadcrumbs={[{ label: 'Documentation', href: '/docs' }]}
      tabs={docTabs(`/docs/${key}`)}
    >
      <Facts of={readings} />
    </Page>
  );
}
