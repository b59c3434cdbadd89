import { defineEntity, p } from '@mikro-orm/core';
import { day, instant } from './types.ts';

/** What a day counts of the runs that were created on it. */
const dayCounters = () => ({
  total: p.integer(),
  success: p.integer(),
  failure: p.integer(),
  cancelled: p.integer(),
  skipped: p.integer(),
  timedOut: p.integer(),
  actionRequired: p.integer(),
  neutral: p.integer(),
  stale: p.integer(),
  startupFailure: p.integer(),
  durationN: p.integer(),
  durationSum: p.bigint('number'),
  queueN: p.integer(),
  queueSum: p.bigint('number'),
  /** A histogram of durations, which `readSteps` reads: eight digits for each step of 5 %. */
  steps: p.decimal().columnType('numeric').$type<string>(),
});

/** The runs of a repository that were created on one day of the rollup zone, as counters and a histogram of durations. */
export const RepositoryDay = defineEntity({
  name: 'RepositoryDay',
  tableName: 'repo_day',
  properties: {
    repoId: p.integer().primary(),
    day: day().primary(),
    ...dayCounters(),
    p95Ms: p.bigint('number').strictNullable().fieldName('p95_ms'),
  },
});

/** The sums of `repo_day` over the tracked repositories of an owner. */
export const OrganizationDay = defineEntity({
  name: 'OrganizationDay',
  tableName: 'org_day',
  properties: {
    ownerKey: p.text().primary(),
    day: day().primary(),
    ...dayCounters(),
  },
});

/** That the days of a repository are part of the sums of its owner. */
export const OrganizationMember = defineEntity({
  name: 'OrganizationMember',
  tableName: 'org_member',
  properties: {
    repoId: p.integer().primary().autoincrement(false),
    ownerKey: p.text(),
  },
  indexes: [{ name: 'org_member_by_owner', properties: ['ownerKey'] }],
});

/** A day whose rollup is older than its runs. */
export const DirtyDay = defineEntity({
  name: 'DirtyDay',
  tableName: 'dirty_day',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    repoId: p.integer(),
    day: day(),
  },
  indexes: [{ name: 'dirty_day_by_repo', properties: ['repoId', 'day'] }],
});

/** The one row with the time zone of days, and from when on runs are stored. */
export const RollupZone = defineEntity({
  name: 'RollupZone',
  tableName: 'rollup_zone',
  properties: {
    one: p.boolean().primary().default(true),
    zone: p.text(),
    rebuildThrough: p.bigint('number'),
    storedFrom: instant().fieldName('kept_from').defaultRaw(`'-infinity'`),
    sealedBefore: day().defaultRaw(`'-infinity'`),
  },
  checks: [{ name: 'rollup_zone_one_check', expression: `one` }],
});
