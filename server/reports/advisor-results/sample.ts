import type { Context } from '../../access/context.ts';
import { kinds } from '../../advisor/kinds.ts';
import { blobId } from '../../advisor/pull-request/names.ts';
import { type ProposedChange, toProposed } from '../../advisor/verdict/proposed.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import { changeOf, type SampleChange, sampleChanges } from '../../demo/merged-changes.ts';
import { readFacts } from '../../facts/facts.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { StoredVerdict } from '../../store/advisor-verdicts.ts';
import { readHistory } from '../advisor/history.ts';
import { makeAdvice } from '../advisor/reading.ts';
import { beginOf, lookAt } from './looks.ts';

/** The merged changes of the sample world are judged when they are looked at first, once for everybody. */
const samples = new WeakMap<Platform, Promise<StoredVerdict[]>>();

/** What a database would have stored of the merged changes of the sample world, by the code that judges those. */
export async function sampleVerdicts(context: Context): Promise<StoredVerdict[]> {
  const codehost = await context.codehost();
  const known = samples.get(codehost) ?? judgeChanges(codehost, context);
  samples.set(codehost, known);
  // What failed is tried again by the next one who asks.
  known.catch(() => samples.delete(codehost));
  return known;
}

async function judgeChanges(codehost: Platform, context: Context): Promise<StoredVerdict[]> {
  const judged: StoredVerdict[] = [];
  for (const change of sampleChanges) judged.push(...(await judgeChange(change, codehost, context)));
  return judged.sort((one, other) => other.verdict.startAt - one.verdict.startAt);
}

async function judgeChange(sample: SampleChange, codehost: Platform, context: Context): Promise<StoredVerdict[]> {
  const repository = await codehost.repositories.get(sample);
  const now = context.services.clock.now();
  const merge = await findMerge(repository, changeOf(sample, now), codehost, context);
  const change = merge && (await proposedAt(merge.at, sample, codehost, context));
  if (!change) return [];
  const attempts = await readHistory(codehost, repository, { since: 0, stepNames: [] }, context);
  const defaultBranch = repository.defaultBranch ?? '';
  const begun = beginOf(change, { attempts, defaultBranch, startAt: merge.at }, []);
  const isDue = begun.nextLook !== null && begun.nextLook <= now;
  const verdict = isDue ? lookAt({ change, verdict: begun }, { attempts, withdrawn: null, now, defaultBranch }) : begun;
  const { number, htmlUrl } = merge.pullRequest;
  return [
    {
      operationId: sample.path,
      repositoryId: repository.id,
      change,
      verdict,
      pullRequest: { number, htmlUrl },
      commit: null,
    },
  ];
}

/** The last pull request that was merged before runs changed. */
async function findMerge(
  repository: Repository,
  before: Instant,
  codehost: Platform,
  { services: { facts, clock } }: Context,
): Promise<{ at: Instant; pullRequest: PullRequest } | null> {
  const source = { codehost, factRepository: facts, clock };
  const { items } = await readFacts(source, repository, 'pull_requests', {
    since: before - 14 * dayMs,
    maxAgeMs: dayMs,
  });
  const merged = items.flatMap((pullRequest) =>
    pullRequest.mergedAt !== null && pullRequest.mergedAt <= before ? [{ at: pullRequest.mergedAt, pullRequest }] : [],
  );
  return merged.sort((one, other) => other.at - one.at)[0] ?? null;
}

/** What was recommended of the file as it was before, with what was predicted then; null where nothing was. */
async function proposedAt(
  at: Instant,
  { kind, path, textBefore, ...name }: SampleChange,
  codehost: Platform,
  { services }: Context,
): Promise<ProposedChange | null> {
  const files = await codehost.workflowFiles(name);
  const before = files.files.flatMap((file) =>
    file.path === path ? { ...file, text: textBefore, blobId: blobId(textBefore) } : [],
  );
  const source = {
    codehost: async () => ({ ...codehost, workflowFiles: async () => ({ ...files, files: before }) }),
    services: { ...services, clock: { now: () => at } },
    isDemo: true,
  };
  // The others are not read here.
  const kindsOff = kinds.map(({ id }) => id).filter((id) => id !== kind);
  const { recommendations } = await makeAdvice({ ...name, kindsOff }, { seesSecurity: true }, source);
  const found = recommendations.find((one) => one.kind.id === kind && one.reasons.length === 0);
  return found ? toProposed(found, textBefore) : null;
}
