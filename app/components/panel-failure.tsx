import { useLocation } from 'react-router';
import { duration } from '../../server/domain/quantity.ts';
import { ActionLink } from '../charts/link.tsx';
import { type At, dateTimeText, toInstant } from '../charts/zone-time.ts';
import { usePageContext } from './page-context.ts';

/** An expected error as every adapter words it; `error` is safe to show. */
export interface PanelProblem {
  code: string;
  error: string;
  status: number;
  request_id: string;
  flag?: string;
  details?: { retry_after_s?: number; sso_url?: string; reason?: string; upstream_operation?: string };
}

export interface PanelFailureProps {
  problem: PanelProblem;
  feature?: { label: string; shows: string };
  retryHref?: string;
}

/** Why a part of the page cannot be shown, and what helps. Never more than the error itself tells. */
export function PanelFailure({ problem, feature, retryHref }: PanelFailureProps) {
  const { hostName, now, zone, mode, signInHref } = usePageContext();
  const { pathname, search } = useLocation();
  const { title, text } = (states[problem.code] ?? byStatus(problem.status))({ problem, now, zone, feature, hostName });
  const again = problem.status === 429 || problem.status >= 500;
  return (
    <div className="failure">
      <p>
        <strong>{title}</strong> {text}
      </p>
      {problem.details?.sso_url ? (
        <p>
          <ActionLink href={problem.details.sso_url}>Authorize your token for this organization</ActionLink>
        </p>
      ) : null}
      {problem.code === 'upstream_forbidden' && mode === 'standalone' ? (
        <p>
          <ActionLink href={signInHref}>Use another token</ActionLink>
        </p>
      ) : null}
      {again ? (
        <p>
          <ActionLink href={retryHref ?? `${pathname}${search}`}>Try again</ActionLink>
        </p>
      ) : null}
      <p className="source">
        Request <code>{problem.request_id}</code>
      </p>
    </div>
  );
}

/** Whether a part is excluded as a whole: its feature is not granted, or the reader hides it. */
export const isExcluded = ({ code, flag }: PanelProblem) =>
  code === 'hidden' || (code === 'forbidden' && flag !== undefined && flag !== 'admin');

interface ExcludedPanelProps extends Pick<PanelProblem, 'code' | 'flag'>, Pick<PanelFailureProps, 'feature'> {
  title: string;
}

/** One line in the place of a part that is excluded. */
export const ExcludedPanel = ({ title, code, flag, feature }: ExcludedPanelProps) => (
  <section aria-label={title}>
    <p className="source">
      <strong>{title}</strong>{' '}
      {code === 'hidden' ? (
        <>
          is hidden by your settings. <ActionLink href="/settings">Change settings</ActionLink>
        </>
      ) : (
        `is not available. ${notGranted(flag, feature && { ...feature, label: feature.label === title ? 'It' : feature.label })}`
      )}
    </p>
  </section>
);

interface Cause extends Omit<PanelFailureProps, 'retryHref'> {
  hostName: string;
  now: At;
  zone: string;
}

type State = (cause: Cause) => { title: string; text: string };

const forbidden: State = ({ problem, feature }) =>
  problem.flag === 'admin'
    ? { title: 'For administrators.', text: 'Only administrators can open this.' }
    : { title: 'Not granted.', text: notGranted(problem.flag, feature) };

const notGranted = (flag: string | undefined, feature: PanelFailureProps['feature']) =>
  `${feature ? `${feature.label} shows ${feature.shows}` : `The feature “${spelledOut(flag)}” is not granted to your groups`}. Ask an administrator for access.`;

const notFound: State = () => ({
  title: 'Not found.',
  text: 'It does not exist, or your account cannot see it.',
});

const quota: State = ({ problem, now, zone }) => {
  const seconds = problem.details?.retry_after_s;
  if (seconds === undefined) return { title: 'Rate limit reached.', text: 'Try again in a few minutes.' };
  const at = dateTimeText(toInstant(now) + seconds * 1000, zone);
  return { title: 'Rate limit reached.', text: `It resets at ${at} (${zone}), in ${duration(seconds * 1000)}.` };
};

const noDatabase: State = () => ({
  title: 'Database required.',
  text: 'This needs a database. Set DATABASE_URL to enable it.',
});

const describeError =
  (title: string): State =>
  ({ problem }) => ({ title, text: problem.error });

const states: Record<string, State> = {
  forbidden,
  unregistered: forbidden,
  not_found: notFound,
  rate_limited: quota,
  upstream_rate_limited: quota,
  ai_budget_exhausted: quota,
  db_not_configured: noDatabase,
  db_unavailable: () => ({ title: 'Database not reachable.', text: 'Stored data is not available right now.' }),
  authz_unavailable: () => ({ title: 'Access not checked.', text: 'Your access could not be checked.' }),
  upstream_unavailable: ({ problem, hostName }) =>
    problem.details?.upstream_operation
      ? { title: 'Invalid response.', text: problem.error }
      : { title: `${hostName} not reachable.`, text: 'No valid response.' },
  upstream_forbidden: () => ({
    title: 'Access denied.',
    text: 'Your token lacks permission, or the owner does not allow it.',
  }),
  sso_required: () => ({ title: 'Single sign-on needed.', text: 'The organization requires it for your token.' }),
  org_mode_only: () => ({ title: 'Organization mode only.', text: 'This installation is in standalone mode.' }),
  issues_disabled: () => ({ title: 'No issues here.', text: 'Issues are disabled in this repository.' }),
  gone: describeError('Gone.'),
  legally_blocked: () => ({ title: 'Blocked.', text: 'Blocked for legal reasons.' }),
  ai_not_configured: () => ({ title: 'Not configured.', text: 'AI is off: no provider configured.' }),
  ai_unavailable: () => ({
    title: 'Not available.',
    text: 'The AI provider gave no usable response. Figures are not affected.',
  }),
  invalid_request: describeError('Bad request.'),
};

const byStatus = (status: number): State =>
  status >= 500
    ? () => ({ title: 'Not available.', text: 'Something went wrong. The rest of the page is not affected.' })
    : describeError('Not shown.');

const spelledOut = (flag = 'unknown') => flag.replace(/[A-Z]/g, (initial) => ` ${initial.toLowerCase()}`);
