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
 * names no full version, the highest tag on its commit. Answers whether it could: else nothing is stored.
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
  const unnamed = concerned.filter(({ use }) => !isComparable(shortRefName(use.ref)));
  const tags =
    unnamed.length === 0
      ? new Map<string, readonly string[] | null>()
      : await codehost.tagsOfActions(unnamed.map(({ use }) => toActionUse(use))).catch(passOver);
  signal.throwIfAborted();
  if (tags instanceof Problem) return false;
  await store.exposure.putAdvisories(
    concerned.flatMap((one) => findAffecting(one, tags.get(actionUseKey(toActionUse(one.use))) ?? [])),
    services.clock.now(),
  );
  return true;
}

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

function findAffecting({ use: { refId, ref }, advisories }: Concerned, tags: readonly string[]): AdvisedRef[] {
  const version = versionUsed(isCommitId(ref) ? '' : ref, tags);
  const affecting = advisories.filter(({ range }) => version !== null && isRange(range) && isAffected(version, range));
  return [...new Set(affecting.map(({ id }) => id))].map((advisoryId) => ({ refId, advisoryId }));
}
