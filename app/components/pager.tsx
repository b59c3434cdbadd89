import { figures } from '../../server/domain/quantity.ts';
import { Link } from '../charts/link.tsx';

export interface PagerProps {
  /** Of the first and last row shown, from 1. */
  from: number;
  to: number;
  /** null: how many there are is not known. */
  total: number | null;
  /** `runs` */
  noun: string;
  previousHref?: string | null;
  nextHref?: string | null;
}

/** Which rows are shown, of how many, and links to the others; nothing where there are no rows at all. */
export function Pager({ from, to, total, noun, previousHref, nextHref }: PagerProps) {
  if (to < from && !previousHref && !nextHref) return null;
  const rows = to < from ? `No ${noun}` : from === to ? figures(from) : `${figures(from)}–${figures(to)}`;
  return (
    <nav className="pager" aria-label={`Pages of ${noun}`}>
      <span className="muted">
        {rows}
        {to < from ? null : total === null ? ` ${noun}` : ` of ${figures(total)} ${noun}`}
      </span>
      {previousHref ? (
        <Link rel="prev" href={previousHref}>
          Previous
        </Link>
      ) : null}
      {nextHref ? (
        <Link rel="next" href={nextHref}>
          Next
        </Link>
      ) : null}
    </nav>
  );
}
