import { count } from '../../server/domain/quantity.ts';
import watch from '../scripts/bell.ts?worker&url';
import { Badge } from './badge.tsx';

export interface BellProps {
  href: string;
  /** How many alerts are open; null where it does not come with the page. */
  open: number | null;
}

/** How many alerts are open, where any are. With scripts that is requested again once a minute. */
export function Bell({ href, open }: BellProps) {
  return (
    <>
      <div role="status" data-bell={open === null ? 'unknown' : 'known'}>
        <a className="bell" href={href} hidden={!open} suppressHydrationWarning>
          <Badge status="fail">
            <span data-part="open" suppressHydrationWarning>
              {count(open ?? 0, 'open alert')}
            </span>
          </Badge>
          <span data-part="unknown" hidden suppressHydrationWarning>
            <Badge status="void">alerts unknown</Badge>
          </span>
        </a>
      </div>
      <script type="module" src={watch} />
    </>
  );
}
