import type { ExecutedUses } from '../../../codehost/runs/logs.ts';
import { type JobReach, type NamedSecrets, type UsedRef, usedRefKey } from '../../../scan/action-uses.ts';

/** As deep as workflows call each other. */
const maxDepth = 10;

/** A job that an executed workflow file, or one that it calls, runs in steps. */
export interface FileJob extends NamedSecrets, Pick<JobReach, 'environment' | 'permissions' | 'runner' | 'handed'> {
  /** Its own name and those of the jobs that call it, the outermost first, as written. */
  names: string[];
  /** false for a call of a workflow that was not read: it may have more in reach. */
  isWhole: boolean;
}

type ShownFile = Pick<ExecutedUses, 'uses'>;

/** Every job that a workflow file runs, with those of the workflows that it calls; null where the file was not read. */
export function listFileJobs({ uses }: ShownFile): FileJob[] | null {
  const [root] = uses;
  if (!root?.reach) return null;
  const jobsOf = new Map(uses.flatMap((use) => (use.reach ? [[usedRefKey(use), use.reach.jobs] as const] : [])));
  const expand = (caller: UsedRef, jobs: readonly JobReach[], given: Given): FileJob[] =>
    jobs.flatMap((job) => {
      const { calls } = job;
      const own = toFileJob(job, given);
      if (calls === null) return [own];
      const called = calls.ref === '' ? { ...calls, actionKey: caller.actionKey, ref: caller.ref } : calls;
      const inner = jobsOf.get(usedRefKey(called));
      if (!inner || own.names.length > maxDepth) return [{ ...own, isWhole: false }];
      return expand(called, inner, { ...own, permissions: job.permissions ?? given.permissions, isCalled: true });
    });
  return expand(root, root.reach.jobs, {
    names: [],
    secrets: [],
    allSecrets: true,
    permissions: null,
    isCalled: false,
  });
}

/** What a job is given by those that call it. */
interface Given extends NamedSecrets, Pick<JobReach, 'permissions'> {
  names: string[];
  isCalled: boolean;
}

function toFileJob({ id, name, calls, ...job }: JobReach, given: Given): FileJob {
  const { environment } = job;
  const own = calls ? handOn(job, given, environment) : hold(job, given);
  return {
    names: [...given.names, name ?? id],
    secrets: environment !== null && job.allSecrets ? unite(own.secrets, [restOf(environment)]) : own.secrets,
    allSecrets: own.allSecrets,
    environment,
    permissions: job.permissions ?? given.permissions,
    runner: job.runner,
    handed: job.handed.map((one) => ({ ...one, ...handOn(one, given, environment) })),
    isWhole: true,
  };
}

/**
 * What a job has in reach, by the names of the outermost file: a called workflow has all that it was given, under names of
 * its own, and what its environment has.
 */
function hold({ secrets, allSecrets, environment }: Holding, given: Given): NamedSecrets {
  if (!given.isCalled) return { secrets, allSecrets };
  const isOwn = given.allSecrets || environment !== null;
  return { secrets: unite(given.secrets, isOwn ? secrets : []), allSecrets: given.allSecrets };
}

type Holding = NamedSecrets & Pick<JobReach, 'environment'>;

/** What a step, or a job that calls a workflow, is handed: where it is handed anything, that may be any that was given. */
function handOn({ secrets, allSecrets }: NamedSecrets, given: Given, environment: string | null): NamedSecrets {
  if (!given.isCalled) return { secrets, allSecrets };
  if (given.allSecrets) return { secrets: allSecrets ? unite(secrets, given.secrets) : secrets, allSecrets };
  const isAny = allSecrets || secrets.length > 0;
  const ofEnvironment = environment === null ? [] : unite(secrets, allSecrets ? [restOf(environment)] : []);
  return { secrets: isAny ? unite(given.secrets, ofEnvironment) : [], allSecrets: false };
}

/** What an environment has beside the secrets that a file names. */
const restOf = (environment: string): string => `environment:${environment}/*`;

export const unite = (...all: (readonly string[])[]): string[] => [...new Set(all.flat())].sort();
