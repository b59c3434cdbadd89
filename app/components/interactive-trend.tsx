import { lazy, Suspense, useEffect, useState } from 'react';
import { Trend, type TrendProps } from '../charts/trend.tsx';

const ExplorableLines = lazy(() =>
  import('./tremor-charts.tsx').then((module) => ({ default: module.ExplorableLines })),
);

/** A trend in even buckets that can be explored by pointer. The drawing from the server stays until somebody asks. */
export function InteractiveTrend(props: TrendProps & { step: number }) {
  const [offered, setOffered] = useState(false);
  const [explored, setExplored] = useState(false);
  useEffect(() => setOffered(true), []);
  const height = props.height ?? 200;
  const waiting = <p style={{ height }}>Loading the explorable drawing.</p>;
  const worthwhile = props.series.some(({ points }) => points.filter(({ value }) => value !== null).length > 1);
  const lines = (
    <Suspense fallback={waiting}>
      <ExplorableLines {...props} height={height} />
    </Suspense>
  );
  const button = (
    <button type="button" className="plain" onClick={() => setExplored(!explored)}>
      {explored ? 'Back to the plain drawing' : 'Explore by pointer'}
    </button>
  );
  return (
    <Trend
      {...props}
      instead={explored ? lines : undefined}
      note={
        offered && worthwhile ? (
          <>
            {props.note} {button}
          </>
        ) : (
          props.note
        )
      }
    />
  );
}
