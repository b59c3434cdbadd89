import type { SearchGroup } from './groups.ts';

/** What was found, by kind. The palette of other pages reads these groups and links. */
export const SearchResults = ({ groups }: { groups: readonly SearchGroup[] }) => (
  <div className="search-results" data-results>
    {groups.map(({ label, items }) => (
      <section key={label} aria-label={label}>
        <h2>{label}</h2>
        <ul>
          {items.map(({ label: name, href, detail }) => (
            <li key={href}>
              <a href={href}>{name}</a>
              {detail ? <span className="muted"> {detail}</span> : null}
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);
