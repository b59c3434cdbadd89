import { figures, quantity } from '../../../server/domain/quantity.ts';
import { usePageContext } from '../../components/page-context.ts';
import type { PullRequests } from './page.tsx';

type Wait = NonNullable<PullRequests['longest_wait']>;

/** How many are open, how many of them wait for a review, and which one for longest. */
export function Answer({ data: { repos_included: included, totals, longest_wait: longest } }: { data: PullRequests }) {
  const { open, awaiting_review: awaiting, open_complete: complete } = totals;
  if (included === 0) return null;
  if (open === null) return 'Open pull requests have not been read yet.';
  return (
    <>
      {complete ? '' : 'At least '}
      <strong>{figures(open)}</strong> open
      {awaiting === null ? '' : `, ${complete ? '' : 'at least '}${figures(awaiting)} awaiting review`}.{' '}
      {longest ? (
        <>
          {complete && awaiting !== null ? 'Longest wait' : 'Longest known wait'}: <WaitLink wait={longest} isNamed />,{' '}
          <strong>{quantity(longest.hours, 'hours')}</strong>.
        </>
      ) : null}
    </>
  );
}

/** The pull request itself, or for the sample organization the page of its repository; named where that is not beside it. */
export function WaitLink({ wait, isNamed = false }: { wait: Wait; isNamed?: boolean }) {
  const { base } = usePageContext();
  const href = base === '' ? wait.html_url : `${base}/repos/${wait.repo}/pull-requests`;
  return <a href={href}>{`${isNamed ? wait.repo : ''}#${wait.number}`}</a>;
}
