import { type ReactNode, Suspense, use } from 'react';

/** A value, or the promise of it where the page is sent before it is known, with what is stored of it. */
export type Deferred<T> = T | (Promise<T> & { stored?: Promise<T | null> });

interface WhenReadyProps<T> {
  data: Deferred<T>;
  /** What stands in its place until it is known. */
  fallback: ReactNode;
  /** For what could not say how old it is, or is typed into: nothing that is stored stands in its place. */
  isFreshOnly?: boolean;
  children(data: T): ReactNode;
}

/** Shows a value as soon as it is known, and what is stored until then; with the page where it is known already. */
export function WhenReady<T>({ data, fallback, isFreshOnly = false, children }: WhenReadyProps<T>) {
  if (!(data instanceof Promise)) return children(data);
  const { stored } = data;
  const meanwhile =
    stored && !isFreshOnly ? (
      <WhenReady data={stored} fallback={fallback}>
        {(found) => (found === null ? fallback : children(found))}
      </WhenReady>
    ) : (
      fallback
    );
  return (
    <Suspense fallback={meanwhile}>
      <Late data={data}>{children}</Late>
    </Suspense>
  );
}

function Late<T>({ data, children }: { data: Promise<T>; children(data: T): ReactNode }) {
  return children(use(data));
}

/** The place of something that is being loaded, as high as it is going to be. */
export function Skeleton({ height = 200, label = 'Loading' }: { height?: number; label?: string }) {
  return (
    <div role="status">
      <span className="sr">{label}</span>
      <span className="skeleton" style={{ height }} />
    </div>
  );
}

/** Panels that are being loaded. */
export const LoadingPanels = ({ titles }: { titles: readonly string[] }) =>
  titles.map((title) => (
    <section key={title} className="panel" aria-label={title}>
      <h2>{title}</h2>
      <Skeleton label={`Loading ${title}`} />
    </section>
  ));
