import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { isReadable, type LedgerRow, maxGapMs } from '../../metrics/security/ref-ledger.ts';
import { isCommitId, shortRefName } from '../../scan/action-uses.ts';
import type { ImmutableRelease, LookedAt, PresentUse } from '../../store/action-inventory.ts';
import { listOfKnownOwner } from '../repositories/visibility.ts';
import { isCurrent, summarizeLedger } from './ledger-state.ts';
import { listMoves, type Move } from './moves.ts';
import { findPin, findPublisher, fixedPins, type Pin } from './pins.ts';
import type { ActionInventory, actionKinds, actionSorts } from './schema.ts';
import { findLedger } from './source.ts';

type Answer = Domain<typeof ActionInventory>;
type ActionInUse = Answer['actions'][number];
type UsedRef = ActionInUse['refs'][number];

export interface InventoryInput {
  org: string;
  kind?: (typeof actionKinds)[number] | undefined;
  pin?: Pin | undefined;
  owner?: string | undefined;
  q?: string | undefined;
  sort: (typeof actionSorts)[number];
  limit: number;
  page: number;
}

const movesWithinMs = 90 * dayMs;

/** What the repositories that the caller may see use, how it is pinned, and what has moved. */
export async function actionInventory(input: InventoryInput, context: Context): Promise<Answer> {
  const { items: visible, partial } = await listOfKnownOwner(input.org, context);
  const ledger = await findLedger(visible, context);
  const ids = visible.map(({ id }) => id);
  const [read, uses] = await Promise.all([ledger.lookedAt(ids), ledger.presentUses(ids)]);
  const now = context.services.clock.now();
  const since = now - movesWithinMs;
  const shown = uses.filter((use) => !use.isHidden);
  const refIds = [...new Set(shown.map(({ refId }) => refId))];
  const [histories, advised, releases] = await Promise.all([
    ledger.recentHistories(refIds, since),
    ledger.openAdvisories(refIds, now - maxGapMs),
    ledger.immutableReleases([...new Set(uses.map(({ actionKey }) => actionKey))]),
  ]);
  const refs = new Map(
    [...Map.groupBy(uses, ({ refId }) => refId)].flatMap(([refId, own]) =>
      own[0]
        ? [[refId, summarizeRef(own[0], histories.get(refId) ?? [], { since, releases, advised, uses: own })] as const]
        : [],
    ),
  );
  const inUse = [...Map.groupBy(uses, (use) => `${toName(use)} ${use.kind}`).values()].flatMap((own) =>
    toAction(own, refs, input.org),
  );
  const matching = inUse.flatMap((one) => filterRefs(one, input)).sort(comparisons[input.sort]);
  const ledgerState = summarizeLedger(uses, histories);
  const isAdvised = advised !== null && shown.every(({ kind, refId }) => kind === 'image' || advised.has(refId));
  const isKnownNow = read.length > 0 && isCurrent(ledgerState, now);
  const pages = Math.max(1, Math.ceil(matching.length / input.limit));
  const page = Math.min(input.page, pages);
  return {
    org: input.org,
    actions: matching.slice((page - 1) * input.limit, page * input.limit),
    page,
    pages,
    totals: totalInventory(inUse, [...refs.values()], { org: input.org, isKnownNow, isAdvised }),
    repositories: {
      visible: visible.length,
      read: read.length,
      unreadFiles: read.reduce((sum, { unreadFiles }) => sum + unreadFiles, 0),
    },
    ledger: ledgerState,
    unknown: listUnknown(read),
    partial,
    generatedAt: now,
    dataSource: 'database',
  };
}

/** Uses of which it is not known what they are, with how many repositories have them. */
function listUnknown(read: readonly LookedAt[]): Answer['unknown'] {
  const all = read.flatMap(({ unknownUses }) => [
    ...new Map(
      unknownUses.map(({ reason, text, through }) => [
        JSON.stringify([reason, text, through]),
        { reason, text, through },
      ]),
    ).values(),
  ]);
  const groups = [...Map.groupBy(all, ({ reason, text, through }) => JSON.stringify([reason, text, through])).values()];
  return groups
    .flatMap((own) => (own[0] ? [{ ...own[0], repositories: own.length }] : []))
    .sort((one, other) => other.repositories - one.repositories || (one.text < other.text ? -1 : 1))
    .slice(0, maxUnknown);
}

const maxUnknown = 1000;

/** What is known of a ref, whoever uses it. */
interface RefSummary extends Omit<UsedRef, 'repositories' | 'workflows' | 'transitiveOf'> {
  publishedBy: string;
  /** Whether a workflow file names it. */
  isDirect: boolean;
}

interface Known {
  since: Instant;
  releases: readonly ImmutableRelease[];
  /** By ref, as far as it is known; null where advisories were not read of late. */
  advised: ReadonlyMap<number, string[]> | null;
  /** Of this ref. */
  uses: readonly PresentUse[];
}

function summarizeRef(
  use: PresentUse,
  history: readonly LedgerRow[],
  { since, releases, advised, uses }: Known,
): RefSummary {
  const { ref, actionKey } = use;
  const newest = history.at(-1);
  const commit = isCommitId(ref) ? ref : (newest?.commit ?? null);
  const moves = listMoves(history);
  const recent = moves.filter(({ at }) => at >= since);
  const last = moves.at(-1);
  const isImmutable = releases.some(
    (one) => one.actionKey === actionKey && one.tag === shortRefName(ref) && one.commit === commit,
  );
  return {
    publishedBy: actionKey,
    isDirect: uses.some(({ through }) => through === ''),
    ref,
    commit,
    // Whether it is a branch or a tag only the repository itself says.
    pin: findPin(use.isHidden ? { ...use, isBranch: null } : use, isImmutable),
    state: use.isHidden ? 'unreadable' : (newest?.state ?? null),
    repository: newest?.repository ?? null,
    moves90d: recent.length,
    alarming90d: recent.filter(({ alarming }) => alarming).length,
    notCompared90d: recent.filter(({ alarming }) => alarming === null).length,
    knownSince: history.find(isReadable)?.observedFrom ?? null,
    lastMove: last ? toMove(last) : null,
    advisories: use.kind !== 'image' && !use.isHidden ? (advised?.get(use.refId) ?? null) : null,
  };
}

const toMove = ({ at, moveClass, from, to, alarming, alarm }: Move) => ({
  at,
  class: moveClass,
  from,
  to,
  alarming,
  alarm,
});

/** `owner/repo`, with the path of the action below it. */
const toName = ({ actionKey, path }: PresentUse) => (path === '' ? actionKey : `${actionKey}/${path}`);

function toAction(uses: readonly PresentUse[], refs: ReadonlyMap<number, RefSummary>, org: string): ActionInUse[] {
  const [first] = uses;
  if (!first) return [];
  const used = [...Map.groupBy(uses, ({ refId }) => refId)].flatMap(([refId, own]): UsedRef[] => {
    const { publishedBy: _, isDirect: _isDirect, ...summary } = refs.get(refId) as RefSummary;
    const transitiveOf = [...new Set(own.flatMap(({ through }) => (through === '' ? [] : through)))].sort();
    return [{ ...summary, repositories: countRepositories(own), workflows: countWorkflows(own), transitiveOf }];
  });
  return [
    {
      name: toName(first),
      kind: first.kind,
      publisher: findPublisher(first.actionKey, org),
      repositories: countRepositories(uses),
      workflows: countWorkflows(uses),
      refs: used.sort((one, other) => other.alarming90d - one.alarming90d || other.workflows - one.workflows),
    },
  ];
}

const countRepositories = (uses: readonly PresentUse[]) => new Set(uses.map(({ repositoryId }) => repositoryId)).size;
/** Those that name it. */
const countWorkflows = (uses: readonly PresentUse[]) =>
  uses.reduce((sum, { through, workflows }) => sum + (through === '' ? workflows : 0), 0);

/** The action with those of its refs that match; none without any. */
function filterRefs(one: ActionInUse, { kind, pin, owner, q }: InventoryInput): ActionInUse[] {
  if (owner !== undefined && !one.name.startsWith(`${owner.toLowerCase()}/`)) return [];
  if (kind !== undefined && one.kind !== kind) return [];
  if (q !== undefined && !one.name.toLowerCase().includes(q.toLowerCase())) return [];
  const refs = pin === undefined ? one.refs : one.refs.filter((ref) => ref.pin === pin);
  return refs.length === 0 ? [] : [{ ...one, refs }];
}

const compareAlarming = (one: ActionInUse, other: ActionInUse): number =>
  countAlarming(other.refs) - countAlarming(one.refs) ||
  countUnpinned(other) - countUnpinned(one) ||
  other.workflows - one.workflows ||
  compareNames(one, other);

const compareNames = (one: ActionInUse, other: ActionInUse): number => (one.name < other.name ? -1 : 1);

const comparisons: Record<InventoryInput['sort'], typeof compareAlarming> = {
  alarming: compareAlarming,
  name: compareNames,
  repositories: (one, other) => other.repositories - one.repositories || compareNames(one, other),
  workflows: (one, other) => other.workflows - one.workflows || compareNames(one, other),
};

const countAlarming = (refs: readonly Pick<UsedRef, 'alarming90d'>[]) =>
  refs.reduce((sum, { alarming90d }) => sum + alarming90d, 0);
const countUnpinned = ({ publisher, refs }: ActionInUse) =>
  publisher === 'third_party'
    ? refs.filter(({ pin, workflows }) => workflows > 0 && !fixedPins.includes(pin)).length
    : 0;

/** Of moves there are only figures where every ref was observed of late: none is not the same as none seen. */
function totalInventory(
  inUse: readonly ActionInUse[],
  refs: readonly RefSummary[],
  around: Totalled,
): Answer['totals'] {
  const uses = inUse.flatMap((one) => one.refs);
  const fixed = uses.filter(({ pin }) => fixedPins.includes(pin));
  const isUnpinned = ({ publishedBy, pin, isDirect }: RefSummary) =>
    isDirect && findPublisher(publishedBy, around.org) === 'third_party' && !fixedPins.includes(pin);
  const moves = refs.reduce((sum, { pin, moves90d }) => sum + (pin === 'branch' ? 0 : moves90d), 0);
  const total = sumWorkflows(uses);
  const advisories = new Set(refs.flatMap((ref) => ref.advisories ?? [])).size;
  return {
    actions: inUse.length,
    refs: refs.length,
    sharePinnedPct: total === 0 ? null : Math.round((1000 * sumWorkflows(fixed)) / total) / 10,
    uses: total,
    thirdPartyUnpinned: refs.filter(isUnpinned).length,
    moves90d: around.isKnownNow ? moves : null,
    alarming90d: around.isKnownNow ? countAlarming(refs) : null,
    notCompared90d: refs.reduce((sum, { notCompared90d }) => sum + notCompared90d, 0),
    advisories: around.isAdvised || advisories > 0 ? advisories : null,
  };
}

interface Totalled {
  org: string;
  isKnownNow: boolean;
  /** Whether it is known of every ref which advisories affect it. */
  isAdvised: boolean;
}

const sumWorkflows = (refs: readonly UsedRef[]) => refs.reduce((sum, { workflows }) => sum + workflows, 0);
