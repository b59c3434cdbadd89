import { ItemList } from '../../components/item-list.tsx';
import type { SearchGroup } from './groups.ts';

/** What was found, by kind. The palette of other pages reads these groups and links. */
export const SearchResults = ({ groups }: { groups: readonly SearchGroup[] }) => (
  <div className="search-results" data-results>
    {groups.map(({ label, items }) => (
      <section key={label} aria-label={label}>
        <h2>{label}</h2>
        <ItemList
          items={items.map(({ label: name, href, detail }) => ({ key: href, name: <a href={href}>{name}</a>, detail }))}
        />
      </section>
    ))}
  </div>
);
