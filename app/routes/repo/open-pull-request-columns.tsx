import type { ReactNode } from 'react';
import { Link, useIsShared } from '../../charts/link.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Measurement, Unknown } from '../../components/measurement.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { GetProfileHref } from '../people/person-href.ts';
import type { OpenPullRequest } from './panels.ts';

interface Given {
  getProfileHref: GetProfileHref;
}

const unreadReviews = 'reviews could not be loaded';

/** The columns of lists of open pull requests, by name. */
export const openColumns = ({ getProfileHref }: Given) =>
  ({
    title: { key: 'title', label: 'Pull request', cell: (one) => <Title pullRequest={one} /> },
    waiting: { key: 'waiting', label: 'Waiting on', cell: (one) => <WaitsFor pullRequest={one} /> },
    since: {
      key: 'since',
      label: 'For',
      numeric: true,
      value: ({ waiting_since: at }) => at,
      cell: ({ waiting_since: at }) => <Age since={at} />,
    },
    /** Beside the author's own column, and in few words. */
    waitingOn: {
      key: 'waiting',
      label: 'Waiting on',
      cell: (one) =>
        one.waiting_on === 'author' ? (
          'author'
        ) : one.waiting_on === 'reviewer' && nameRequested(one) !== '' ? (
          nameRequested(one)
        ) : (
          <WaitsFor pullRequest={one} />
        ),
    },
    age: {
      key: 'age',
      label: 'Age',
      numeric: true,
      cell: ({ age_hours: hours }) => <Hours hours={hours} />,
    },
    author: {
      key: 'author',
      label: 'Author',
      cell: ({ author }) => <Person login={author} getProfileHref={getProfileHref} />,
    },
    rounds: {
      key: 'rounds',
      label: 'Rounds',
      numeric: true,
      explain: 'Number of reviewed versions',
      value: ({ review_rounds: value }) => value,
      cell: ({ review_rounds: value }) => <Measurement value={{ value, unit: 'count', reason: unreadReviews }} />,
    },
  }) satisfies Record<string, Column<OpenPullRequest>>;

function Age({ since }: { since: string | null }) {
  const { now } = usePageContext();
  return <Hours hours={since === null ? null : Math.max(0, now - Date.parse(since)) / 3_600_000} />;
}

/** Hours of the first day, then whole days. */
const Hours = ({ hours }: { hours: number | null }) => (
  <Measurement value={{ value: hours === null || hours < 24 ? hours : Math.floor(hours / 24) * 24, unit: 'hours' }} />
);

function Title({ pullRequest: { number, title, html_url: url, mergeable } }: { pullRequest: OpenPullRequest }) {
  const name = title === null ? `#${number}` : `#${number} ${title}`;
  return (
    <>
      {url === '#' ? name : <Link href={url}>{name}</Link>}
      {mergeable === 'conflicting' ? <span className="muted"> conflicts</span> : null}
    </>
  );
}

/** A login that leads to its profile. */
export function Person({ login, getProfileHref }: { login: string | null; getProfileHref: GetProfileHref }) {
  if (login === null) return 'unknown';
  return login === 'ghost' ? 'deleted account' : <Link href={getProfileHref(login)}>{login}</Link>;
}

function WaitsFor({ pullRequest }: { pullRequest: OpenPullRequest }): ReactNode {
  const isShared = useIsShared();
  const { waiting_on: whom, author } = pullRequest;
  if (whom === null) return <Unknown reason="not all reviews could be loaded" />;
  if (whom === 'nobody') return 'draft';
  if (whom === 'merge') return 'merge';
  if (whom === 'author' && author === null) return 'author';
  if (whom === 'author') return author === 'ghost' ? 'author (deleted account)' : `author, ${author}`;
  if (isShared) return 'review';
  const requested = nameRequested(pullRequest);
  return requested === '' ? 'review, no reviewer requested' : `review by ${requested}`;
}

const nameRequested = ({ requested_reviewers: people, requested_teams: teams }: OpenPullRequest): string =>
  [...people, ...teams.map((team) => `team ${team}`)].join(', ');
