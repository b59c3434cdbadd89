import type { PublishedAdvisory } from '../../codehost/action-references/advisories.ts';
import { Problem } from '../../platform/problem.ts';
import { type ActionUse, actionUseKey } from '../../scan/action-knowledge.ts';
import { isCommitId, shortRefName } from '../../scan/action-uses.ts';
import { isAffected, isComparable, isRange, versionUsed } from '../../scan/action-versions.ts';
import type { AdvisedRef, NamedUse } from '../../store/action-advisories.ts';
import { passOver } from './problems.ts';
import type { LedgerContext } from './run.ts';

/**
 * Reads all published advisories about actions, and stores which of them affect the versions that are used: of a ref that
 * names no full version, the highest tag on its commit. Of a ref whose tags could not be read that is not known, and
 * what affected it before is believed to do so still. Answers whether advisories were read: else nothing is stored.
 * @throws what ends the reading.
 */
export async function readAdvisories({
  store,
  codehost,
  services,
  signal,
  mayContinue,
}: LedgerContext): Promise<boolean> {
  const uses = await store.exposure.usesOfActions();
  if (!mayContinue()) return false;
  const published = uses.length === 0 ? [] : await codehost.actionAdvisories().catch(passOver);
  if (published instanceof Problem) return false;
  const concerned = listConcerned(uses, published);
  const unnamed = concerned.flatMap(({ use }) => (isComparable(shortRefName(use.ref)) ? [] : use));
  const tags: Tags | Problem =
    unnamed.length === 0 ? new Map() : await codehost.tagsOfActions(unnamed.map(toActionUse)).catch(passOver);
  signal.throwIfAborted();
  if (tags instanceof Problem) return false;
  const isUnread = ({ use }: Concerned) => unnamed.includes(use) && findTags(use, tags) === null;
  const unread = concerned.filter(isUnread);
  const unknown = new Set(unread.map(({ use }) => use.refId));
  const found = {
    refIds: uses.flatMap(({ refId }) => (unknown.has(refId) ? [] : refId)),
    advised: concerned.flatMap((one) => (isUnread(one) ? [] : findAffecting(one, findTags(one.use, tags) ?? []))),
    possible: unread.flatMap(({ use, advisories }) => toAdvised(use, advisories)),
  };
  await store.exposure.putAdvisories(found, services.clock.now());
  return true;
}

type Tags = Awaited<ReturnType<LedgerContext['codehost']['tagsOfActions']>>;

const findTags = (use: NamedUse, tags: Tags) => tags.get(actionUseKey(toActionUse(use))) ?? null;

/** A use of an action about which there are advisories. */
interface Concerned {
  use: NamedUse;
  advisories: PublishedAdvisory[];
}

function listConcerned(uses: readonly NamedUse[], published: readonly PublishedAdvisory[]): Concerned[] {
  const byName = Map.groupBy(published, ({ actionKey }) => actionKey);
  return uses
    .map((use) => ({ use, advisories: use.names.flatMap((name) => byName.get(name) ?? []) }))
    .filter(({ advisories }) => advisories.length > 0);
}

function toActionUse({ actionKey, ref }: NamedUse): ActionUse {
  const [owner = '', repo = ''] = actionKey.split('/');
  return { owner, repo, ref, isSha: isCommitId(ref), kind: 'action', comment: null };
}

function findAffecting({ use, advisories }: Concerned, tags: readonly string[]): AdvisedRef[] {
  const version = versionUsed(isCommitId(use.ref) ? '' : use.ref, tags);
  const affecting = advisories.filter(({ range }) => version !== null && isRange(range) && isAffected(version, range));
  return toAdvised(use, affecting);
}

const toAdvised = ({ refId }: NamedUse, advisories: readonly PublishedAdvisory[]): AdvisedRef[] =>
  [...new Set(advisories.map(({ id }) => id))].map((advisoryId) => ({ refId, advisoryId }));
