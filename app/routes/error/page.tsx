import { isRouteErrorResponse } from 'react-router';
import type { ErrorPage } from '../../../server/http/page-frame.ts';
import { Page } from '../../components/page.tsx';
import { Shell } from '../../components/shell.tsx';
import { Rail } from '../frame/rail.tsx';

/** The page that an error stands for, when it says why another one did not open. */
export function findDenied(error: unknown): ErrorPage | null {
  if (!isRouteErrorResponse(error)) return null;
  const { data } = error as { data: Partial<ErrorPage> | null };
  return data?.pageContext && data.problem ? (data as ErrorPage) : null;
}

/** In the place of a page that did not open: what it would show, and who can help. */
export function Denied({ page }: { page: ErrorPage }) {
  const { pageContext, problem } = page;
  const { title, text } = getErrorText(page);
  const content = (
    <Page title={title} description={text.join(' ')}>
      {text.map((one) => (
        <p key={one}>{one}</p>
      ))}
      {isTransient(problem) ? (
        <p>
          <a href={pageContext.here}>Try again</a>
        </p>
      ) : (
        getSteps(page).map(({ label, href }) => (
          <p key={href}>
            <a href={href}>{label}</a>
          </p>
        ))
      )}
      <p className="source">
        Request <code>{problem.request_id}</code>
      </p>
    </Page>
  );
  return pageContext.account ? <Rail pageContext={pageContext}>{content}</Rail> : <Shell>{content}</Shell>;
}

/** Where the reader can go on: to whoever gives access, and out of here. */
function getSteps(page: ErrorPage) {
  const { pageContext, problem, appUrl } = page;
  const { base, mode, account, pages, here } = pageContext;
  if (isAtWrongAddress(page))
    return [
      { label: `Open ${appUrl}`, href: `${appUrl}${here}` },
      { label: 'From another machine', href: elsewhereHref },
    ];
  if (base) return [{ label: 'Open the demo', href: base }];
  const isAskable = problem.code === 'forbidden' && mode === 'organization' && account !== null;
  return [
    ...(pages.includes('admin/permissions') ? [{ label: 'Permissions of groups', href: '/admin/permissions' }] : []),
    ...(isAskable ? [{ label: 'Your groups and the administrators', href: '/no-access' }] : []),
    { label: 'Go to the repositories', href: '/' },
  ];
}

type Denial = ErrorPage['problem'];

/** How a service is opened from another machine. */
export const elsewhereHref = '/docs/start#from-another-machine';

/** What goes away by itself. */
const isTransient = ({ code }: Denial) =>
  !['forbidden', 'org_mode_only', 'unregistered', 'invalid_request', 'csrf_rejected'].includes(code);

const isAtWrongAddress = ({ problem: { code }, isElsewhere }: ErrorPage) => code === 'csrf_rejected' && isElsewhere;

function getErrorText(page: ErrorPage): { title: string; text: string[] } {
  const { pageContext, problem, feature, appUrl } = page;
  const { code, flag, error, details } = problem;
  if (isAtWrongAddress(page))
    return {
      title: 'Wrong address',
      text: [
        `Forms are accepted at ${appUrl} only. Open this page there, or set APP_URL to the address that browsers use.`,
      ],
    };
  if (code === 'forbidden' && flag === 'admin')
    return { title: 'For administrators', text: ['Only administrators can open this page.'] };
  if (code === 'forbidden' && feature)
    return {
      title: `${feature.label}: not granted`,
      text: [
        `About: ${feature.description}`,
        `None of your groups has this feature. An administrator can grant “${feature.label}” to one of them.`,
      ],
    };
  if (code === 'authz_unavailable')
    return {
      title: 'Cannot check your access',
      text: [`The database or ${pageContext.hostName} did not respond. You are still signed in.`],
    };
  if (code === 'csrf_rejected') return { title: 'Form rejected', text: [error] };
  if (code === 'invalid_request') return { title: 'Bad request', text: [error] };
  if (code === 'rate_limited')
    return { title: 'Too many requests', text: [`Wait ${details?.retry_after_s ?? 60} seconds, then try again.`] };
  return { title: 'This page is not available', text: [error] };
}
