import { type Expression, expressionsIn, parseCondition } from './expressions.ts';
import { memoize } from './memoize.ts';
import { findOffset } from './offsets.ts';
import { isNothing, type YamlMap, type YamlNode, type YamlScalar } from './yaml.ts';
import type { YamlProblem } from './yaml-events.ts';

/** A workflow file as rules see it. Whatever is not written, or written as something else, is empty or null. */
export interface Workflow {
  path: string;
  text: string;
  /** null when the file does not parse, or is no map. */
  root: YamlMap | null;
  problems: YamlProblem[];
  name: string | null;
  /** In any of the three ways to write them, each event once. */
  triggers: Trigger[];
  permissions: Permissions | null;
  env: Setting[];
  concurrency: YamlNode | null;
  jobs: Job[];
}

/** An event that starts the workflow. */
export interface Trigger {
  /** Lower case. */
  event: string;
  offset: number;
  /** What is written below the event. */
  filter: YamlMap | null;
}

/** `permissions`, of a workflow or a job. */
export interface Permissions {
  offset: number;
  /** `read-all` or `write-all` when written as a word. */
  all: string | null;
  scopes: Setting[];
}

/** A key with its value: of `env`, `with`, `secrets`, `outputs` and the like. */
export interface Setting {
  key: YamlScalar;
  value: YamlNode;
  /** The value when it is a text, else null. */
  text: YamlScalar | null;
}

export interface Job {
  id: string;
  offset: number;
  node: YamlMap;
  name: string | null;
  condition: YamlScalar | null;
  /** Labels; a group's name is not among them. */
  runsOn: YamlScalar[];
  permissions: Permissions | null;
  env: Setting[];
  outputs: Setting[];
  environment: YamlNode | null;
  concurrency: YamlNode | null;
  container: Image | null;
  services: Image[];
  timeout: YamlNode | null;
  strategy: YamlMap | null;
  steps: Step[];
  /** A reusable workflow that is called instead of steps. */
  uses: YamlScalar | null;
  with: Setting[];
  /** `inherit`, or what is handed over. */
  secrets: { all: YamlScalar | null; given: Setting[] };
}

/** A container of a job or a service. */
export interface Image {
  image: YamlScalar | null;
  settings: Setting[];
  credentials: Setting[];
  env: Setting[];
}

export interface Step {
  /** From 1. */
  number: number;
  offset: number;
  node: YamlMap;
  /** Its name, else what it uses, else the first line it runs. */
  title: string;
  id: string | null;
  condition: YamlScalar | null;
  uses: YamlScalar | null;
  run: YamlScalar | null;
  shell: YamlScalar | null;
  with: Setting[];
  env: Setting[];
}

/** The value of a key; null when it is not there or empty. */
export function valueIn(node: YamlNode | null, key: string): YamlNode | null {
  if (node?.kind !== 'map') return null;
  const value = node.entries.find((one) => one.key.value === key)?.value;
  return value === undefined || isNothing(value) ? null : value;
}

export function textIn(node: YamlNode | null, key: string): YamlScalar | null {
  const value = valueIn(node, key);
  return value?.kind === 'scalar' ? value : null;
}

/** The keys and values of a map below a key. */
export const settingsIn = (node: YamlNode | null, key: string): Setting[] => readSettings(valueIn(node, key));

/** The text of a setting, whatever the case of its key. */
export function settingText(settings: readonly Setting[], key: string): YamlScalar | null {
  if (settings.length > 30) return settingsByKey(settings).get(key)?.text ?? null;
  return settings.find((one) => one.key.value.toLowerCase() === key)?.text ?? null;
}

const settingsByKey = memoize(
  (settings: readonly Setting[]) => new Map(settings.toReversed().map((one) => [one.key.value.toLowerCase(), one])),
);

/** What a variable of a step's environment is set to, by what is nearest to the step; null for nothing. */
export function findVariable(workflow: Workflow, job: Job, step: Step, name: string): YamlScalar | null {
  const key = name.toLowerCase();
  return settingText(step.env, key) ?? settingText(job.env, key) ?? settingText(workflow.env, key);
}

/** The expressions of a text. */
export const findExpressions = (scalar: YamlScalar): Expression[] =>
  scalar.value.includes('${{') ? expressionsAt(scalar) : [];

const expressionsAt = memoize((scalar: YamlScalar) => expressionsIn(scalar.value));

/** The expressions of an `if`. */
export const findConditions = (scalar: YamlScalar | null): Expression[] => (scalar ? conditionsIn(scalar) : []);

const conditionsIn = memoize((scalar: YamlScalar) => parseCondition(scalar.value));

/** Whether an `if` holds whatever it says: with a text or a line break beside its expression it is one long text. */
export function isTextAround(condition: YamlScalar): boolean {
  const [first, ...others] = findExpressions(condition);
  return first !== undefined && (others.length > 0 || first.at > 0 || !condition.value.endsWith('}}'));
}

/** Where a place of a text's value is in the file; see `findOffset`. */
export const placeIn = (file: { text: string }, scalar: YamlScalar, at: number): number =>
  findOffset(file.text, scalar, at);

/** The keys and values of a map; none of anything else. */
export function readSettings(node: YamlNode | null): Setting[] {
  if (node?.kind !== 'map') return [];
  return node.entries.map(({ key, value }) => ({ key, value, text: value.kind === 'scalar' ? value : null }));
}
