import type { Context } from '../../server/access/context.ts';
import { getAnomalyExplanation, getInsights, getRootCause } from '../../server/api/ai.ts';
import { type PanelsOf, panel } from '../../server/http/doors.ts';
import { isOffered } from '../../server/http/page-access.ts';

type Answers = PanelsOf<{
  insights: typeof getInsights;
  anomaly: typeof getAnomalyExplanation;
  rootCause: typeof getRootCause;
}>;

export type Insights = Answers['insights'];

/** A text that was asked for about a workflow. */
export type Explanation =
  | { about: 'duration' | 'queue_wait'; answer: Answers['anomaly'] }
  | { about: 'root_cause'; answer: Answers['rootCause'] };

/** What a page can have written. Nothing is until somebody asks for it: `asked` is null then. */
export interface AiOffer<Text> {
  asked: Text | null;
}

interface Asked {
  context: Context;
  params: Record<string, string | undefined>;
}

/** A summary of the repository or organization of a page; null for whoever cannot have one. */
export async function insightsOffer(asked: Asked): Promise<AiOffer<Insights> | null> {
  if (!(await canBeWritten(asked.context))) return null;
  if (choiceOf(asked) !== 'insights') return { asked: null };
  // The page says what it is about, whatever else its address names.
  const { org, owner, repo } = asked.params;
  return { asked: await panel(getInsights, { ...asked, ...patience(asked), extra: { org, owner, repo } }) };
}

/** Explanations of a workflow's unusual and failed runs; null for whoever cannot have any. */
export async function explanationOffer(asked: Asked): Promise<AiOffer<Explanation> | null> {
  if (!(await canBeWritten(asked.context))) return null;
  const about = choiceOf(asked);
  const extra = { workflow_id: asked.params.workflowId };
  const patient = { ...asked, ...patience(asked) };
  if (about === 'root_cause') return { asked: { about, answer: await panel(getRootCause, { ...patient, extra }) } };
  if (about !== 'duration' && about !== 'queue_wait') return { asked: null };
  const answer = await panel(getAnomalyExplanation, { ...patient, extra: { ...extra, metric: about } });
  return { asked: { about, answer } };
}

const choiceOf = ({ context }: Asked) => context.url.searchParams.get('ai');

/** Waited for longer than figures: a provider may take the whole time that it is given. */
const patience = ({ context }: Asked) => ({ patienceMs: context.services.env.AI_TOTAL_BUDGET_MS, isAside: true });

/** Whether texts are written here for this caller. No provider is asked. */
async function canBeWritten(context: Context): Promise<boolean> {
  if (context.isDemo || !(await isOffered(getInsights, context))) return false;
  return (await context.services.ai.status()).enabled;
}
