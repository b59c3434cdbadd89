import { Empty } from '../components/notice.tsx';
import { usePageContext } from '../components/page-context.ts';

/** What a newcomer who sees no repository can do first. */
export function NoRepositories() {
  const { mode, hostName } = usePageContext();
  const isAlone = mode === 'standalone';
  return (
    <Empty
      cause={`You can see no repositories on ${hostName}. Ask for access to one${isAlone ? ', or use another token' : ''}.`}
      next={isAlone ? { label: 'Use another token', href: '/setup' } : { label: 'Open the demo', href: '/demo' }}
    />
  );
}
