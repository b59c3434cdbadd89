import { Notice } from '../components/notice.tsx';
import { usePageContext } from './page-context.ts';

/** Above the pages of administrators: background work that did not come to its end when it should have. */
export function OverdueJobs() {
  const { overdueJobs: titles } = usePageContext();
  if (titles.length === 0) return null;
  return (
    <Notice tone="partial" title="Background work is missing." next={{ label: 'Jobs', href: '/settings/jobs' }}>
      Not done for 36 hours or more: {titles.join(', ')}.
    </Notice>
  );
}
