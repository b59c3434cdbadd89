import type { ReactNode } from 'react';
import { Notice, Stale } from './notice.tsx';
import { ExcludedPanel, isExcluded, PanelFailure, type PanelProblem } from './panel-failure.tsx';

/** What a panel's answer says about itself, as the page adapter gives it. */
export interface PanelNotes {
  partial: boolean;
  /** What the platform sent but could not be read; null when that is not why it is partial. */
  partialReason?: string | null;
  stale: boolean;
  asOf: string | null;
  source: string | null;
}

export type PanelAnswer<T> = { ok: true; data: T; notes?: PanelNotes } | { ok: false; problem: PanelProblem };

export interface PanelProps<T> {
  title: string;
  result: PanelAnswer<T>;
  /** What the feature is called and shows, for when it is not granted. */
  feature?: { label: string; shows: string };
  /** What is missing and how the numbers err, for when the answer is partial; null where the page says it elsewhere. */
  whenPartial?: ReactNode;
  syncHref?: string;
  /** This page as it is without it. */
  retryHref?: string;
  /** Beside the title: links, small choices. */
  aside?: ReactNode;
  id?: string;
  children: (data: T) => ReactNode;
}

/** A titled part of a page: the answer of one operation, or in words why there is none. */
export function Panel<T>({ title, result, aside, id, children, ...rest }: PanelProps<T>) {
  if (!result.ok && isExcluded(result.problem))
    return <ExcludedPanel title={title} {...result.problem} feature={rest.feature} />;
  const notes = result.ok ? result.notes : undefined;
  return (
    <Section title={title} aside={aside} id={id}>
      {notes?.stale ? <Stale asOf={notes.asOf} syncHref={rest.syncHref} /> : null}
      {notes?.partial ? <WhatIsMissing {...notes}>{rest.whenPartial}</WhatIsMissing> : null}
      {result.ok ? (
        children(result.data)
      ) : (
        <PanelFailure problem={result.problem} feature={rest.feature} retryHref={rest.retryHref} />
      )}
    </Section>
  );
}

function WhatIsMissing({ partialReason, children }: Pick<PanelNotes, 'partialReason'> & { children: ReactNode }) {
  if (children === null && !partialReason) return null;
  return (
    <Notice tone="partial">
      {children === undefined ? 'Counts are minimums.' : children}
      {partialReason ? ` ${asSentence(partialReason)}` : null}
    </Notice>
  );
}

/** Panels side by side where there is room for two. */
export const Columns = ({ children }: { children: ReactNode }) => <div className="columns">{children}</div>;

/** What belongs together in one of the columns, such as a table and its foot. */
export const InColumn = ({ id, children }: { id?: string; children: ReactNode }) => (
  <div className="in-column" id={id}>
    {children}
  </div>
);

/** A titled part that asks nothing. */
export function Section({
  title,
  aside,
  id,
  children,
}: Pick<PanelProps<never>, 'title' | 'aside' | 'id'> & { children: ReactNode }) {
  return (
    <section className="panel" id={id} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A reason as it stands in a notice. */
export const asSentence = (reason: string) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;

/** The one problem that all of these answers have, to be shown once; null where one was given or they differ. */
export function findSharedProblem(answers: readonly (PanelAnswer<unknown> | null | undefined)[]): PanelProblem | null {
  const given = answers.filter((answer) => answer !== null && answer !== undefined);
  const problems = given.flatMap((answer) => (answer.ok ? [] : [answer.problem]));
  const [first] = problems;
  if (!first || isExcluded(first) || problems.length < given.length) return null;
  return problems.every(({ code }) => code === first.code) ? first : null;
}
