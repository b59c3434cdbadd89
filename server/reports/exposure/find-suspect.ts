import type { FoundRepository, SeenCommit, SeenNames } from '../../store/exposed-uses.ts';
import { nameKey } from '../repositories/visibility.ts';
import type { SearchedRepository, SearchSource } from './judge-attempts.ts';
import type { Match, Suspect } from './verdict/suspect.ts';

/** The suspect, under every name and with every commit that it is known by. */
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
 * Finds every name and commit of a suspect. Where the ledger never saw the repository, it is requested once by its name,
 * which may be a former one: without its id no other name can be distinguished from it.
 */
export async function findSuspect(suspect: Suspect, source: Searched): Promise<FoundSuspect> {
  const { evidence, visible } = source;
  const ids = visible.map(({ id }) => id);
  const names = await Promise.all(suspect.actionKeys.map((key) => findNames(key, suspect, source)));
  const actionKeys = [...new Set(names.flatMap(({ all }) => all))];
  const shas = suspect.match.flatMap(({ type, value }) => (type === 'sha' ? (value ?? []) : []));
  const seenCommits = await evidence.commitsOf(shas, actionKeys, ids);
  return {
    suspect: {
      ...suspect,
      actionKeys,
      match: withCommitsOfTags(suspect.match, seenCommits),
      hasKnownId: names.every(({ isIdKnown }) => isIdKnown),
    },
    shownNames: names.flatMap(({ shown }) => shown),
    seenCommits,
    shas,
  };
}

type Searched = Pick<SearchSource, 'evidence' | 'visible' | 'readRepository'>;

async function findNames(
  key: string,
  suspect: Suspect,
  { evidence, visible, readRepository }: Searched,
): Promise<SeenNames> {
  const ids = visible.map(({ id }) => id);
  const seen = await evidence.namesOf(key, ids, null);
  // Images have no repository that could be called otherwise.
  if (suspect.kind === 'image') return { ...seen, isIdKnown: true };
  if (seen.isIdKnown) return seen;
  const [owner = '', repo = ''] = key.split('/');
  const found = visible.find((one) => nameKey(one) === key) ?? (await readRepository({ owner, repo }));
  // One that was made since then had another name, or the name another repository.
  const isOfThatTime = found !== null && (found.createdAt ?? 0) <= (suspect.window.from ?? Number.POSITIVE_INFINITY);
  return isOfThatTime ? evidence.namesOf(key, ids, toFound(found)) : seen;
}

const toFound = (repository: SearchedRepository): FoundRepository => ({
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
