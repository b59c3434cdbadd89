import type { ActionKnowledge } from './action-knowledge.ts';
import type { Job, Step, Workflow } from './workflow.ts';

export type Severity = 'critical' | 'high' | 'medium' | 'info';
export type Confidence = 'high' | 'medium' | 'low';

/** What is known of the repository beside the file. */
export interface Surroundings {
  visibility: 'public' | 'private' | 'internal';
  /** Labels that the organization gave to its larger runners. */
  largerRunnerLabels: readonly string[];
  /** What the platform reports of the actions that are used; null when it was not requested. */
  actions: ActionKnowledge | null;
}

/** Something that a rule found in a workflow. */
export interface Hit {
  /** Where in the file. */
  offset: number;
  job?: Job;
  step?: Step;
  /** Where it differs from the rule's own. */
  severity?: Severity;
  confidence?: Confidence;
  /** What exactly was found, one sentence, when the rule's own is not specific enough. Never a secret's value. */
  detail?: string;
  /** Texts that must not be shown again. */
  secrets?: readonly string[];
}

/** One thing that can be wrong with a workflow file. Rules are pure and look at one file at a time. */
export interface Rule {
  id: `SEC-${string}`;
  severity: Severity;
  confidence: Confidence;
  /** A short text, the same for every finding. */
  title: string;
  /** What can happen, in a sentence or two. */
  description: string;
  /** What to write instead. */
  fix: string;
  /** A page of the platform's documentation, or another public standard. */
  reference: string;
  find(workflow: Workflow, around: Surroundings): Iterable<Hit>;
}

export const rule = (spec: Rule): Rule => Object.freeze(spec);

/** Every step with its job. */
export function* listSteps(workflow: Workflow): Generator<{ job: Job; step: Step }> {
  for (const job of workflow.jobs) for (const step of job.steps) yield { job, step };
}
