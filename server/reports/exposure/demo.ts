import { hash } from 'node:crypto';
import type { Context } from '../../access/context.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs, hourMs, minuteMs } from '../../metrics/kernel/window.ts';
import type { LedgerRow, MoveAlarm, MoveClass } from '../../metrics/security/ref-ledger.ts';
import { Problem } from '../../platform/problem.ts';
import { countUses, isCommitId, type UsedRef, usesIn } from '../../scan/action-uses.ts';
import { readWorkflow } from '../../scan/read-workflow.ts';
import type { UnknownUse } from '../../scan/used-in-turn.ts';
import type { PresentUse } from '../../store/action-inventory.ts';
import type { LedgerSource } from './source.ts';

/** The sample organization has no database: its ledger is of the workflow files that it has, and of invented moves. */
export async function sampleLedger(repositories: readonly Repository[], context: Context): Promise<LedgerSource> {
  const files = await (await context.codehost()).workflowFilesOfMany(repositories);
  const refIds = new Map<string, number>();
  const toRefId = (ref: UsedRef): number => {
    const known = refIds.get(toKey(ref)) ?? refIds.size + 1;
    refIds.set(toKey(ref), known);
    return known;
  };
  const all = repositories.flatMap(({ id: repositoryId }, index): PresentUse[] => {
    const read = files[index];
    if (!read || read instanceof Problem) return [];
    const uses = countUses(read.files.map(({ path, text }) => usesIn(readWorkflow(path, text ?? '')).refs));
    return uses.flatMap((use) =>
      [{ ...use, through: '' }, ...listInTurn(use)].map((one) => ({
        ...one,
        refId: toRefId(one),
        isBranch: isBranch(one),
        isHidden: false,
        repositoryId,
      })),
    );
  });
  const looks = lookTimes(context.services.clock.now());
  const toDay = (at: Instant) => new Date(at).toISOString().slice(0, 10);
  const ofThese = (ids: readonly number[]) => all.filter(({ repositoryId }) => ids.includes(repositoryId));
  const historyOf = (id: number): LedgerRow[] => {
    const use = all.find(({ refId }) => refId === id);
    return use && use.kind !== 'image' && !isCommitId(use.ref) ? inventHistory(use, looks) : [];
  };
  return {
    lookedAt: async (ids) =>
      ids.map((repositoryId) => {
        const isThrough = ofThese([repositoryId]).some(({ through }) => through !== '');
        const unknownUses = isThrough ? [unknownUse] : [];
        return { repositoryId, day: toDay(looks.last), unreadFiles: 0, unknownUses };
      }),
    presentUses: async (ids) => ofThese(ids),
    usedOnDays: async ({ actionKey, ref }, ids) =>
      ofThese(ids).flatMap((use) =>
        use.actionKey === actionKey && use.ref === ref
          ? [{ ...use, firstDay: toDay(looks.first), lastDay: toDay(looks.last), days: ledgerDays + 1 }]
          : [],
      ),
    recentHistories: async (ids) => new Map(ids.map((id) => [id, historyOf(id)])),
    newestHistories: async (ids) => new Map(ids.map((id) => [id, historyOf(id)])),
    openAdvisories: async (ids) => {
      const advised = all.filter(({ actionKey, ref }) => `${actionKey}@${ref}` === advisedUse);
      return new Map(ids.map((id) => [id, advised.some(({ refId }) => refId === id) ? [inventedAdvisory] : []]));
    },
    immutableReleases: async () => [{ actionKey: inTurn.actionKey, tag: inTurn.ref, commit: firstCommit(inTurn) }],
  };
}

const toKey = ({ actionKey, ref }: UsedRef) => `${actionKey} ${ref}`;

/** A composite action of the sample, which uses one with an immutable release, and one that an expression names. */
const composite = 'harbor-tools/setup-lantern@v2';
const inTurn: UsedRef = { actionKey: 'harbor-tools/trim-wick', path: '', kind: 'action', ref: 'v1.4.0' };
const unknownUse: UnknownUse = {
  reason: 'expression',
  text: `harbor-tools/oil@\${{ inputs.oil }}`,
  through: composite,
  privateSources: [],
};

const listInTurn = (use: UsedRef & { workflows: number }) =>
  `${use.actionKey}@${use.ref}` === composite ? [{ ...inTurn, workflows: use.workflows, through: composite }] : [];

/** Affected by an advisory that nobody published. */
const advisedUse = 'harbor-tools/ship-it@main';
const inventedAdvisory = 'GHSA-sh1p-1t00-ma1n';

const firstCommit = ({ actionKey, ref }: UsedRef) => hash('sha1', `${actionKey}@${ref} first`);

/** Its only branches that are used. */
const isBranch = ({ ref }: UsedRef): boolean | null => (isCommitId(ref) ? null : ref === 'main');

const ledgerDays = 60;

/** The first and the last nightly look. */
function lookTimes(now: Instant) {
  const today = Math.floor(now / dayMs) * dayMs + 5 * hourMs + 17 * minuteMs;
  const last = today <= now ? today : today - dayMs;
  return { first: last - ledgerDays * dayMs, last };
}

/** A move, seen so many nights before the last look: to which of the invented commits. */
interface InventedMove {
  nights: number;
  commit: string;
  moveClass: MoveClass;
  alarm: MoveAlarm;
}

/** A tag that was moved for a night to a commit of somebody else, one that follows its releases, and a busy branch. */
const moves: Readonly<Record<string, readonly InventedMove[]>> = {
  'harbor-tools/setup-lantern@v2': [
    { nights: 11, commit: 'of a stranger', moveClass: 'rewritten', alarm: 'rewritten' },
    { nights: 10, commit: 'first', moveClass: 'back', alarm: 'none' },
  ],
  'actions/checkout@v6': [{ nights: 23, commit: 'release', moveClass: 'forward', alarm: 'none' }],
  'harbor-tools/ship-it@main': [
    { nights: 41, commit: 'second', moveClass: 'forward', alarm: 'none' },
    { nights: 18, commit: 'third', moveClass: 'forward', alarm: 'none' },
    { nights: 3, commit: 'fourth', moveClass: 'forward', alarm: 'none' },
  ],
};

function inventHistory({ actionKey, ref }: UsedRef, { first, last }: ReturnType<typeof lookTimes>): LedgerRow[] {
  const name = `${actionKey}@${ref}`;
  const toCommit = (commit: string) => hash('sha1', `${name} ${commit}`);
  const starts = [
    { at: first, commit: toCommit('first'), moveClass: null, alarm: null },
    ...(moves[name] ?? []).map(({ nights, commit, moveClass, alarm }) => ({
      at: last - nights * dayMs,
      commit: toCommit(commit),
      moveClass,
      alarm,
    })),
  ];
  return starts.map(({ at, commit, moveClass, alarm }, index) => ({
    observedFrom: at,
    observedTo: (starts[index + 1]?.at ?? last + dayMs) - dayMs,
    state: 'present',
    commit,
    tagObject: null,
    previousCommit: starts[index - 1]?.commit ?? null,
    moveClass,
    alarm,
    judgedAt: alarm === null ? null : at,
    codehostId: null,
    repository: actionKey,
  }));
}
