import type { RecordedAttempt } from '../../advisor/history.ts';
import { asJudged } from '../../advisor/verdict/joint.ts';
import {
  asMerged,
  daysBefore,
  findWithdrawal,
  type ProposedChange,
  type Remains,
} from '../../advisor/verdict/proposed.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { Problem } from '../../platform/problem.ts';
import type { JudgedRepository, MergedPullRequest, StoredVerdict } from '../../store/advisor-verdicts.ts';
import type { Store } from '../../store/orm.ts';
import type { AdviceSource } from '../advisor/gather.ts';
import { readStored } from '../advisor/history.ts';
import { listAdvised } from '../advisor/in-effect.ts';
import { type Advice, makeAdvice } from '../advisor/reading.ts';
import { ifReadable } from '../kernel/coverage.ts';
import { beginOf, lookAt } from './looks.ts';

type Source = AdviceSource & { store: Store; mayContinue(): boolean };

/**
 * Begins the results of merged pull requests, with what was measured before, and makes the looks that are due
 * from stored runs. The platform is requested for the workflow files of a repository with one of both alone.
 */
export async function followVerdicts(source: Source): Promise<{ begun: number; looked: number; failed: number }> {
  const { store, mayContinue } = source;
  const done = { begun: 0, looked: 0, failed: 0 };
  for (const merged of await listToBegin(source)) {
    if (!mayContinue()) return done;
    await begin(merged, source);
    done.begun++;
  }
  for (const repository of await listAdvised(await store.advisorVerdicts.due(source.services.clock.now()), source)) {
    if (!mayContinue()) return done;
    try {
      done.looked += await look(repository, source);
      await evaluateRules(repository, source);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      done.failed++;
    }
  }
  return done;
}

const historyOf = (repository: JudgedRepository, since: Instant, { store }: Source): Promise<RecordedAttempt[]> =>
  readStored({ id: repository.repositoryId, htmlUrl: repository.htmlUrl }, { since, stepNames: [] }, store);

/** Merged pull requests with the changes of them that no later one of the same recommendation stands in the place of. */
async function listToBegin(source: Source): Promise<MergedPullRequest[]> {
  const { advisorVerdicts } = source.store;
  const unbegun = await listAdvised(await advisorVerdicts.unbegun(), source);
  const followed = await advisorVerdicts.list([...new Set(unbegun.map(({ repositoryId }) => repositoryId))]);
  return unbegun.flatMap((merged) => {
    const later = followed.filter(
      ({ repositoryId, verdict }) => repositoryId === merged.repositoryId && verdict.startAt >= merged.mergedAt,
    );
    const proposed = merged.proposed.filter(({ id }) => !later.some(({ change }) => change.id === id));
    return proposed.length === 0 ? [] : { ...merged, proposed };
  });
}

async function begin(merged: MergedPullRequest, source: Source): Promise<void> {
  const { operationId, mergedAt, proposed } = merged;
  const attempts = await historyOf(merged, mergedAt - (daysBefore + 1) * dayMs, source);
  const recorded = { attempts, defaultBranch: merged.defaultBranch ?? '', startAt: mergedAt };
  const texts = await readTexts(merged, source);
  for (const one of proposed) {
    const change = asJudged(asMerged(one, texts.get(one.path) ?? ''), proposed);
    const verdict = beginOf(change, recorded, proposed);
    await source.store.advisorVerdicts.begin(
      merged.repoId,
      { operationId, commit: null, change, verdict },
      source.services.clock.now(),
    );
  }
}

/** The workflow files as they were merged; none where they cannot be read. */
async function readTexts({ owner, repo }: JudgedRepository, source: Source): Promise<Map<string, string>> {
  const codehost = await source.codehost();
  const read = await ifReadable(codehost.workflowFiles({ owner, repo }));
  return new Map(read?.files.flatMap(({ path, text }) => (text === null ? [] : [[path, text] as const])));
}

async function evaluateRules({ repoId, owner, repo, defaultBranch }: JudgedRepository, { services }: Source) {
  await services.evaluateAfterSync({ id: repoId, owner, repo, defaultBranch }, 'advisor-verdicts', 'cron');
}

/** Answers how many were looked at. Throws where not all of it was answered: what is not read is not withdrawn. */
async function look(repository: JudgedRepository, source: Source): Promise<number> {
  const now = source.services.clock.now();
  const all = await source.store.advisorVerdicts.list([repository.repositoryId]);
  const due = all.filter(({ verdict: { nextLook } }) => nextLook !== null && nextLook <= now);
  const { owner, repo } = repository;
  // A change stays one that was made, whatever is recommended now.
  const advice = await makeAdvice({ owner, repo, kindsOff: [] }, { seesSecurity: true }, source);
  if (advice.partial) throw new Problem('upstream_unavailable', 'Not every workflow file could be read.');
  const since = Math.max(now - daysAfter * dayMs, Math.min(...due.map(({ verdict }) => verdict.startAt)));
  const attempts = await historyOf(repository, since, source);
  for (const stored of due) {
    const [withdrawn = null] = judgedWith(stored, all).flatMap(
      ({ change }) => findWithdrawal(change, remainsOf(change, advice)) ?? [],
    );
    const verdict = lookAt(stored, { attempts, withdrawn, now, defaultBranch: repository.defaultBranch ?? '' });
    await source.store.advisorVerdicts.put(repository.repoId, { ...stored, verdict }, now);
  }
  return due.length;
}

/** A result and those that it shares its promise with. */
const judgedWith = (stored: StoredVerdict, all: readonly StoredVerdict[]): StoredVerdict[] => [
  stored,
  ...all.filter(
    ({ change, verdict }) =>
      verdict.startAt === stored.verdict.startAt && stored.change.others?.some(({ id }) => id === change.id),
  ),
];

function remainsOf({ id, path }: ProposedChange, { files, recommendations, inactive }: Advice): Remains {
  const file = files.files.find((one) => one.path === path);
  return {
    text: file?.text ?? null,
    isFound: recommendations.some((one) => one.id === id),
    isDisabled: inactive.includes(path) || !file,
  };
}

/** Of the last look, with some for nights that were missed; of a gain that was kept, its last weeks. */
const daysAfter = 100;
