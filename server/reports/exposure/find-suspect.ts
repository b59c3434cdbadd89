import type { Context } from '../../access/context.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import type { FoundRepository, SeenCommit, SeenNames } from '../../store/exposed-uses.ts';
import { ifReadable } from '../kernel/coverage.ts';
import { nameKey } from '../repositories/visibility.ts';
import type { EvidenceSource } from './evidence.ts';
import type { Match, Suspect } from './verdict/suspect.ts';

/** What was asked about, under every name and with every commit that it is known by. */
export interface FoundSuspect {
  suspect: Suspect;
  /** Names that whoever asks may see. */
  shownNames: string[];
  /** Of the listed SHAs those that were seen. */
  seenCommits: SeenCommit[];
  /** The listed SHAs, as they were given. */
  shas: string[];
}

/**
 * Finds every name and commit of a suspect. Where the ledger never saw the repository, it is asked for once by its name,
 * which may be a former one: without its id no other name is told apart from it.
 */
export async function findSuspect(
  asked: Suspect,
  evidence: EvidenceSource,
  visible: readonly Repository[],
  context: Context,
): Promise<FoundSuspect> {
  const ids = visible.map(({ id }) => id);
  const names = await Promise.all(asked.actionKeys.map((key) => findNames(key, { asked, evidence, visible, context })));
  const actionKeys = [...new Set(names.flatMap(({ all }) => all))];
  const shas = asked.match.flatMap(({ type, value }) => (type === 'sha' ? (value ?? []) : []));
  const seenCommits = await evidence.commitsOf(shas, actionKeys, ids);
  return {
    suspect: {
      ...asked,
      actionKeys,
      match: withCommitsOfTags(asked.match, seenCommits),
      hasKnownId: names.every(({ isIdKnown }) => isIdKnown),
    },
    shownNames: names.flatMap(({ shown }) => shown),
    seenCommits,
    shas,
  };
}

interface Search {
  asked: Suspect;
  evidence: EvidenceSource;
  visible: readonly Repository[];
  context: Context;
}

async function findNames(key: string, { asked, evidence, visible, context }: Search): Promise<SeenNames> {
  const ids = visible.map(({ id }) => id);
  const seen = await evidence.namesOf(key, ids, null);
  // Images have no repository that could be called otherwise.
  if (asked.kind === 'image') return { ...seen, isIdKnown: true };
  if (seen.isIdKnown) return seen;
  const found = await readRepository(key, visible, context);
  // One that was made since then had another name, or the name another repository.
  const isOfThatTime = found !== null && (found.createdAt ?? 0) <= (asked.window.from ?? Number.POSITIVE_INFINITY);
  return isOfThatTime ? evidence.namesOf(key, ids, toFound(found)) : seen;
}

/** Under its present name, also where the name is a former one; null where whoever asks cannot see it. */
async function readRepository(
  key: string,
  visible: readonly Repository[],
  context: Context,
): Promise<Repository | null> {
  const own = visible.find((one) => nameKey(one) === key);
  if (own) return own;
  const [owner = '', repo = ''] = key.split('/');
  const { repositories } = await context.codehost();
  return ifReadable(repositories.get({ owner, repo }));
}

const toFound = (repository: Repository): FoundRepository => ({
  codehostId: repository.id,
  name: nameKey(repository),
});

/** The list with the commits of its tags, which alone records name, and the tags of its commits, which files may pin. */
const withCommitsOfTags = (match: readonly Match[], seen: readonly SeenCommit[]): Match[] => {
  const listed = new Set(match.flatMap(({ type, value }) => (type === 'sha' ? (value ?? []) : [])));
  const more = seen
    .filter(({ sha, commit }) => listed.has(sha) || listed.has(commit))
    .flatMap(({ sha, commit }) => [sha, commit])
    .filter((sha) => !listed.has(sha));
  return [...match, ...[...new Set(more)].map((value): Match => ({ type: 'sha', value }))];
};
