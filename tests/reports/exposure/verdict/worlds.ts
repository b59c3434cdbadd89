import type { Download } from '../../../../server/metrics/security/job-log.ts';
import { findAlarm, type LedgerRow, recordTarget } from '../../../../server/metrics/security/ref-ledger.ts';
import { toFacts } from '../../../../server/reports/exposure/ref-facts.ts';
import type { ExecutedFile, JobEvidence, RefFacts } from '../../../../server/reports/exposure/verdict/job-evidence.ts';
import type { Match, Suspect } from '../../../../server/reports/exposure/verdict/suspect.ts';
import type { FileUses, UsedRef } from '../../../../server/scan/action-uses.ts';

const hour = 3_600_000;
const nights = 12;

/** Numbers that follow from a seed. */
export function chance(seed: number) {
  let state = seed + 0x9e3779b9;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    is: (share: number) => next() < share,
    of: <T>(items: readonly T[]) => items[below(items.length)] as T,
  };
}
type Chance = ReturnType<typeof chance>;

/** An action of the world: where its tag truly led over time, and what each of its commits uses. */
interface Action {
  name: string;
  /** What files and logs call it: its present name, where the search may know a former one. */
  key: string;
  /** Oldest first. */
  moves: { at: number; commit: string }[];
  uses: Map<string, Written[]>;
  isImmutable: boolean;
}

/** As a file writes it: the tag of an action, one of its commits, or the id of a tag that leads to one. */
interface Written {
  action: Action;
  pin: string | null;
}

/** The id of a tag that leads to a commit, and the commit again. */
const tagOf = (commit: string) => `ff${commit.slice(2)}`;
const isTag = (pin: string) => pin.startsWith('ff');
export const peel = (pin: string, commits: Iterable<string>): string =>
  isTag(pin) ? ([...commits].find((commit) => tagOf(commit) === pin) ?? '') : pin;

/** A run with what truly ran in it, and what is known of it. */
export interface World {
  suspect: Suspect;
  job: JobEvidence;
  facts: RefFacts;
  /** Whether a compromised commit was downloaded in the time that is asked for. */
  isHit: boolean;
  /** The same run, started again: what it uses was resolved anew. */
  again: Pick<World, 'job' | 'isHit' | 'lines'>;
  /** What a whole log of it names. */
  lines: Download[];
  /** The present name of what was compromised. */
  badKey: string;
  /** What the workflow file uses, and what actions use, by commit. */
  workflow: FileUses;
  actions: Map<string, FileUses>;
  /** Where tags led when they were observed last, by name and ref. */
  present: Map<string, string>;
  /** Names of repositories of which the ledger knows the id. */
  knownNames: Set<string>;
}

const commitAt = ({ moves }: Action, at: number): string =>
  (moves.findLast((move) => move.at <= at) ?? moves[0])?.commit ?? '';

const sha = (name: string, index: number) => Buffer.from(`${name}/${index}`.padEnd(20, '.')).toString('hex');

/**
 * A compromise between two instants: the tag of the action `bad` leads to another commit, or that of an action that
 * others use leads to one that uses the compromised commit by its id.
 */
export function makeWorld(seed: number): World {
  const random = chance(seed);
  const start = hour * random.below(24 * nights);
  const [from, to] = [start, start + hour * (1 + random.below(40))];
  const bad: Action = action('bad', random.is(0.1), random.is(0.3) ? 'renamed/bad' : 'bad/bad');
  const evil = sha('evil', 1);
  bad.uses.set(evil, []);
  const others = ['one', 'two', 'three'].map((name) => action(name, random.is(0.3)));
  for (const one of [bad, ...others]) releaseNormally(one, random);
  const fork = random.is(0.3) ? forkOf(bad, evil, random) : null;
  for (const [index, one] of others.entries()) {
    const inner = [bad, ...others.slice(0, index)];
    for (const { commit } of one.moves)
      one.uses.set(commit, random.is(0.6) ? [] : [write(random.of(inner), { random, evil, from, at: 0 })]);
  }
  if (!bad.isImmutable && random.is(0.8)) compromise(bad, evil, from, to);
  const victim = random.of(others);
  const stolen = sha(`stolen ${victim.name}`, 1);
  if (!victim.isImmutable && random.is(0.3)) {
    victim.uses.set(stolen, [{ action: bad, pin: evil }]);
    compromise(victim, stolen, from, to);
  }
  const all = [bad, ...others, ...(fork ? [fork] : [])];
  const at = from + hour * (random.below(60) - 15) + 1;
  const written = Array.from({ length: 1 + random.below(3) }, () => write(random.of(all), { random, evil, from, at }));
  const hasBegun = random.is(0.9);
  const hasEnded = random.is(0.9);
  const downloaded = hasBegun ? resolve(written, at) : [];
  const knownNames = new Set(all.flatMap(({ key }) => (random.is(0.8) ? key : [])));
  const hasKnownId = random.is(0.8);
  const looks = lookEachNight(all, [evil, stolen], random);
  const ofBad = looks.get('bad') ?? [];
  // Of a ledger that began within the compromise nothing tells which commits are older.
  const isLate = random.is(0.3) && (ofBad[0]?.observedFrom ?? from) < from;
  const begin = isLate ? Math.min(to, from + hour * random.below(30)) : from;
  const suspect: Suspect = {
    kind: random.is(0.5) ? 'action' : null,
    actionKeys: ['bad/bad', ...(hasKnownId && knownNames.has(bad.key) ? [bad.key] : [])],
    path: '',
    hasKnownId,
    ...chooseMatch(random, evil),
    window: { from: begin, to: random.is(0.5) ? to : to + hour * random.below(40) },
  };
  const stored = { uses: [], histories: new Map([[1, ofBad]]), since: [], releases: [], shownNames: [] };
  const { isOlder } = toFacts(suspect, stored);
  const releases = new Map(
    all.filter(({ isImmutable }) => isImmutable).map((one) => [one.name, hour * random.below(24 * nights)]),
  );
  const facts: RefFacts = {
    history: ({ actionKey }) => looks.get(toName(actionKey)) ?? [],
    immutable: ({ actionKey, ref }) => {
      const seenAt = releases.get(toName(actionKey));
      const one = all.find(({ name }) => name === toName(actionKey));
      return seenAt === undefined || !one || ref !== 'v1' ? null : { commit: commitAt(one, seenAt), seenAt };
    },
    isOlder,
    isShown: () => true,
  };
  const isListed = suspect.match.some(({ value }) => value === evil);
  const isHitAt = (startedAt: number, isOver: boolean, all: readonly Downloaded[]) =>
    (!isOver || startedAt + hour >= begin) &&
    startedAt <= (suspect.window.to ?? Infinity) &&
    // What a fork has is meant only where its commit is listed.
    all.some(({ commit, written: { action: one } }) => commit === evil && (one === bad || isListed));
  const job = witness(written, { at, hasBegun, hasEnded, downloaded, looks, random, suspect, knownNames });
  const later = at + hour * (1 + random.below(60));
  const downloadedAgain = resolve(written, later);
  const again = { at: later, hasBegun: true, hasEnded: true, downloaded: downloadedAgain };
  return {
    suspect,
    facts,
    badKey: bad.key,
    lines: toLines(downloaded, at),
    again: {
      job: witness(written, { ...again, looks, random, suspect, knownNames }),
      lines: toLines(downloadedAgain, later),
      isHit: isHitAt(later, true, downloadedAgain),
    },
    workflow: toFileUses(written),
    actions: new Map(all.flatMap((one) => [...one.uses].map(([commit, uses]) => [commit, toFileUses(uses)] as const))),
    present: new Map(
      all.flatMap(({ name, key }) => {
        const commit = looks.get(name)?.at(-1)?.commit;
        return commit ? [[`${key} v1`, commit] as const] : [];
      }),
    ),
    knownNames,
    job,
    isHit: isHitAt(at, hasEnded, downloaded),
  };
}

const toUsed = ({ action: { key }, pin }: Written): UsedRef => ({
  actionKey: key,
  path: '',
  kind: 'action',
  ref: pin ?? 'v1',
});

const toFileUses = (uses: readonly Written[]): FileUses => ({
  refs: uses.map(toUsed),
  unknown: [],
  localWorkflows: [],
});

const action = (name: string, isImmutable: boolean, key = `${name}/${name}`): Action => ({
  name,
  key,
  moves: [],
  uses: new Map(),
  isImmutable,
});
const toName = (actionKey: string) => actionKey.split('/')[1] ?? '';

function releaseNormally(one: Action, random: Chance): void {
  const count = one.isImmutable ? 1 : 1 + random.below(3);
  for (let index = 0; index < count; index++) {
    const commit = sha(one.name, index);
    one.moves.push({ at: index === 0 ? -1e12 : hour * random.below(24 * nights), commit });
    one.uses.set(commit, []);
  }
  one.moves.sort((a, b) => a.at - b.at);
}

/** A repository with the same commits, whose tag may have been left at the compromised one. */
function forkOf(one: Action, evil: string, random: Chance): Action {
  const fork = action('fork', false);
  fork.moves = random.is(0.3) ? [{ at: -1e12, commit: evil }] : one.moves.slice(0, 1);
  fork.uses = new Map([...one.uses, [evil, []]]);
  return fork;
}

/** The tag leads elsewhere for a while, and then to where it led before. */
function compromise(one: Action, commit: string, from: number, to: number): void {
  const before = commitAt(one, from);
  one.moves = [
    ...one.moves.filter(({ at }) => at < from || at > to),
    { at: from, commit },
    { at: to, commit: before },
  ].sort((a, b) => a.at - b.at);
}

interface Writing {
  random: Chance;
  evil: string;
  from: number;
  at: number;
}

/** By the tag, or pinned: in the time of the compromise somebody may pin what the tag leads to. */
function write(one: Action, { random, evil, from, at }: Writing): Written {
  if (random.is(0.5)) return { action: one, pin: null };
  const isEvil = one.name === 'bad' && at > from && random.is(0.3);
  const commit = isEvil ? evil : commitAt(one, Math.min(at, hour * random.below(24 * nights)));
  return { action: one, pin: random.is(0.3) ? tagOf(commit) : commit };
}

interface Downloaded {
  written: Written;
  commit: string;
}

function resolve(uses: readonly Written[], at: number): Downloaded[] {
  return uses.flatMap((written) => {
    const { action: one, pin } = written;
    const commit = pin === null ? commitAt(one, at) : peel(pin, one.uses.keys());
    return [{ written, commit }, ...resolve(written.action.uses.get(commit) ?? [], at)];
  });
}

/** Some list the commit, some the id of its tag, which is known to lead there or not. */
function chooseMatch(random: Chance, evil: string): Pick<Suspect, 'match' | 'hasCommitsOnly'> {
  const byCommit: Match = { type: 'sha', value: evil };
  const byTag: Match = { type: 'sha', value: tagOf(evil) };
  const byRef: Match = { type: 'ref', value: 'v*' };
  const [match, hasCommitsOnly] = random.of<[Match[], boolean]>([
    [[byCommit], true],
    [[byRef], true],
    [[byCommit, byRef], true],
    [[byTag, byCommit], true],
    [[byTag], false],
    [[{ type: 'any', value: null }], true],
  ]);
  return { match, hasCommitsOnly };
}

/** Some nights nobody looks. Of a move to a bad commit, or away from it, neither commit is an ancestor. */
function lookEachNight(all: readonly Action[], bad: readonly string[], random: Chance): Map<string, LedgerRow[]> {
  return new Map(
    all.map((one) => {
      const rows: LedgerRow[] = [];
      for (let night = 0; night <= nights + 4; night++) {
        if (random.is(0.15)) continue;
        const at = night * 24 * hour + 5 * hour;
        const target = {
          state: 'present',
          commit: commitAt(one, at),
          tagObject: null,
          codehostId: 1,
          repository: null,
        };
        const found = recordTarget(rows, target as LedgerRow, at);
        const row = found && judgeMove(found, rows, bad);
        if (row && rows.at(-1)?.observedFrom === row.observedFrom) rows.pop();
        if (row) rows.push(row);
      }
      return [one.name, rows];
    }),
  );
}

function judgeMove(row: LedgerRow, before: readonly LedgerRow[], bad: readonly string[]): LedgerRow {
  const { commit, previousCommit } = row;
  if (previousCommit === null) return row;
  const isForward = [commit, previousCommit].every((one) => one !== null && !bad.includes(one));
  const moveClass = row.moveClass ?? (isForward ? 'forward' : 'rewritten');
  const facts = { isFullVersionTag: false, wasImmutable: false, isOnBranch: true };
  return { ...row, moveClass, alarm: findAlarm({ ...row, moveClass }, before, facts) };
}

const toLines = (downloaded: readonly Downloaded[], at: number): Download[] =>
  downloaded.map(({ written: { action: one, pin }, commit }) => ({
    actionKey: one.key,
    ref: pin ?? 'v1',
    commit,
    at,
    isInStep: false,
    digest: null,
    isAtOtherTime: false,
  }));

interface Witnessed {
  at: number;
  hasBegun: boolean;
  hasEnded: boolean;
  downloaded: readonly Downloaded[];
  looks: ReadonlyMap<string, LedgerRow[]>;
  random: Chance;
  suspect: Suspect;
  knownNames: ReadonlySet<string>;
}

/** What may be known of a run afterwards: its log whole, in part or not, its file, another file, or none. */
function witness(
  written: readonly Written[],
  { at, hasBegun, hasEnded, downloaded, looks, random, suspect, knownNames }: Witnessed,
): JobEvidence {
  const hasUnknownName = (all: readonly { actionKey: string }[]) =>
    all.some(({ actionKey }) => !suspect.actionKeys.includes(actionKey) && !knownNames.has(actionKey));
  const lines = toLines(downloaded, at);
  const isComplete = random.is(0.6);
  const log = { isComplete, downloads: isComplete ? lines : lines.filter(() => random.is(0.5)) };
  const uses = follow(written, { via: [], looks, random });
  const file: ExecutedFile = { uncertain: null, uses, unknown: [], hasUnknownNames: hasUnknownName(uses) };
  const other = { ...file, uses: file.uses.filter(() => random.is(0.5)), uncertain: 'merge_commit_gone' as const };
  return {
    repository: 'octo/app',
    headSha: 'f'.repeat(40),
    startedAt: at,
    completedAt: hasEnded ? at + hour : null,
    hasBegun: hasBegun ? random.of([true, null]) : random.of([false, null]),
    log: hasBegun && random.is(0.25) ? log : null,
    hasUnknownNames: hasUnknownName(lines),
    missingLog: 'log_unread',
    file: random.of([file, file, other, null]),
    observed: random.is(0.5) ? null : file.uses.filter(() => random.is(0.7)),
    called: random.is(0.5) ? null : [],
  };
}

interface Following {
  via: UsedRef[];
  looks: ReadonlyMap<string, LedgerRow[]>;
  random: Chance;
}

/** What was read of actions: at a tag the commits that the ledger has. Some could not be read. */
function follow(uses: readonly Written[], { via, looks, random }: Following): ExecutedFile['uses'] {
  return uses.flatMap((written) => {
    const { action: one, pin } = written;
    const used = toUsed(written);
    const observed = [...new Set((looks.get(one.name) ?? []).flatMap(({ commit }) => commit ?? []))];
    const all = pin === null ? observed : [peel(pin, one.uses.keys())];
    const commits = random.is(0.05) ? [] : all;
    const inner = commits.flatMap((commit) =>
      follow(one.uses.get(commit) ?? [], { via: [...via, used], looks, random }),
    );
    return [{ ...used, via, readAt: commits, wasSkipped: false }, ...inner];
  });
}
