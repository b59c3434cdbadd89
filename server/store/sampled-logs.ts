import type { Instant } from '../metrics/kernel/facts.ts';
import type { UsedRef } from '../scan/action-uses.ts';
import { commitPattern } from './action-ledger.ts';
import type { Database, Queries } from './database.ts';
import { reRunReachMs, type Stretch } from './exposed-runs.ts';

/** An attempt whose logs nobody requested. */
export interface UnaskedAttempt {
  /** The database's id of the repository, and the platform's. */
  repoId: number;
  repositoryId: number;
  workflowId: number;
  runId: number;
  attempt: number;
  startedAt: Instant;
  endedAt: Instant;
}

/** Where a look at attempts goes on: behind this one. */
export type LookedThrough = Pick<UnaskedAttempt, 'endedAt' | 'runId'>;

/** Attempts of some repositories that started in a stretch of time. */
export interface Around extends Stretch {
  /** The database's ids. */
  repoIds: readonly number[];
}

/** A workflow, and when an attempt of it started. */
export type LoggedStart = Pick<UnaskedAttempt, 'repoId' | 'workflowId' | 'startedAt'>;

/** A ref that a log names, and when. */
export interface NamedAt extends Pick<UsedRef, 'actionKey' | 'ref'> {
  at: Instant;
}

/** A ref that can move, and a repository that uses it, by the database's id. */
export interface UsedBy extends Pick<UsedRef, 'actionKey' | 'ref' | 'kind'> {
  repoId: number;
}

/** Which logs are worth reading before somebody asks for them. */
export const sampledLogs = (database: Database) => ({
  /**
   * Latest attempts of tracked repositories whose runs were created since then, the one that ended first first, at most so
   * many; those behind an earlier look alone.
   */
  async unaskedAttempts(since: Instant, limit: number, after: LookedThrough | null): Promise<UnaskedAttempt[]> {
    const all = unasked(database, 'workflow_runs').where('own.createdAt', '>=', since);
    const next = after
      ? all.where(({ eb, and, or }) =>
          or([
            eb('own.updatedAt', '>', after.endedAt),
            and([eb('own.updatedAt', '=', after.endedAt), eb('own.id', '>', after.runId)]),
          ]),
        )
      : all;
    return toAttempts(await next.limit(limit).execute());
  },
  /** Attempts within one of these, also superseded ones and those of runs that are older, at most so many. */
  async unaskedAround(limit: number, around: readonly Around[]): Promise<UnaskedAttempt[]> {
    const find = (table: Table) =>
      unasked(database, table)
        .where(({ eb, fn, val, and, or }) =>
          or(
            around.map(({ repoIds, from, to }) => {
              const isOne = eb('own.repoId', '=', fn.any(val(repoIds)));
              const started = and([
                eb('own.createdAt', '>=', from - reRunReachMs),
                eb('own.createdAt', '<=', to),
                eb('own.runStartedAt', '>=', from),
                eb('own.runStartedAt', '<=', to),
              ]);
              const created = and([eb('own.createdAt', '>=', from), eb('own.createdAt', '<=', to)]);
              return and([isOne, or([started, and([eb('own.runStartedAt', 'is', null), created])])]);
            }),
          ),
        )
        .limit(limit)
        .execute();
    const found = [await find('workflow_runs'), await find('workflow_run_attempts')].flatMap(toAttempts);
    return found.sort((one, other) => one.endedAt - other.endedAt).slice(0, limit);
  },
  /** When attempts started whose runs were created since then, and whose logs were read or wait to be. */
  async loggedStarts(since: Instant): Promise<LoggedStart[]> {
    const rows = await database.db
      .selectFrom('attempt_logs as log')
      .innerJoin('workflow_runs as own', (join) =>
        join.onRef('own.id', '=', 'log.runId').onRef('own.repoId', '=', 'log.repoId'),
      )
      .select(['own.repoId', 'own.workflowId', 'own.createdAt', 'own.runStartedAt'])
      .where('log.endedAt', '>=', since)
      .where('own.createdAt', '>=', since)
      .execute();
    return rows.map(({ createdAt, runStartedAt, ...row }) => ({ ...row, startedAt: runStartedAt ?? createdAt }));
  },
  /** What logs name since then for certain. */
  namedSince: (since: Instant): Promise<NamedAt[]> =>
    database.db
      .selectFrom('action_downloads')
      .select(['actionKey', 'ref', 'at'])
      .where('readAt', '>=', since)
      .where('at', '>=', since)
      .where('isInStep', '=', false)
      .where('isAtOtherTime', '=', false)
      .execute(),
  /** Refs of actions and called workflows that can move, by what tracked repositories use at present, directly or in turn. */
  movableUses: (): Promise<UsedBy[]> =>
    database.db
      .selectFrom('workflow_trees')
      .innerJoin('use_days', (join) =>
        join.onRef('use_days.repoId', '=', 'workflow_trees.repoId').onRef('use_days.day', '=', 'workflow_trees.day'),
      )
      .innerJoin('action_refs', 'action_refs.id', 'use_days.refId')
      .select(['use_days.repoId', 'use_days.kind', 'action_refs.actionKey', 'action_refs.ref'])
      .distinct()
      .where('use_days.kind', '!=', 'image')
      .where('action_refs.ref', '!~', commitPattern)
      .execute(),
  /** Refs whose alarming moves were seen since then. */
  async alarmingSince(since: Instant): Promise<NamedAt[]> {
    const rows = await database.db
      .selectFrom('ref_ledger')
      .innerJoin('action_refs', 'action_refs.id', 'ref_ledger.refId')
      .select(['action_refs.actionKey', 'action_refs.ref', 'ref_ledger.observedFrom'])
      .where('ref_ledger.observedFrom', '>=', since)
      .where('ref_ledger.previousCommit', 'is not', null)
      .where('ref_ledger.alarm', '!=', 'none')
      .execute();
    return rows.map(({ observedFrom, ...row }) => ({ ...row, at: observedFrom }));
  },
});

type Table = 'workflow_runs' | 'workflow_run_attempts';

const unasked = ({ db }: Queries, table: Table) =>
  db
    .selectFrom(`${table} as own`)
    .innerJoin('repos', (join) => join.onRef('repos.id', '=', 'own.repoId'))
    .select(['own.repoId', 'repos.codehostRepoId', 'own.workflowId', 'own.id', 'own.runAttempt'])
    .select(['own.createdAt', 'own.runStartedAt', 'own.updatedAt'])
    .where('repos.tracked', '=', true)
    .where('own.status', '=', 'completed')
    .where('own.conclusion', '!=', 'skipped')
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('attempt_logs')
            .select('attempt_logs.runId')
            .whereRef('attempt_logs.runId', '=', 'own.id')
            .whereRef('attempt_logs.runAttempt', '=', 'own.runAttempt'),
        ),
      ),
    )
    .orderBy('own.updatedAt')
    .orderBy('own.id');

const toAttempts = (rows: Awaited<ReturnType<ReturnType<typeof unasked>['execute']>>): UnaskedAttempt[] =>
  rows.map(({ repoId, workflowId, createdAt, runStartedAt, ...row }) => ({
    repoId,
    workflowId,
    repositoryId: row.codehostRepoId,
    runId: row.id,
    attempt: row.runAttempt,
    startedAt: runStartedAt ?? createdAt,
    endedAt: row.updatedAt,
  }));
