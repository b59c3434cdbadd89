import { List, ListItem } from '@tremor/react';
import type { ReactNode } from 'react';

export interface Item {
  key: string | number;
  /** What it is, mostly a link. */
  name: ReactNode;
  /** At the right end of the row: where it belongs, how much, since when. */
  detail?: ReactNode;
}

/** Things to open, one a row, parted by lines. */
export const ItemList = ({ items }: { items: readonly Item[] }) => (
  <List>
    {items.map(({ key, name, detail }) => (
      <ListItem key={key} className="flex-wrap gap-x-4">
        <span className="text-ink">{name}</span>
        {detail ? <span className="muted">{detail}</span> : null}
      </ListItem>
    ))}
  </List>
);
