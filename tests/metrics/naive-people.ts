/** Who is who and the arithmetic of the naive readings, shared by nothing but them. */
import type { PullRequest, Review } from '../../server/metrics/kernel/delivery-facts.ts';
import type { Actor } from '../../server/metrics/kernel/facts.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';

type Links = DeliveryWorld['links'];

/** A lower-case login, or null for a deleted account. */
export function naiveId(actor: Actor | null, links: Links): string | null {
  if (actor === null) return null;
  const login = actor.login.toLowerCase().replace('[bot]', '');
  return (links.find(({ alias }) => alias === login)?.primary ?? login).toLowerCase();
}

export function naiveIsBot(actor: Actor | null): boolean {
  if (actor === null) return false;
  return actor.isBot || /^(dependabot|renovate|own-ci)(\[bot\])?$/i.test(actor.login);
}

export function naiveCommitId(commit: { author: Actor | null; authorName: string }, links: Links): string {
  const id = naiveId(commit.author, links);
  if (id !== null) return id;
  const name = commit.authorName.toLowerCase();
  return links.find(({ alias }) => alias === name)?.primary.toLowerCase() ?? `${name.replace('[bot]', '')} (name)`;
}

export function naiveIsBotCommit(commit: { author: Actor | null; authorName: string }): boolean {
  return commit.author === null ? commit.authorName.endsWith('[bot]') : naiveIsBot(commit.author);
}

export function naiveReviews(pr: PullRequest, links: Links): Review[] {
  const author = naiveId(pr.author, links);
  const human = (pr.reviews ?? []).filter((review) => {
    if (!['approved', 'changes_requested', 'commented'].includes(review.state)) return false;
    if (naiveIsBot(review.reviewer)) return false;
    return review.reviewer === null || naiveId(review.reviewer, links) !== author;
  });
  return sortedBy(human, (review) => [review.submittedAt, review.id]);
}

export function naiveBefore(pr: PullRequest, links: Links): Review[] {
  return naiveReviews(pr, links).filter((review) => pr.mergedAt === null || review.submittedAt <= pr.mergedAt);
}

export function naiveClock(pr: PullRequest, review: Review, links: Links): number {
  let start = pr.createdAt;
  for (const event of pr.clock ?? []) {
    if (event.at > review.submittedAt || event.at <= start) continue;
    if (event.kind === 'ready_for_review') start = event.at;
    if (event.kind !== 'review_requested' || event.login === null || review.reviewer === null) continue;
    if (naiveId({ ...review.reviewer, login: event.login }, links) === naiveId(review.reviewer, links))
      start = event.at;
  }
  return start;
}

/** part/whole with so many decimals, half away from zero, in whole numbers. */
export function naiveRound(part: number, total: number, digits = 0): number | null {
  if (total === 0) return null;
  const size = 10n ** BigInt(digits);
  const [top, bottom] = [BigInt(part) * size, BigInt(total)];
  return Number((2n * top + bottom) / (2n * bottom)) / Number(size);
}

export function naiveMean(values: number[], unit: number, digits: number): number | null {
  return naiveRound(total(values), values.length * unit, digits);
}

/** The quantile `tenths`/10 of whole numbers in `unit`. */
export function naiveTenths(values: number[], tenths: number, unit: number, digits: number): number | null {
  return naiveFraction(values, tenths, 10, unit, digits);
}

/** The quantile `part`/`parts` of whole numbers in `unit`. */
export function naiveFraction(values: number[], part: number, parts: number, unit: number, digits: number) {
  if (values.length === 0) return null;
  const sorted = sortedBy(values, (value) => [value]);
  const place = part * (values.length - 1);
  const rest = place % parts;
  const [low = 0, high = low] = [sorted[(place - rest) / parts], sorted[(place - rest) / parts + 1]];
  return naiveRound(low * (parts - rest) + high * rest, parts * unit, digits);
}

export function total(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export function distinct<Item>(items: Item[]): Item[] {
  return items.filter((item, index) => items.indexOf(item) === index);
}

/** Ascending by several keys; numbers as numbers, texts by code unit. */
export function sortedBy<Item>(items: Item[], keysOf: (item: Item) => (number | string)[]): Item[] {
  return [...items].sort((a, b) => {
    const [left, right] = [keysOf(a), keysOf(b)];
    const place = left.findIndex((key, index) => key !== right[index]);
    if (place === -1) return 0;
    return (left[place] ?? '') < (right[place] ?? '') ? -1 : 1;
  });
}
