import type { ReactNode } from 'react';
import { Link } from '../charts/link.tsx';
import { withChoices } from './choices.ts';
import { useSearch } from './page-context.ts';

interface Props {
  /** `batches`, for screen readers. */
  noun: string;
  /** The parameter of the address that says where the page begins. */
  param: 'cursor' | 'before';
  /** Where older items begin; null at the end of the list. */
  next: string | number | null;
  /** How much of the list is shown, or that it ends here. */
  shown?: ReactNode;
  /** The place of the list on its page: `#fired` */
  anchor?: string;
}

/** Links between the pages of a list that begins with the newest; nothing where one page has all of it. */
export function NewestFirstPager({ noun, param, next, shown, anchor = '' }: Props) {
  const search = useSearch();
  const isFirst = !new URLSearchParams(search).get(param);
  if (isFirst && next === null) return null;
  return (
    <nav className="pager" aria-label={`Pages of ${noun}`}>
      {shown ? <span className="muted">{shown}</span> : null}
      {isFirst ? null : <Link href={`${withChoices(search, { [param]: null })}${anchor}`}>Newest</Link>}
      {next === null ? null : (
        <Link rel="next" href={`${withChoices(search, { [param]: next })}${anchor}`}>
          Older
        </Link>
      )}
    </nav>
  );
}
