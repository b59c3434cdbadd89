import type { ReactNode } from 'react';
import { findSharedProblem, type PanelAnswer } from './panel.tsx';
import { type Deferred, WhenReady } from './skeleton.tsx';

interface Props<T> {
  result: PanelAnswer<unknown>;
  /** What the first part of the page shows, which may not be known yet. */
  first: Deferred<T>;
  select(first: T): PanelAnswer<unknown>;
  children: ReactNode;
}

/** A later part of a page; nothing where it failed with the problem that the first part already says. */
export function UnlessSaid<T>({ result, first, select, children }: Props<T>) {
  if (result.ok) return children;
  return (
    <WhenReady data={first} fallback={null}>
      {(said) => (findSharedProblem([select(said), result]) ? null : children)}
    </WhenReady>
  );
}
