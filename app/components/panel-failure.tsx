import { duration } from '../../server/domain/quantity.ts';
import { type At, dateTimeText, toInstant } from '../charts/zone-time.ts';

/** An expected refusal as every adapter words it; `error` is safe to show. */
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
  now: At;
  zone: string;
  feature?: { label: string; shows: string };
  retryHref?: string;
}

/** Why a part of the page cannot be shown, and what helps. Never more than the refusal itself tells. */
export function PanelFailure({ problem, now, zone, feature, retryHref }: PanelFailureProps) {
  const { title, words } = (states[problem.code] ?? byStatus(problem.status))({ problem, now, zone, feature });
  const again = problem.status === 429 || problem.status >= 500;
  return (
    <div className="failure">
      <p>
        <strong>{title}</strong> {words}
      </p>
      {problem.details?.sso_url ? (
        <p>
          <a href={problem.details.sso_url}>Authorize your token for this organization</a>
        </p>
      ) : null}
      {again ? <p>{retryHref ? <a href={retryHref}>Try again</a> : 'Load the page again to retry.'}</p> : null}
      <p className="source">
        Request <code>{problem.request_id}</code>
      </p>
    </div>
  );
}

/** Whether a part is left out as a whole: its feature is not granted, or the reader hides it. */
export const isLeftOut = ({ code, flag }: PanelProblem) =>
  code === 'hidden' || (code === 'forbidden' && flag !== undefined && flag !== 'admin');

interface LeftOutProps extends Pick<PanelProblem, 'code' | 'flag'>, Pick<PanelFailureProps, 'feature'> {
  title: string;
}

/** One line in the place of a part that is left out. */
export const LeftOut = ({ title, code, flag, feature }: LeftOutProps) => (
  <section aria-label={title}>
    <p className="source">
      <strong>{title}</strong>{' '}
      {code === 'hidden' ? (
        <>
          is hidden by your own choice. <a href="/settings">Change it in the settings</a>
        </>
      ) : (
        `is left out. ${notGranted(flag, feature)}`
      )}
    </p>
  </section>
);

type Asked = Omit<PanelFailureProps, 'retryHref'>;
type State = (asked: Asked) => { title: string; words: string };

const forbidden: State = ({ problem, feature }) =>
  problem.flag === 'admin'
    ? { title: 'For administrators.', words: 'Only administrators can open this.' }
    : { title: 'Not granted.', words: notGranted(problem.flag, feature) };

const notGranted = (flag: string | undefined, feature: PanelFailureProps['feature']) =>
  `${feature ? `${feature.label} shows ${feature.shows}` : `The feature “${spelledOut(flag)}” is not granted to your groups`}. Ask an administrator for access.`;

const notFound: State = () => ({
  title: 'Not found.',
  words: 'It does not exist, or you cannot see it with your account.',
});

const quota: State = ({ problem, now, zone }) => {
  const seconds = problem.details?.retry_after_s;
  if (seconds === undefined) return { title: 'Quota used up.', words: 'Try again in a few minutes.' };
  const at = dateTimeText(toInstant(now) + seconds * 1000, zone);
  return { title: 'Quota used up.', words: `It resets at ${at} (${zone}), in ${duration(seconds * 1000)}.` };
};

const noDatabase: State = () => ({
  title: 'No database.',
  words: 'This needs stored data, and the service runs without a database. An operator can set DATABASE_URL.',
});

const said =
  (title: string): State =>
  ({ problem }) => ({ title, words: problem.error });

const states: Record<string, State> = {
  forbidden,
  unregistered: forbidden,
  not_found: notFound,
  rate_limited: quota,
  upstream_rate_limited: quota,
  ai_budget_exhausted: quota,
  db_not_configured: noDatabase,
  db_unavailable: () => ({ title: 'Database not reachable.', words: 'Stored data cannot be read at the moment.' }),
  authz_unavailable: () => ({ title: 'Access not checked.', words: 'Your access rights cannot be checked right now.' }),
  upstream_unavailable: ({ problem }) =>
    problem.details?.upstream_operation
      ? { title: 'Answer not readable.', words: problem.error }
      : { title: 'Platform not reachable.', words: 'It did not answer, or not usefully.' },
  upstream_forbidden: () => ({
    title: 'Refused by the platform.',
    words: 'Your token may not read this there: it lacks a permission for it, or the owner does not let it in.',
  }),
  sso_required: () => ({ title: 'Single sign-on needed.', words: 'The organization asks for it on your token.' }),
  org_mode_only: () => ({ title: 'Organization mode only.', words: 'This service runs for a single person.' }),
  issues_disabled: () => ({ title: 'No issues here.', words: 'The repository has its issue tracker switched off.' }),
  gone: said('Gone.'),
  legally_blocked: () => ({ title: 'Blocked.', words: 'The platform withholds this for legal reasons.' }),
  ai_not_configured: () => ({ title: 'Not set up.', words: 'No provider for generated text is configured.' }),
  ai_unavailable: () => ({
    title: 'Not available.',
    words: 'The provider gave no usable answer. Figures are not affected.',
  }),
  invalid_request: said('Not understood.'),
};

const byStatus = (status: number): State =>
  status >= 500
    ? () => ({ title: 'Not available.', words: 'Something went wrong here. The rest of the page is not affected.' })
    : said('Not shown.');

const spelledOut = (flag = 'unknown') => flag.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
