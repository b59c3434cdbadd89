import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** Spans of an attempt of a run that are sent together: the run itself, or its jobs with their steps. */
export type OtlpPart = 'attempt' | 'jobs';

/** `refused`: the receiver denied a request, and is sent nothing until somebody says so. */
export type OtlpState = 'active' | 'refused';

export type OtlpBackfillState = 'running' | 'paused' | 'done' | 'cancelled';

/** What an administrator chose about a destination, besides where it is. */
export interface OtlpOptions {
  protocol: 'http/protobuf' | 'http/json';
  compression: 'gzip' | 'none';
  /** Owners, `owner/name` of repositories, and names of workflows in lower case; an empty list takes all. */
  owners: string[];
  repos: string[];
  workflows: string[];
  only_default_branch: boolean;
  /** Share of attempts, 0 to 1, chosen by their trace ids. */
  sample_ratio: number;
  include_actor: boolean;
  service_name: string;
  /** Whether jobs that nothing else brings are read with the service's token. */
  fetch_jobs: boolean;
  /** Requests at a time in each process. */
  parallel: number;
  /** Host of the platform as trace ids have it, by which samples are chosen in the database. */
  host: string;
}

/** Where traces of runs are sent. */
export const OtlpDestination = defineEntity({
  name: 'OtlpDestination',
  tableName: 'otlp_destinations',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    endpoint: p.text(),
    headersSealed: p.text().strictNullable(),
    headerNames: p.array().$type<string[]>(),
    options: p.json<OtlpOptions>(),
    enabled: p.boolean(),
    state: p.text().$type<OtlpState>(),
    nextTryAt: instant().strictNullable(),
    failures: p.integer(),
    lastError: p.text().strictNullable(),
    lastSuccessAt: instant().strictNullable(),
    accepted: p.bigint('number'),
    rejected: p.bigint('number'),
    dropped: p.bigint('number'),
    /** Jobs of an earlier attempt that a later one listed, which have no spans of their own. */
    carriedOver: p.bigint('number').default(0),
    /** Attempts whose jobs did not become known in time. */
    withoutJobs: p.bigint('number').default(0),
    version: p.integer(),
  },
});

/**
 * Spans that are to be sent, written in the transaction that stores what they are about. No foreign key leads to the
 * destination: whoever stores runs would wait for its deletion, and fail.
 */
export const OtlpOutboxRow = defineEntity({
  name: 'OtlpOutboxRow',
  tableName: 'otlp_outbox',
  properties: {
    destinationId: p.integer().primary(),
    runId: p.bigint('number').primary(),
    runAttempt: p.integer().primary(),
    part: p.text().$type<OtlpPart>().primary(),
    createdAt: instant(),
    dueAt: instant(),
    lockedUntil: instant().strictNullable(),
    parkedAt: instant().strictNullable(),
    error: p.text().strictNullable(),
    /** The backfill that noted it: sent after everything else. */
    backfillId: p.integer().strictNullable(),
  },
  indexes: [
    { name: 'otlp_outbox_by_backfill', properties: ['backfillId'], where: 'backfill_id is not null' },
    { name: 'otlp_outbox_by_due', properties: ['destinationId', 'dueAt'], where: 'parked_at is null' },
    { name: 'otlp_outbox_parked', properties: ['destinationId'], where: 'parked_at is not null' },
    { name: 'otlp_outbox_by_age', properties: ['createdAt'], type: 'brin' },
    { name: 'otlp_outbox_by_run', properties: ['runId', 'runAttempt'] },
  ],
});

/**
 * Spans that a destination has accepted: how many, as far as it said, and `batch` where it did not take all of those
 * sent together. Without a foreign key, as the outbox.
 */
export const OtlpSent = defineEntity({
  name: 'OtlpSent',
  tableName: 'otlp_sent',
  properties: {
    destinationId: p.integer().primary(),
    runId: p.bigint('number').primary(),
    runAttempt: p.integer().primary(),
    part: p.text().$type<OtlpPart>().primary(),
    at: instant(),
    spans: p.integer(),
    batch: p.bigint('number').strictNullable(),
  },
  indexes: [
    { name: 'otlp_sent_by_age', properties: ['at'], type: 'brin' },
    { name: 'otlp_sent_in_part', properties: ['destinationId', 'batch'], where: 'batch is not null' },
  ],
});

/** Stored attempts that are sent to a destination, oldest first in each repository. */
export const OtlpBackfill = defineEntity({
  name: 'OtlpBackfill',
  tableName: 'otlp_backfills',
  properties: {
    id: p.integer().primary().autoincrement(),
    destinationId: () => p.manyToOne(OtlpDestination).mapToPk().joinColumn('destination_id').deleteRule('cascade'),
    fromAt: instant(),
    toAt: instant(),
    repoKey: p.text().strictNullable(),
    again: p.boolean(),
    /** The last attempt that was noted; null before the first. */
    cursor: p.json<{ repo: number; at?: string; run?: number; attempt?: number }>().strictNullable(),
    done: p.bigint('number'),
    total: p.bigint('number'),
    rejected: p.bigint('number'),
    state: p.text().$type<OtlpBackfillState>(),
    dueAt: instant(),
    startedBy: p.text(),
    startedAt: instant(),
    resumedAt: instant(),
    resumedDone: p.bigint('number'),
    finishedAt: instant().strictNullable(),
  },
  indexes: [
    {
      name: 'otlp_backfills_running',
      expression: `create unique index otlp_backfills_running on otlp_backfills (destination_id) where (state = 'running')`,
    },
  ],
});
