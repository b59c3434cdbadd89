import type { Context } from '../../../server/access/context.ts';
import { getAnomalyExplanation, getInsights, getRootCause } from '../../../server/ai/operations.ts';
import { type PanelsOf, panel } from '../../../server/http/adapters.ts';
import { isOffered, offeredFeatures } from '../../../server/http/page-access.ts';

type Answers = PanelsOf<{
  insights: typeof getInsights;
  anomaly: typeof getAnomalyExplanation;
  rootCause: typeof getRootCause;
}>;

export type Insights = Answers['insights'];

/** A text that was requested about a workflow. */
export type Explanation =
  | { about: 'duration' | 'queue_wait'; answer: Answers['anomaly'] }
  | { about: 'root_cause'; answer: Answers['rootCause'] };

/** What a workflow's page can have explained, and what of it this caller may ask about. */
export interface ExplanationOffer extends AiOffer<Explanation> {
  about: Explanation['about'][];
}

/** What a page can have written. Nothing is until somebody asks for it: `text` is null then. */
export interface AiOffer<Text> {
  text: Text | null;
}

interface PageRequest {
  context: Context;
  params: Record<string, string | undefined>;
}

/** A summary of the repository or organization of a page; null for whoever cannot have one. */
export async function insightsOffer(pageRequest: PageRequest): Promise<AiOffer<Insights> | null> {
  if (!(await canBeWritten(pageRequest.context))) return null;
  if (getChoice(pageRequest) !== 'insights') return { text: null };
  // The page says what it is about, whatever else its address names.
  const { org, owner, repo } = pageRequest.params;
  return {
    text: await panel(getInsights, { ...pageRequest, ...withExtraTime(pageRequest), extra: { org, owner, repo } }),
  };
}

/** Explanations of a workflow's unusual and failed runs; null for whoever cannot have any. */
export async function explanationOffer(pageRequest: PageRequest): Promise<ExplanationOffer | null> {
  const { context } = pageRequest;
  if (!(await canBeWritten(context))) return null;
  const features = offeredFeatures(context, await context.actor());
  const offered = explained.filter((one) => one === 'root_cause' || features.includes('anomalyDetection'));
  const about = offered.find((one) => one === getChoice(pageRequest));
  const extra = { workflow_id: pageRequest.params.workflowId };
  const patient = { ...pageRequest, ...withExtraTime(pageRequest) };
  if (about === undefined) return { about: offered, text: null };
  if (about === 'root_cause')
    return { about: offered, text: { about, answer: await panel(getRootCause, { ...patient, extra }) } };
  const answer = await panel(getAnomalyExplanation, { ...patient, extra: { ...extra, metric: about } });
  return { about: offered, text: { about, answer } };
}

const explained = ['duration', 'queue_wait', 'root_cause'] as const;

const getChoice = ({ context }: PageRequest) => context.url.searchParams.get('ai');

/** Waited for longer than figures: a provider may take the whole time that it is given. */
const withExtraTime = ({ context }: PageRequest) => ({
  extraTimeMs: context.services.env.AI_TOTAL_BUDGET_MS,
  isOptional: true,
});

/** Whether texts are written here for this caller. No provider is pageRequest. */
async function canBeWritten(context: Context): Promise<boolean> {
  if (context.isDemo || !(await isOffered(getInsights, context))) return false;
  return (await context.services.ai.status()).enabled;
}
