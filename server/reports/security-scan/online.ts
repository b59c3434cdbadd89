import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { hasSpareQuota } from '../../codehost/client/rate-limit.ts';
import type { AnswerCache } from '../../facts/answers.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, hourMs } from '../../metrics/kernel/window.ts';
import { createBackgroundLimits, withLimits } from '../../platform/work-limits.ts';
import {
  type ActionKnowledge,
  type ActionUse,
  actionUseKey,
  isFullyKnown,
  type KnownAction,
} from '../../scan/action-knowledge.ts';
import { instant } from '../kernel/instants.ts';

const states = ['off', 'reading', 'complete', 'partial'] as const;

export const OnlineRules = z.object({
  state: z.enum(states).meta({
    description:
      'Whether the rules that check actions on GitHub were applied. off: not enabled; reading: in progress, request again in a few seconds; partial: some actions could not be checked, so these rules do not apply to them.',
  }),
  actions_checked: z.int().meta({ description: 'Actions checked on GitHub, each ref once.' }),
  actions_unknown: z.int().meta({ description: 'Those that are not public, or of which nothing was read.' }),
  as_of: instant.nullable().meta({ description: 'When the oldest check was made; null for none.' }),
});

/** What is known of the actions of a repository. */
export interface OnlineKnowledge {
  /** null when nothing is. */
  actions: ActionKnowledge | null;
  status: Domain<typeof OnlineRules>;
}

/**
 * What the platform answered about actions within a day; what is not known yet is read behind the answer, once for
 * everybody, with the caller's own token. Only what everybody may know, of public repositories, is cached.
 */
export function onlineKnowledge(
  all: readonly ActionUse[],
  context: Pick<Context, 'codehost' | 'services' | 'isDemo'>,
): OnlineKnowledge {
  const { env, answers, clock, stopping } = context.services;
  if (!env.SCAN_ONLINE_RULES || context.isDemo) return { actions: null, status: nothing('off') };
  const uses = [...new Map(all.map((use) => [actionUseKey(use), use])).values()];
  const memory = getMemory(answers);
  const now = clock.now();
  const due = uses.filter((use) => isDue(memory, use, now));
  const pending = due.filter((use) => !isBeingRead(memory, use));
  if (pending.length > 0 && !stopping.aborted)
    void withLimits(createBackgroundLimits(), () => readInBackground(memory, pending, context));
  const stored = uses.flatMap((use) => findStored(memory, use, now) ?? []);
  const known = stored.flatMap(({ use, known: one }): [ActionUse, KnownAction][] => (one ? [[use, one]] : []));
  const isComplete = stored.length === uses.length && known.every(([use, one]) => isFullyKnown(use, one));
  const isReading = due.some((use) => isBeingRead(memory, use));
  const actions = known.map(([use, one]): [string, KnownAction] => [actionUseKey(use), one]);
  return {
    actions: actions.length === 0 ? null : new Map(actions),
    status: {
      state: isReading ? 'reading' : isComplete ? 'complete' : 'partial',
      actionsChecked: known.length,
      actionsUnknown: uses.length - known.length,
      asOf: stored.length === 0 ? null : Math.min(...stored.map(({ at }) => at)),
    },
  };
}

const nothing = (state: (typeof states)[number]): OnlineKnowledge['status'] => ({
  state,
  actionsChecked: 0,
  actionsUnknown: 0,
  asOf: null,
});

interface Memory {
  /** By `actionUseKey`; null for an action that is not public or not there. */
  stored: LRUCache<string, { known: KnownAction | null; at: Instant }>;
  /** When a reading last ended without an answer. */
  failed: LRUCache<string, Instant>;
  /** What is being read. */
  flight: Set<string>;
}

const memories = new WeakMap<AnswerCache, Memory>();

function getMemory(answers: AnswerCache): Memory {
  const before = memories.get(answers);
  if (before) return before;
  const memory: Memory = {
    stored: new LRUCache({ maxSize: 16_000_000 }),
    failed: new LRUCache({ max: 5000 }),
    flight: new Set(),
  };
  memories.set(answers, memory);
  return memory;
}

/** What was left open, or is not public, may be otherwise soon; after a failure it is not requested at every look. */
const openFreshMs = hourMs;
const failedFreshMs = 60_000;

function isDue({ stored, failed }: Memory, use: ActionUse, now: Instant): boolean {
  const key = actionUseKey(use);
  const entry = stored.get(key);
  const isComplete = entry?.known ? isFullyKnown(use, entry.known) : false;
  if (entry && now - entry.at < (isComplete ? dayMs : openFreshMs)) return false;
  return now - (failed.get(key) ?? Number.NEGATIVE_INFINITY) >= failedFreshMs;
}

const isBeingRead = ({ flight }: Memory, use: ActionUse) => flight.has(actionUseKey(use));

/** What is known of a use, older than it should be while it is read again. */
function findStored({ stored }: Memory, use: ActionUse, now: Instant) {
  const entry = stored.get(actionUseKey(use));
  return entry && now - entry.at < dayMs ? { use, ...entry } : null;
}

/** Requests of one reading; what is left over is read a minute later, when somebody looks again. */
const maxRequests = 20;

async function readInBackground(
  memory: Memory,
  uses: readonly ActionUse[],
  context: Pick<Context, 'codehost' | 'services'>,
): Promise<void> {
  const { clock, log, stopping } = context.services;
  const open = new Set(uses.map(actionUseKey));
  for (const key of open) memory.flight.add(key);
  try {
    const codehost = await context.codehost();
    if (!(await hasSpareQuota(codehost))) return;
    for await (const [key, known] of codehost.actionReferences(uses, maxRequests)) {
      memory.stored.set(key, { known, at: clock.now() }, { size: 1000 + JSON.stringify(known).length });
      open.delete(key);
      if (stopping.aborted) return;
    }
  } catch (error) {
    log.warn({ err: error }, 'actions could not be checked on GitHub');
  } finally {
    for (const key of open) memory.failed.set(key, clock.now());
    for (const use of uses) memory.flight.delete(actionUseKey(use));
  }
}
