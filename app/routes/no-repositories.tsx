import { Empty } from '../components/notice.tsx';
import { usePageContext } from '../components/page-context.ts';

interface Props {
  /** Whether the list is known to be incomplete, so that there are some. */
  isPartial: boolean;
}

/** What a newcomer who sees no repository can do first. */
export function NoRepositories({ isPartial }: Props) {
  const { mode, hostName, webUrl } = usePageContext();
  if (isPartial) return <Empty cause={hiddenRepositories} next={authorizeToken(webUrl)} />;
  const isAlone = mode === 'standalone';
  return (
    <Empty
      cause={`You can see no repositories on ${hostName}. Ask for access to one${isAlone ? `, or use another token. ${neededScopes}` : '.'}`}
      next={isAlone ? { label: 'Use another token', href: '/setup' } : { label: 'Open the demo', href: '/demo' }}
    />
  );
}

/** What a token needs before there is anything to see; a fine-grained one shows no scopes. */
export const neededScopes = 'A classic token needs repo and read:org; a fine-grained one, access to the repositories.';

export const hiddenRepositories = 'Single sign-on hides your repositories from this token.';

/** Where a token is authorized for single sign-on. */
export const authorizeToken = (webUrl: string) => ({
  label: 'Authorize the token',
  href: `${webUrl}/settings/tokens`,
});
