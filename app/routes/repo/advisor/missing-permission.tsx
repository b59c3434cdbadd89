import { Notice } from '../../../components/notice.tsx';
import { usePageContext } from '../../../components/page-context.ts';

interface MissingPermissionProps {
  missing?: readonly string[];
  how?: string;
  /** This page, to come back to. */
  here: string;
}

/** How the token gets what it lacks. A sign-in from before the scope was added has a token without it. */
export function MissingPermission({ missing = [], how, here }: MissingPermissionProps) {
  const { mode } = usePageContext();
  const isOldSignIn = mode === 'organization' && missing.some((one) => one === 'workflow' || one === 'repo');
  if (!isOldSignIn) return <Notice>{how}</Notice>;
  const href = `/api/auth/login?${new URLSearchParams({ return_to: here })}`;
  return <Notice next={{ label: 'Sign in again', href }}>Scopes are granted when you sign in.</Notice>;
}
