import type {
  Conclusion,
  Instant,
  LiveWorkflowRun,
  Repository,
  WorkflowJob,
} from '../../server/metrics/kernel/facts.ts';
import { anAttempt, aRepository, type RepositoryParts } from './builders.ts';
import { type DeliveryChanges, deliveryChangesOf } from './delivery-changes.ts';
import { type SecurityChanges, securityChangesOf } from './security.ts';
import { type DoubleRepository, type DoubleWorld, type FileContent, fullName, repositoryOf } from './world.ts';

/** What a test does to the world while the double serves it. Repositories are named `owner/repo`. */
export interface WorldChanges extends DeliveryChanges, SecurityChanges {
  addRepository(parts: RepositoryParts): DoubleRepository;
  /** Adds a run, or replaces the same attempt of it. What is not said is filled in: a successful push to main. */
  putRun(repository: string, run: Partial<LiveWorkflowRun> & { id: number }): LiveWorkflowRun;
  /** Ends the latest attempt of a run. */
  completeRun(repository: string, id: number, conclusion: Conclusion, at: Instant): LiveWorkflowRun;
  /** Starts one more attempt: same id and creation, later start. */
  rerun(repository: string, id: number, at: Instant, changes?: Partial<LiveWorkflowRun>): LiveWorkflowRun;
  removeRun(repository: string, id: number): void;
  putJobs(repository: string, id: number, attempt: number, jobs: WorkflowJob[]): void;
  putLog(repository: string, jobId: number, log: string | Buffer | 'expired'): void;
  putCalled(repository: string, id: number, attempt: number, called: { path: string; sha: string }[] | null): void;
  /** Adds successful runs, evenly spread over a window (both ends included), with ids from `firstId` upwards. */
  addRuns(repository: string, count: number, window: { from: Instant; to: Instant; firstId?: number }): void;
  /** Adds a file to the head of the default branch, or replaces it. */
  putWorkflowFile(repository: string, path: string, content: FileContent): void;
  rename(repository: string, newName: string): void;
  setVisibility(repository: string, visibility: Repository['visibility']): void;
  /** Takes a person's access away, whichever way they had it. */
  removeAccess(repository: string, login: string): void;
  revokeToken(token: string): void;
}

export function changesOf(world: DoubleWorld): WorldChanges {
  const repositoryNamed = (name: string) => repositoryOf(world, name);
  const putRun: WorldChanges['putRun'] = (name, changes) => {
    const repository = repositoryNamed(name);
    const run = anAttempt(repository, world.now, changes);
    const others = (repository.runs.get(run.id) ?? []).filter((one) => one.attempt !== run.attempt);
    repository.runs.set(
      run.id,
      [...others, run].sort((one, other) => one.attempt - other.attempt),
    );
    return run;
  };
  const latest = (name: string, id: number) => {
    const run = repositoryNamed(name).runs.get(id)?.at(-1);
    if (!run) throw new Error(`${name} has no run ${id}`);
    return run;
  };
  return {
    ...deliveryChangesOf(world),
    ...securityChangesOf(world),
    addRepository: (parts) => addRepository(world, parts),
    putRun,
    completeRun: (name, id, conclusion, at) =>
      putRun(name, { ...latest(name, id), status: 'completed', conclusion, updatedAt: at }),
    rerun: (name, id, at, changes) => putRun(name, { ...nextAttempt(latest(name, id), at), ...changes, id }),
    removeRun: (name, id) => void repositoryNamed(name).runs.delete(id),
    putJobs: (name, id, attempt, jobs) => void repositoryNamed(name).jobs.set(`${id}/${attempt}`, jobs),
    putLog: (name, jobId, log) => void repositoryNamed(name).logs.set(jobId, log),
    putCalled: (name, id, attempt, called) => void repositoryNamed(name).called.set(`${id}/${attempt}`, called),
    addRuns: (name, count, { from, to, firstId = 9_000_001 }) => {
      for (let index = 0; index < count; index++) {
        const createdAt = Math.floor((from + ((to - from) * index) / Math.max(1, count - 1)) / 1000) * 1000;
        putRun(name, { id: firstId + index, createdAt });
      }
    },
    putWorkflowFile: (name, path, content) => void repositoryNamed(name).files.set(path, content),
    rename: (name, newName) => rename(repositoryNamed(name), newName),
    setVisibility: (name, visibility) =>
      void Object.assign(repositoryNamed(name).facts, { visibility, private: visibility !== 'public' }),
    removeAccess: (name, login) => removeAccess(world, repositoryNamed(name), login),
    revokeToken: (token) => {
      world.tokens = world.tokens.filter((one) => one.token !== token);
    },
  };
}

export function addRepository(world: DoubleWorld, parts: RepositoryParts): DoubleRepository {
  const repository = aRepository(world, parts);
  world.repositories.push(repository);
  return repository;
}

const nextAttempt = (run: LiveWorkflowRun, at: Instant): LiveWorkflowRun => ({
  ...run,
  attempt: run.attempt + 1,
  status: 'in_progress',
  conclusion: null,
  startedAt: at,
  updatedAt: at,
});

function rename(repository: DoubleRepository, newName: string) {
  const [owner = '', repo = ''] = newName.split('/');
  repository.formerNames.push(fullName(repository).toLowerCase());
  repository.facts = { ...repository.facts, owner, repo };
}

function removeAccess(world: DoubleWorld, repository: DoubleRepository, login: string) {
  const everybody = world.accounts.filter((one) => one.memberOf.includes(repository.facts.owner));
  repository.collaborators = repository.collaborators.filter((one) => one !== login);
  repository.members = (repository.members ?? everybody.map((one) => one.login)).filter((one) => one !== login);
}
