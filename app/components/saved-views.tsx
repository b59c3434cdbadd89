import { Links, type PageLink } from './page.tsx';

export interface SavedViewsProps {
  links: readonly PageLink[];
  /** Saves this page by POST; null where it is not to be saved. */
  save: { address: string; csrf: string } | null;
}

/** The named addresses of the reader, in the rail. */
export function SavedViews({ links, save }: SavedViewsProps) {
  return (
    <section className="views" aria-label="Saved views">
      <h2>
        <a href="/views">Saved views</a>
      </h2>
      {links.length > 0 ? <Links links={links} /> : null}
      {save ? (
        <details>
          <summary>Save this view</summary>
          <form method="post" action="/views">
            <input type="hidden" name="csrf" value={save.csrf} />
            <input type="hidden" name="intent" value="save" />
            <input type="hidden" name="address" value={save.address} />
            <input name="name" aria-label="Name of the view" placeholder="Name" maxLength={60} required />
            <button type="submit">Save</button>
          </form>
        </details>
      ) : null}
    </section>
  );
}
