import type { LargerRunnerLabels } from '../metrics/cost/runner-prices.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Surroundings } from '../scan/rule.ts';
import type { Step, Workflow } from '../scan/workflow.ts';
import type { RecordedAttempt } from './history.ts';
import type { Change, YamlPath } from './patch/change.ts';
import type { PredictionReason, ReasonCode } from './reasons.ts';
import type { Demand } from './replay/demand.ts';
import type { WorldChange } from './replay/world-change.ts';

/** The surest first. `risk`: a security kind, which saves nothing; contract of the advisor, section 2.1. */
export const certainties = ['recorded', 'modelled', 'compared', 'unknown', 'risk'] as const;

export type Certainty = (typeof certainties)[number];

/**
 * What a change makes less of; one that lets runs end earlier may take more minutes, one that costs less may
 * also let them end later.
 */
export type Saves = 'minutes' | 'wall time' | 'cost';

/** A change of the repository, by whether it concerns documentation alone. */
export interface DocumentationChange {
  shas: readonly string[];
  mergeSha: string | null;
  changedFiles: number;
  /** The patterns of documentation that its files match; null where it changes something else, or too many files. */
  patterns: readonly string[] | null;
}

/** A workflow file with what is known around it. */
export interface AdvisedFile {
  workflow: Workflow;
  /** null where the platform does not list the workflow. */
  workflowId: number | null;
  /** Of the repository. */
  defaultBranch: string;
  /** The other workflow files of the repository. */
  others: readonly Workflow[];
  /** Whether there are workflow files that could not be read. */
  hasUnreadFiles: boolean;
  /** Names of the files at the root of the repository; null where they cannot be read. */
  rootFiles: readonly string[] | null;
  /** What the caches of the repository take; null where that is not known. */
  cacheBytes: number | null;
  /** Names of the checks that pull requests to the default branch need; null where that is not known. */
  requiredChecks: readonly string[] | null;
  /** Pull requests by the files that they change; null where they were not read. */
  documentation: readonly DocumentationChange[] | null;
  /** What rules of the scan look at beside the file. */
  around: Surroundings;
  /** Its attempts in the usable window, oldest first; null without such a window. */
  attempts: readonly RecordedAttempt[] | null;
  /** Attempts of all workflows of the repository in that window; null without it. */
  ofRepository: readonly RecordedAttempt[] | null;
  /** Of all that is stored of the repository, whatever the window. */
  longestPassing: readonly LongestPassing[];
  /** What the labels of larger runners are billed as. */
  largerRunners: LargerRunnerLabels;
  /** When something was deployed from the repository, in the same window; null where that cannot be read. */
  deployedAt: readonly Instant[] | null;
  /** How long jobs of the repository go on once they are cancelled, in ms. */
  cancellationMs: number;
  now: Instant;
}

/** The longest passing job of a workflow that ran under this name. */
export interface LongestPassing {
  workflowId: number;
  name: string;
  minutes: number;
}

/** What a change would have done to the recorded attempts of its workflow. */
export interface Counterfactual {
  change: WorldChange;
  /** The same at both ends of what is not known of it; left out where all is. */
  bounds?: readonly WorldChange[];
  demand: Demand;
  /** Why the effect is not predicted all the same; null or left out where it is. */
  withheld?: PredictionReason | null;
  /** The first day that a band may rest on, where earlier ones tell something else. */
  from?: Instant;
  /** Whether jobs wait for runners, so that nothing is said of when runs end. */
  isContended?: boolean;
  /** Whether how long jobs wait for runners may decide which of them run, and for how long. */
  restsOnWaits?: boolean;
}

/** What a change of unknown effect saves at most. */
export interface Ceiling {
  /** Such as `checkout step, median`. */
  measure: string;
  /** A job. */
  value: number;
  unit: 's';
}

export interface Fact {
  label: string;
  value: string;
  unit: string | null;
}

/** A run that a finding rests on. */
export interface EvidenceRun {
  attempt: RecordedAttempt;
  /** What it shows, in a few words. */
  why: string;
}

/** What a kind found at a place of a file. */
export interface Finding {
  /** The node concerned; it stays the same while the file changes elsewhere. */
  anchor: YamlPath;
  /** Where that is in the file. */
  offset: number;
  /** One sentence, with the numbers where history is known. */
  text: string;
  /** Runs or jobs that were looked at; 0 without history. */
  sample: number;
  facts: Fact[];
  evidence: EvidenceRun[];
  risks: { text: string; count: number; of: number }[];
  /** Why it is not offered; empty where it is. */
  reasons: ReasonCode[];
  /** What to change in the file; empty where that is not known. */
  changes: Change[];
  /** null where history does not show what the change does. */
  counterfactual: Counterfactual | null;
  /** Recorded runs that would be missing, without another one of the same commit; none where it is left out. */
  lostRuns?: number;
  /** Where its effect is not known. */
  ceiling?: Ceiling | null;
}

/** One way to improve a workflow file. Pure: the same file and history give the same findings. */
export interface Kind {
  id: `ADV-${string}`;
  title: string;
  certainty: Certainty;
  /** Rules of the scan that find the same: a comment that suppresses one of them suppresses it, too. */
  rules?: readonly string[];
  /** What it makes less of; minutes where it is left out. */
  saves?: Saves;
  /** Whether it also caps what may go wrong, so that it is offered however little it saves. */
  limitsRisk?: boolean;
  /** Whether it may hide failures, so that no plan counts it. */
  addsRisk?: boolean;
  /** How what it counts is defined. */
  definition: string;
  /** Steps whose recorded times it looks at. */
  watches?(workflow: Workflow, around: Pick<AdvisedFile, 'rootFiles'>): Iterable<Step>;
  find(file: AdvisedFile): Iterable<Finding>;
}

export const kind = (spec: Kind): Kind => Object.freeze(spec);

/** Whether a kind, by its id, finds its next step at the same place once a change is made. */
export const findsNextStep = (kindId: string): boolean => kindId === 'ADV-03' || kindId === 'ADV-07';

/** What a finding tells of a file of whose history nothing is known. */
export const withoutHistory = (text: string): Pick<Finding, 'text' | 'sample' | 'facts' | 'evidence' | 'risks'> => ({
  text,
  sample: 0,
  facts: [],
  evidence: [],
  risks: [],
});
