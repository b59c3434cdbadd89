import { namesOf } from '../../../server/http/page-context.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import type { Route } from './+types/section';
import { DocsPage } from './docs-page.tsx';
import { MarkdownView } from './markdown-view.tsx';
import { docsNavigation, forReaders, sections } from './sections.ts';

export const handle = { isPlain: true };

export const loader = ({ context, params }: Route.LoaderArgs) => {
  const written = sections().find(({ key }) => key === (params.page ? `open/${params.page}` : params.section));
  if (!written) throw new Response(null, { status: 404 });
  const section = forReaders(written, namesOf(context.get(requestContext)));
  return { section, navigation: docsNavigation(`/docs/${section.key}`) };
};

/** One chapter of the documentation. */
export default function DocsSection({ loaderData: { section, navigation } }: Route.ComponentProps) {
  const { title, lead, blocks } = section;
  return (
    <DocsPage title={title} lead={lead} navigation={navigation}>
      <article className="panel markdown">
        <MarkdownView blocks={blocks} title={title} />
      </article>
    </DocsPage>
  );
}
