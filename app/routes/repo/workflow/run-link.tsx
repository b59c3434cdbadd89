import type { Reliability } from './operations.ts';

/** A run by its number, linked where the platform has a page of it. */
export function RunLink({ run: { number, attempt, url } }: { run: Reliability['anomalies'][number]['run'] }) {
  const name = attempt > 1 ? `run ${number}, attempt ${attempt}` : `run ${number}`;
  return url === '#' ? name : <a href={url}>{name}</a>;
}
