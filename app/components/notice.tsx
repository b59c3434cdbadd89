import type { ReactNode } from 'react';
import { ActionLink } from '../charts/link.tsx';
import type { At } from '../charts/zone-time.ts';
import { Moment } from './moment.tsx';

interface NoticeProps {
  /** info: worth knowing; partial: numbers are incomplete; problem: something did not work; done: it worked. */
  tone?: 'info' | 'partial' | 'problem' | 'done';
  title?: string;
  children?: ReactNode;
  next?: { label: string; href: string };
}

/** A short message with its kind in a word. Problems and results are read out by screen readers. */
export function Notice({ tone = 'info', title, children, next }: NoticeProps) {
  return (
    <div className={`notice ${tone}`} role={tone === 'problem' ? 'alert' : tone === 'done' ? 'status' : 'note'}>
      <p>
        <strong>{title ?? defaultTitle[tone]}</strong> {children}
        {next ? (
          <>
            {' '}
            <ActionLink href={next.href}>{next.label}</ActionLink>
          </>
        ) : null}
      </p>
    </div>
  );
}

const defaultTitle = { info: 'Note.', partial: 'Incomplete.', problem: 'Error.', done: 'Done.' };

/** What is missing and in which direction the numbers err. */
export function Partial({ children, next }: Pick<NoticeProps, 'children' | 'next'>) {
  return (
    <Notice tone="partial" next={next}>
      {children}
    </Notice>
  );
}

/** Data older than it should be. */
export function Stale({ asOf, syncHref }: { asOf: At | null; syncHref?: string }) {
  return (
    <Notice tone="partial" title="Not fresh." next={syncHref ? { label: 'Sync now', href: syncHref } : undefined}>
      As of <Moment at={asOf} as="date-time" /> (<Moment at={asOf} />
      ).
    </Notice>
  );
}

/** Why there is nothing, and the one next step. */
export function Empty({
  cause,
  next,
  children,
}: {
  cause: ReactNode;
  next?: NoticeProps['next'];
  children?: ReactNode;
}) {
  return (
    <div className="empty">
      <p>{cause}</p>
      {next ? (
        <p>
          <ActionLink href={next.href}>{next.label}</ActionLink>
        </p>
      ) : null}
      {children}
    </div>
  );
}

/** What a service without a token of its own never does. */
export function NoServiceToken() {
  return (
    <Notice
      tone="partial"
      title="CODEHOST_TOKEN is not set."
      next={{ label: 'Nightly jobs', href: '/docs/jobs#nightly-jobs' }}
    >
      Nightly syncs, rules on pull requests and commits, daily digests and weekly emails do not run.
    </Notice>
  );
}

/** That the repository of a page, `owner/repo` in its address, has another name by now; null where nothing says so. */
export const Renamed = ({ name, current }: { name: string; current: string | null | undefined }) =>
  current && current !== name ? <Notice title="Renamed.">Renamed to {current}.</Notice> : null;
