import { LRUCache } from 'lru-cache';
import type { Services } from '../access/context.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import type { Store } from '../store/orm.ts';
import { badgeKinds } from './badge-kinds.ts';
import type { BadgeText } from './badge-svg.ts';
import { type BadgeQuery, type BadgeValue, readBadge } from './badge-values.ts';

/** A value is computed at most so often by a process. */
const reusedMs = 60_000;
const maxValues = 5000;

const valuesOf = new WeakMap<Store, LRUCache<string, Promise<BadgeValue>>>();

/** The value of a badge, of now or of less than a minute ago. */
export function currentBadge(query: BadgeQuery, services: Services & { store: Store }): Promise<BadgeValue> {
  const { store, clock } = services;
  const values =
    valuesOf.get(store) ??
    new LRUCache<string, Promise<BadgeValue>>({ max: maxValues, ttl: reusedMs, perf: clock, ttlResolution: 0 });
  valuesOf.set(store, values);
  const { kind, repository, workflowId, branch } = query;
  const key = JSON.stringify([kind, repository.id, workflowId, branch]);
  const known = values.get(key);
  if (known) return known;
  const read = readBadge(query, { services, store, now: clock.now() });
  values.set(key, read);
  // What failed is tried again by the next request.
  read.catch(() => values.delete(key));
  return read;
}

/** From this sample on a value is given a colour, where its window is stored. */
const minSample = 5;
/** What is older than this says so. */
const freshMs = 26 * hourMs;

interface Shown {
  label: string | undefined;
  style: BadgeText['style'];
  now: Instant;
}

/** What stands on a badge, and in its title. */
export function describeBadge(
  { kind, repository }: BadgeQuery,
  value: BadgeValue,
  { label, style, now }: Shown,
): BadgeText {
  const { days, label: usual } = badgeKinds[kind];
  const { text, counted, n, isPartial, asOf } = value;
  const name = label ?? counted ?? usual;
  const isSmall = n !== null && n < minSample;
  const isOld = text !== null && asOf !== null && now - asOf > freshMs;
  const message =
    text === null
      ? 'no data'
      : [
          text,
          ...(isPartial ? ['incomplete'] : []),
          ...(isSmall ? [`n < ${minSample}`] : []),
          ...(isOld ? [`as of ${dayText(asOf)}`] : []),
        ].join(', ');
  const facts = [
    text ?? 'no data',
    ...(n === null ? [] : [`n = ${n}`]),
    ...(days === null ? [] : [`${days} days${isPartial ? ', incomplete' : ''}`]),
    ...(asOf === null ? [] : [`as of ${new Date(asOf).toISOString().slice(0, 16).replace('T', ' ')} UTC`]),
  ];
  return {
    label: name,
    message,
    title: `${name}, ${repository.owner}/${repository.repo}: ${facts.join(', ')}`,
    tone: text === null || isPartial || isSmall || isOld ? 'none' : value.tone,
    style,
  };
}

const dayText = (at: Instant): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at);
