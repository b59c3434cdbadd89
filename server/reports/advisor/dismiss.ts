import { type Context, changedBy, type Reply } from '../../access/context.ts';
import type { Dismissal } from '../../advisor/dismissal.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { invalidRequest, Problem } from '../../platform/problem.ts';
import { dismissalItem } from './dismissals.ts';
import { readAdvice } from './reading.ts';
import { seesSecurity } from './report.ts';
import type { DismissalChange } from './schema.ts';

type Change = Domain<typeof DismissalChange>;

interface DismissInput extends RepositoryName {
  id: string;
  reason: Dismissal['reason'];
  note?: string | undefined;
  until?: string | undefined;
}

/** Dismisses a recommendation that the caller sees, for everybody who sees the repository. */
export async function dismiss(input: DismissInput, context: Context, reply: Reply): Promise<Change> {
  const { store } = context;
  assertDay(input, context.services.clock.now());
  const { repository, recommendation } = await find(input, context, reply);
  if (!recommendation) throw notFound();
  const terms = { reason: input.reason, note: input.note || null, until: input.until ?? null };
  const { id, login } = await context.actor();
  const by = { ...(await changedBy(context)), actor: { id, login } };
  const dismissal = await store.advisorDismissals.dismiss(repository, recommendation, terms, by);
  return { ok: true, dismissal: { id: input.id, ...dismissalItem(dismissal) } };
}

/** Takes a dismissal back, also one of a recommendation that the workflow files have no longer. */
export async function restore(input: RepositoryName & { id: string }, context: Context, reply: Reply): Promise<Change> {
  const { store } = context;
  const { repository, recommendation } = await find(input, context, reply);
  const { id } = input;
  const wasDismissed = await store.advisorDismissals.restore(
    repository,
    recommendation ?? { id, title: null },
    await changedBy(context),
  );
  if (!recommendation && !wasDismissed) throw notFound();
  return { ok: true, dismissal: null };
}

/** null where the workflow files have no such recommendation; throws where the caller must not know of it. */
async function find({ id, ...name }: RepositoryName & { id: string }, context: Context, reply: Reply) {
  const { repository, recommendations } = await readAdvice(name, { seesSecurity: true }, context, reply);
  const found = recommendations.find((one) => one.id === id);
  if (!found) return { repository, recommendation: null };
  if (found.kind.certainty === 'risk' && !(await seesSecurity(context))) throw notFound();
  return { repository, recommendation: { id, title: `${found.kind.id} ${found.kind.title}` } };
}

const notFound = () => new Problem('not_found', 'The workflow files have no such recommendation, or no longer.');

const maxDays = 365;

/** From today on, in UTC. */
function assertDay({ reason, until }: DismissInput, now: number): void {
  const reject = (cause: 'missing' | 'invalid', message: string) => {
    throw invalidRequest([{ field: 'until', reason: cause, message }]);
  };
  if (until === undefined) {
    if (reason === 'later') reject('missing', 'until is missing: later needs a day.');
    return;
  }
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  if (until < day(now)) reject('invalid', 'until is in the past.');
  if (until > day(now + maxDays * dayMs)) reject('invalid', `until is more than ${maxDays} days ahead.`);
}
