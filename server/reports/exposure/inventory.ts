import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { isReadable, type LedgerRow, maxGapMs } from '../../metrics/security/ref-ledger.ts';
import { isCommitId } from '../../scan/action-uses.ts';
import { isFullVersion } from '../../scan/action-versions.ts';
import { versionNumbers } from '../../scan/actions.ts';
import type { PresentUse } from '../../store/action-inventory.ts';
import { listVisibleRepositories, sameName } from '../repositories/visibility.ts';
import { listMoves, type Move, shortName } from './moves.ts';
import type { ActionInventory, actionKinds, pins } from './schema.ts';
import { findLedger } from './source.ts';

type Answer = Domain<typeof ActionInventory>;
type ActionInUse = Answer['actions'][number];
type UsedRef = ActionInUse['refs'][number];
type Pin = (typeof pins)[number];

export interface InventoryInput {
  org: string;
  kind?: (typeof actionKinds)[number] | undefined;
  pin?: Pin | undefined;
  q?: string | undefined;
  limit: number;
  page: number;
}

const movesWithinMs = 90 * dayMs;

/** What the repositories that the caller may see use, how it is pinned, and what has moved. */
export async function actionInventory(input: InventoryInput, context: Context): Promise<Answer> {
  const { items: visible, partial } = await listVisibleRepositories(input.org, context);
  const ledger = await findLedger(visible, context);
  const ids = visible.map(({ id }) => id);
  const [read, uses] = await Promise.all([ledger.lookedAt(ids), ledger.presentUses(ids)]);
  const histories = await ledger.histories([...new Set(uses.map(({ refId }) => refId))]);
  const now = context.services.clock.now();
  const inUse = [...Map.groupBy(uses, ({ actionKey, kind }) => `${actionKey} ${kind}`).values()].flatMap((own) =>
    toAction(own, { histories, since: now - movesWithinMs, org: input.org }),
  );
  const matching = inUse.flatMap((one) => filterRefs(one, input)).sort(compareActions);
  const ledgerState = summarizeLedger(uses, histories);
  const isKnownNow = read.length > 0 && isCurrent(ledgerState, now);
  const pages = Math.max(1, Math.ceil(matching.length / input.limit));
  const page = Math.min(input.page, pages);
  return {
    org: input.org,
    actions: matching.slice((page - 1) * input.limit, page * input.limit),
    page,
    pages,
    totals: totalInventory(inUse, isKnownNow),
    repositories: {
      visible: visible.length,
      read: read.length,
      unreadFiles: read.reduce((sum, { unreadFiles }) => sum + unreadFiles, 0),
    },
    ledger: ledgerState,
    transitive: false,
    partial,
    generatedAt: now,
    dataSource: 'database',
  };
}

interface Surroundings {
  histories: ReadonlyMap<number, LedgerRow[]>;
  since: Instant;
  org: string;
}

function toAction(uses: readonly PresentUse[], around: Surroundings): ActionInUse[] {
  const [first] = uses;
  if (!first) return [];
  const refs = [...Map.groupBy(uses, ({ refId }) => refId).values()].flatMap((own) => toRef(own, around));
  return [
    {
      name: first.actionKey,
      kind: first.kind,
      publisher: findPublisher(first.actionKey, around.org),
      repositories: countRepositories(uses),
      workflows: countWorkflows(uses),
      refs: refs.sort((one, other) => other.alarming90d - one.alarming90d || other.workflows - one.workflows),
    },
  ];
}

function toRef(uses: readonly PresentUse[], { histories, since }: Surroundings): UsedRef[] {
  const [first] = uses;
  if (!first) return [];
  const { ref } = first;
  const history = histories.get(first.refId) ?? [];
  const newest = history.at(-1);
  const moves = listMoves(first, history);
  const recent = moves.filter(({ at }) => at >= since);
  const last = moves.at(-1);
  return [
    {
      ref,
      commit: isCommitId(ref) ? ref : (newest?.commit ?? null),
      pin: findPin(first),
      state: newest?.state ?? null,
      repositories: countRepositories(uses),
      workflows: countWorkflows(uses),
      moves90d: recent.length,
      alarming90d: recent.filter(({ alarming }) => alarming).length,
      notCompared90d: recent.filter(({ alarming }) => alarming === null).length,
      knownSince: history.find(isReadable)?.observedFrom ?? null,
      lastMove: last ? toMove(last) : null,
    },
  ];
}

const toMove = ({ at, moveClass, from, to, alarming }: Move) => ({ at, class: moveClass, from, to, alarming });

const countRepositories = (uses: readonly PresentUse[]) => new Set(uses.map(({ repositoryId }) => repositoryId)).size;
const countWorkflows = (uses: readonly PresentUse[]) => uses.reduce((sum, { workflows }) => sum + workflows, 0);

function findPin({ ref, isBranch }: PresentUse): Pin | null {
  if (isCommitId(ref)) return 'sha';
  if (isBranch === null) return null;
  if (isBranch) return 'branch';
  const name = shortName(ref);
  if (isFullVersion(name)) return 'version_tag';
  const numbers = versionNumbers(name)?.length ?? 0;
  if (numbers === 0) return 'tag';
  return numbers === 1 ? 'major_tag' : 'minor_tag';
}

function findPublisher(actionKey: string, org: string): ActionInUse['publisher'] {
  const owner = actionKey.split('/', 1)[0] as string;
  if (owner === 'actions' || owner === 'github') return 'platform';
  return sameName(owner, org) ? 'own' : 'third_party';
}

/** The action with those of its refs that match; none without any. */
function filterRefs(one: ActionInUse, { kind, pin, q }: InventoryInput): ActionInUse[] {
  if (kind !== undefined && one.kind !== kind) return [];
  if (q !== undefined && !one.name.includes(q.toLowerCase())) return [];
  const refs = pin === undefined ? one.refs : one.refs.filter((ref) => ref.pin === pin);
  return refs.length === 0 ? [] : [{ ...one, refs }];
}

const compareActions = (one: ActionInUse, other: ActionInUse): number =>
  countAlarming(other.refs) - countAlarming(one.refs) ||
  countUnpinned(other) - countUnpinned(one) ||
  other.workflows - one.workflows ||
  (one.name < other.name ? -1 : 1);

const countAlarming = (refs: readonly UsedRef[]) => refs.reduce((sum, { alarming90d }) => sum + alarming90d, 0);
const countUnpinned = ({ publisher, refs }: ActionInUse) =>
  publisher === 'third_party' ? refs.filter(({ ref }) => !isCommitId(ref)).length : 0;

/** Of moves there are only figures where every ref was looked at of late: none is not the same as none seen. */
function totalInventory(actions: readonly ActionInUse[], isKnownNow: boolean): Answer['totals'] {
  const refs = actions.flatMap((one) => one.refs);
  const uses = refs.reduce((sum, { workflows }) => sum + workflows, 0);
  const pinned = refs.reduce((sum, { ref, workflows }) => sum + (isCommitId(ref) ? workflows : 0), 0);
  return {
    actions: actions.length,
    refs: refs.length,
    sharePinnedPct: uses === 0 ? null : Math.round((1000 * pinned) / uses) / 10,
    uses,
    thirdPartyUnpinned: actions.reduce((sum, one) => sum + countUnpinned(one), 0),
    moves90d: isKnownNow ? refs.reduce((sum, { pin, moves90d }) => sum + (pin === 'branch' ? 0 : moves90d), 0) : null,
    alarming90d: isKnownNow ? countAlarming(refs) : null,
    notCompared90d: refs.reduce((sum, { notCompared90d }) => sum + notCompared90d, 0),
  };
}

function summarizeLedger(uses: readonly PresentUse[], histories: Surroundings['histories']): Answer['ledger'] {
  const movable = [...new Map(uses.map((use) => [use.refId, use])).values()].filter(({ ref }) => !isCommitId(ref));
  const known = movable.map(({ refId }) => histories.get(refId) ?? []);
  const starts = known.flatMap((history) => history.find(isReadable)?.observedFrom ?? []);
  const unreadable = known.filter((history) => history.at(-1)?.state === 'unreadable').length;
  const ends = known.flatMap((history) => history.at(-1) ?? []).filter(isReadable);
  const isComplete = ends.length > 0 && ends.length + unreadable === movable.length;
  return {
    startedAt: starts.length === 0 ? null : Math.min(...starts),
    completeAt: isComplete ? Math.min(...ends.map(({ observedTo }) => observedTo)) : null,
    refs: movable.length,
    unreadable,
  };
}

/** Whether every ref that can be read was looked at of late. */
const isCurrent = ({ refs, completeAt }: Answer['ledger'], now: Instant): boolean =>
  refs === 0 || (completeAt !== null && now - completeAt <= maxGapMs);
