import type { Actor } from '../../server/metrics/kernel/facts.ts';
import type { DoubleRepository, DoubleWorld } from './world.ts';

/** Every account that did something somewhere, as often as it did. */
export const everybody = ({ repositories }: DoubleWorld): Actor[] =>
  repositories.flatMap((one) => [...actors(one)].filter((each) => each !== null));

function* actors(one: DoubleRepository): Generator<Actor | null> {
  for (const { author } of one.commits) yield author;
  for (const { author, mergedBy, reviews } of one.pullRequests) {
    yield author;
    yield mergedBy;
    for (const { reviewer } of reviews) yield reviewer;
  }
  for (const { author } of one.issues) yield author;
  for (const attempts of one.runs.values()) yield attempts[0]?.actor ?? null;
}
