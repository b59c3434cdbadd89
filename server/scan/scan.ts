import { type ActionUse, actionUsesIn } from './action-knowledge.ts';
import { type FileUses, usesIn } from './action-uses.ts';
import { reachOfJobs } from './job-reach.ts';
import { type Lines, splitLines } from './lines.ts';
import { createMasker, visible } from './masking.ts';
import { readWorkflow } from './read-workflow.ts';
import type { Hit, Rule, Severity, Surroundings } from './rule.ts';
import { getRule, rules } from './rules.ts';
import { fileScore, type Scored, severities } from './score.ts';
import { type Suppression, type SuppressionOf, suppressionsIn } from './suppressions.ts';
import type { Workflow } from './workflow.ts';

/** One rule at one line of a file; `getRule` describes the rule. Texts are truncated at 500 characters. */
export interface Finding extends Scored {
  /** As the rule gave it; `severity` is info where a comment suppresses the finding. */
  foundAs: Severity;
  confidence: Rule['confidence'];
  /** null when it is about the complete file. */
  line: number | null;
  /** The line, trimmed, at most 200 characters, without secrets; null where these could not be distinguished. */
  context: string | null;
  detail: string | null;
  job: string | null;
  step: string | null;
  /** The suppression comment on the line for the rule, also when it has no effect. */
  suppression: Suppression | null;
}

/** What a file is and does. */
export interface Traits {
  pinnedActions: boolean;
  hasTimeout: boolean;
  hasPermissions: boolean;
  echoesSecrets: boolean;
  secretsAsArguments: boolean;
  unquotedDispatchInputs: boolean;
  usesPullRequestTarget: boolean;
}

/** Everything found in a workflow file: plain data, which threads can hand over. */
export interface FileScan {
  path: string;
  /** Why the file could not be read; null when it was. */
  parseError: string | null;
  /** By line, at most a thousand. */
  findings: Finding[];
  /** true when there are more of them, of `unpinnedActions` or of `actionUses`. */
  isTruncated: boolean;
  /** null when the file could not be read. */
  score: number | null;
  traits: Traits | null;
  /** What is used without the id of a commit, as written, at most a thousand. */
  unpinnedActions: string[];
  /** Actions and called workflows of other repositories, each ref once, at most a thousand. */
  actionUses: ActionUse[];
  /** The same with paths, container images and what is not known: all of it. */
  uses: FileUses;
}

/** Runs every rule over a workflow file. Pure, never throws, never repeats a secret. `now` ends suppressions. */
export function scanFile(path: string, text: string, around: Surroundings, now: number): FileScan {
  if (text.length > maxCharacters) return unreadFile(path, 'it is larger than 512,000 characters');
  const workflow = readWorkflow(path, text);
  const lines = splitLines(text);
  const found = rules.flatMap((rule) => [...rule.find(workflow, around)].map((hit) => ({ rule, hit })));
  const masked = createMasker(
    workflow,
    found.flatMap(({ hit }) => hit.secrets ?? []),
  );
  const shown = shownBy(masked);
  const reading = { workflow, lines, shown, findSuppression: suppressionsIn(workflow, lines, now) };
  const places = onePerLine(found, lines);
  const findings = places.slice(0, maxFindings).map((one) => toFinding(reading, one));
  const unpinned = found.filter(({ rule }) => rule.id === 'SEC-006' || rule.id === 'SEC-014');
  const unpinnedActions = [...new Set(unpinned.flatMap(({ hit }) => usedBy(hit)))];
  const actionUses = actionUsesIn(workflow);
  return {
    path,
    parseError: formatParseError(workflow, reading),
    findings: findings.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    isTruncated: Math.max(places.length, unpinnedActions.length, actionUses.length) > maxFindings,
    score: workflow.root === null ? null : fileScore(findings),
    traits: workflow.root === null ? null : findTraits(workflow, new Set(found.map(({ rule }) => rule.id))),
    unpinnedActions: unpinnedActions.slice(0, maxFindings).map(shown).sort(),
    actionUses: actionUses.slice(0, maxFindings),
    uses: { ...usesIn(workflow), jobs: reachOfJobs(workflow) },
  };
}

/** A file that was not given as text, with the reason. */
export function unreadFile(path: string, reason: string): FileScan {
  const rule = getRule('SEC-042');
  const finding: Finding = {
    ruleId: rule.id,
    severity: rule.severity,
    foundAs: rule.severity,
    confidence: rule.confidence,
    line: null,
    context: null,
    detail: `It could not be read: ${reason}.`,
    job: null,
    step: null,
    suppression: null,
  };
  const nothing = {
    isTruncated: false,
    score: null,
    traits: null,
    unpinnedActions: [],
    actionUses: [],
    uses: { refs: [], unknown: [], localWorkflows: [] },
  };
  return { path, parseError: reason, findings: [finding], ...nothing };
}

const maxFindings = 1000;
/** More than the longest files that people or programs write; it bounds what one file can cost. */
const maxCharacters = 512_000;

interface Found {
  rule: Rule;
  hit: Hit;
}

interface Reading {
  workflow: Workflow;
  lines: Lines;
  /** As it may be shown. */
  shown(text: string): string;
  findSuppression: SuppressionOf;
}

/** The worst hit of each rule on each line, worst first. */
function onePerLine(found: readonly Found[], lines: Lines): Found[] {
  const places = Map.groupBy(found, ({ rule, hit }) => `${rule.id} ${lines.of(hit.offset)}`);
  const worseFirst = (one: Found, other: Found) => getRank(one) - getRank(other);
  return [...places.values()].flatMap((all) => all.toSorted(worseFirst).slice(0, 1)).sort(worseFirst);
}

const getSeverity = ({ rule, hit }: Found) => hit.severity ?? rule.severity;
const getRank = (found: Found) => severities.indexOf(getSeverity(found));

function toFinding(reading: Reading, found: Found): Finding {
  const { rule, hit } = found;
  const line = reading.lines.of(hit.offset);
  const suppression = reading.findSuppression(line, rule.id);
  const foundAs = getSeverity(found);
  return {
    ruleId: rule.id,
    foundAs,
    severity: suppression?.state === 'active' ? 'info' : foundAs,
    confidence: hit.confidence ?? rule.confidence,
    line,
    context: getContext(reading, line),
    detail: hit.detail === undefined ? null : reading.shown(hit.detail),
    job: hit.job === undefined ? null : reading.shown(hit.job.id),
    step: hit.step === undefined ? null : reading.shown(hit.step.title),
    suppression: suppression && { ...suppression, reason: suppression.reason && reading.shown(suppression.reason) },
  };
}

/** Without the file's structure nobody knows which words of a line are secret. */
function getContext({ workflow, lines, shown }: Reading, line: number): string | null {
  return workflow.root === null ? null : shown(lines.text(line).trim()).slice(0, 200);
}

/** Texts without secrets, on one line, cut; many findings stand on the same lines and in the same steps. */
function shownBy(masked: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const shown = known.get(text) ?? visible(masked(text)).slice(0, maxShown);
    known.set(text, shown);
    return shown;
  };
}

const maxShown = 500;

function formatParseError({ root, problems }: Workflow, { lines, shown }: Reading): string | null {
  if (root !== null) return null;
  const [problem] = problems;
  return problem ? `Line ${lines.of(problem.offset)}: ${shown(problem.message)}` : 'The file is empty';
}

const usedBy = ({ step, job }: Hit) => (step?.uses ?? job?.uses)?.value ?? [];

function findTraits({ jobs }: Workflow, fired: ReadonlySet<string>): Traits {
  return {
    pinnedActions: !fired.has('SEC-006') && !fired.has('SEC-014'),
    hasTimeout: jobs.every((job) => job.uses !== null || job.timeout !== null),
    hasPermissions: !fired.has('SEC-008'),
    echoesSecrets: fired.has('SEC-002'),
    secretsAsArguments: fired.has('SEC-003'),
    unquotedDispatchInputs: fired.has('SEC-005'),
    usesPullRequestTarget: fired.has('SEC-001'),
  };
}
