import type { ExecutedUses } from '../../../codehost/runs/logs.ts';
import type { JobReach, TokenPermissions, UsedRef } from '../../../scan/action-uses.ts';
import type { AttemptLogRow } from '../../../store/attempt-logs.ts';
import { type FileJob, listFileJobs, unite } from './file-jobs.ts';
import { matchJob } from './match-job.ts';

/** From where it is known what the token of a job may do. `default`: neither the log nor the file says it. */
export const permissionSources = ['log', 'file', 'default', 'unknown'] as const;

/** What the jobs of an attempt that may have run something had in reach: names alone, null for what is not known. */
export interface Reach {
  /** As runs name them; null where any job of the file may be one of them. */
  jobs: string[] | null;
  /** Without those that `allSecrets` stands for. */
  secrets: string[] | null;
  /** Of these what the suspect itself was handed, `*` for every secret; null where it is used in turn by something else. */
  handed: string[] | null;
  allSecrets: boolean | null;
  environments: string[] | null;
  /** What any of the jobs may do; `*` for every scope. */
  permissions: TokenPermissions | null;
  permissionsSource: (typeof permissionSources)[number];
  /** Whether a job may obtain credentials of clouds. */
  idToken: boolean | null;
  runner: JobReach['runner'];
}

/** Of an attempt that is not known to have had the suspect in reach. */
export const unreachable: Reach = {
  jobs: null,
  secrets: null,
  handed: null,
  allSecrets: null,
  environments: null,
  permissions: null,
  permissionsSource: 'unknown',
  idToken: null,
  runner: 'unknown',
};

type LoggedJob = NonNullable<AttemptLogRow['jobs']>[number];

export interface Reaching {
  /** What the workflow file that ran uses, as far as whoever asks may see it; null where it was not read. */
  file: Pick<ExecutedUses, 'uses'> | null;
  /** The jobs that may have run the suspect; null where any may have. */
  jobs: readonly LoggedJob[] | null;
  isSuspect(use: UsedRef): boolean;
}

/** One job that counts: of the run, and of the file where it is known which one it is. */
interface Counted {
  logged: LoggedJob | null;
  ofFile: readonly FileJob[] | null;
}

/** What was in reach of jobs that may have run the suspect: of every job of the file where it is not known which did. */
export function toReach({ file, jobs, isSuspect }: Reaching): Reach {
  const all = file && listFileJobs(file);
  const ran: readonly (LoggedJob | null)[] = jobs ?? [null];
  const counted: Counted[] = ran.map((logged) => {
    const match = logged && all && matchJob(all, logged.name);
    return { logged, ofFile: match ? [match] : all };
  });
  // Where no secrets were given, what the file names is empty.
  const given = counted.filter(({ logged }) => logged?.grants?.secretSource !== 'None');
  const ofFile = joinAll(given.map((one) => one.ofFile));
  const isWhole = ofFile?.every((one) => one.isWhole) === true;
  const known = ofFile && isWhole ? ofFile : null;
  const handed = ofFile?.flatMap((one) => one.handed.filter(isSuspect)) ?? [];
  return {
    jobs: jobs?.map(({ name }) => name) ?? null,
    secrets: ofFile && (isWhole || ofFile.some(isAny)) ? unite(...ofFile.map(({ secrets }) => secrets)) : null,
    handed:
      handed.length > 0 || ofFile?.length === 0
        ? unite(...handed.map(({ secrets, allSecrets }) => (allSecrets ? [everySecret, ...secrets] : secrets)))
        : null,
    allSecrets: ofFile?.some(({ allSecrets }) => allSecrets) ? true : known && false,
    environments: known && unite(known.flatMap(({ environment }) => environment ?? [])),
    ...toToken(counted),
    runner: joinRunners(counted),
  };
}

const isAny = ({ secrets }: FileJob): boolean => secrets.length > 0;

/** null where any is. */
function joinAll(all: readonly (readonly FileJob[] | null)[]): FileJob[] | null {
  const known = all.filter((one) => one !== null);
  return known.length === all.length ? [...new Set(known.flat())] : null;
}

/** The log says it for certain, but not `id-token`, which files alone grant. */
function toToken(counted: readonly Counted[]): Pick<Reach, 'permissions' | 'permissionsSource' | 'idToken'> {
  const ofFile = joinAll(counted.map((one) => one.ofFile));
  const granted = counted.map(({ logged }) => logged?.grants?.permissions ?? null).filter((one) => one !== null);
  const idToken =
    ofFile === null
      ? null
      : ofFile.some(({ permissions }) => [permissions?.['id-token'], permissions?.['*']].includes('write'));
  if (granted.length === counted.length && granted.length > 0)
    return { permissions: joinPermissions(granted), permissionsSource: 'log', idToken };
  if (ofFile === null) return { permissions: null, permissionsSource: 'unknown', idToken };
  const written = ofFile.map(({ permissions }) => permissions).filter((one) => one !== null);
  if (written.length < ofFile.length) return { permissions: null, permissionsSource: 'default', idToken };
  return { permissions: joinPermissions(written), permissionsSource: 'file', idToken };
}

/** Of each scope the most that any job has. */
function joinPermissions(all: readonly TokenPermissions[]): TokenPermissions {
  const joined: TokenPermissions = {};
  for (const [scope, access] of all.flatMap((one) => Object.entries(one)))
    if (joined[scope] !== 'write') joined[scope] = access;
  return joined;
}

function joinRunners(counted: readonly Counted[]): JobReach['runner'] {
  const kinds = counted.flatMap(({ logged, ofFile }) =>
    logged?.runner && logged.runner !== 'unknown'
      ? [logged.runner]
      : (ofFile?.map(({ runner }) => runner) ?? ['unknown' as const]),
  );
  if (kinds.includes('self_hosted')) return 'self_hosted';
  return kinds.length > 0 && kinds.every((kind) => kind === 'hosted') ? 'hosted' : 'unknown';
}

/** Whether the token of a job may change something; null where that is not known. */
export const hasWriteToken = ({ permissions }: Pick<Reach, 'permissions'>): boolean | null =>
  permissions && Object.values(permissions).includes('write');

/** Whether it is not known what the token could do, or whether credentials of clouds could be had. */
export const isTokenUnknown = ({ permissions, idToken }: Pick<Reach, 'permissions' | 'idToken'>): boolean =>
  permissions === null || idToken === null;

/** Whether a secret was in reach by its name, in any case; with `*`, whether every one was. */
export const isInReach = (reach: Reach | null, secret: string): boolean =>
  secret === everySecret ? reach?.allSecrets === true : reach?.secrets?.includes(secret.toUpperCase()) === true;

/** What stands for every secret. */
export const everySecret = '*';

/** Which jobs to change the secrets of first: the least first. What is not known may be any but is known to be none. */
export function rankReach(reach: Reach | null): number {
  if (reach === null) return 0;
  if (reach.allSecrets === true || reach.idToken === true) return 1;
  if (hasWriteToken(reach) === true) return 2;
  if (reach.secrets !== null && reach.secrets.length > 0) return 3;
  return reach.secrets === null || isTokenUnknown(reach) ? 4 : 5;
}
