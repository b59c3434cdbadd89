import { getAction } from '../actions.ts';
import { eventsReaching } from '../conditions.ts';
import type { Doer } from '../evaluation.ts';
import type { Expression } from '../expressions.ts';
import { memoize } from '../memoize.ts';
import { hitAt, listRunExpressions } from '../places.ts';
import { hasWriteToken, isPrivileged } from '../privileged.ts';
import { type Confidence, type Hit, listSteps, type Rule, rule, type Severity } from '../rule.ts';
import { eventsPuttingOut, eventsWith, isMultiline, semiTrustedAt, untrustedAt, untrustedIn } from '../untrusted.ts';
import { findExpressions, type Job, type Step, settingsIn, textIn, type Workflow } from '../workflow.ts';

const injections = 'https://docs.github.com/en/actions/concepts/security/script-injections';
const throughEnv = 'Set the value as `env` of the step and use the quoted variable: `"$TITLE"`.';

/** The events of outsiders that fill a path where a step can be reached by them. */
export function eventsFilling(path: string, workflow: Workflow, job: Job, step: Step, doer: Doer = 'anyone'): string[] {
  const reaching = eventsReaching(workflow, job, step, doer);
  if (reaching.length === 0) return [];
  const filling = [...eventsWith(path), ...eventsPuttingOut(job, path), 'workflow_call'];
  return reaching.filter((event) => filling.includes(event));
}

interface Danger {
  severity: Severity;
  confidence: Confidence;
  detail: string;
}

/** How bad it is that a step runs what anyone can choose; null when no event of the workflow fills it. */
function classifyDanger(paths: readonly string[], workflow: Workflow, job: Job, step: Step): Danger | null {
  const filled = (doer: Doer) => paths.flatMap((path) => eventsFilling(path, workflow, job, step, doer));
  const [all, fromForks, fromOutsiders] = [filled('anyone'), filled('fork'), filled('outsider')];
  const [event] = [...fromOutsiders, ...all];
  if (event === undefined) return null;
  const detail = `Untrusted input of the event ${event}.`;
  if (fromForks.length === 0 || fromOutsiders.length === 0) return { severity: 'high', confidence: 'low', detail };
  const isGrave = fromOutsiders.some(isPrivileged) || hasWriteToken(workflow, job) === true;
  const isIndirect = fromOutsiders.every((one) => one === 'push' || one === 'workflow_call');
  return { severity: isGrave ? 'critical' : 'high', confidence: isIndirect ? 'medium' : 'high', detail };
}

const untrustedScript = rule({
  id: 'SEC-012',
  severity: 'critical',
  confidence: 'high',
  title: 'Script injection from untrusted input',
  description:
    'The expression is replaced before the shell parses the line, so a title or a branch name with quotes, `$(…)` ' +
    'or `;` runs as a command, with the secrets and the token of the job.',
  fix: throughEnv,
  reference: injections,
  *find(workflow): Iterable<Hit> {
    for (const use of listRunExpressions(workflow)) {
      const { job, step, expression } = use;
      const found = untrustedAt(workflow, job, step, expression);
      const paths = use.isInComment ? found.filter(isMultiline) : found;
      const danger = paths.length > 0 && classifyDanger(paths, workflow, job, step);
      if (danger) yield { ...hitAt(workflow, use, expression.at), ...danger };
    }
  },
});

const semiTrustedScript = rule({
  id: 'SEC-005',
  severity: 'high',
  confidence: 'medium',
  title: 'Script injection from workflow inputs',
  description:
    'The expression is replaced before the shell parses the line. Whoever can trigger or call the workflow, or name ' +
    'a branch or tag, can run any command in it.',
  fix: throughEnv,
  reference: injections,
  *find(workflow): Iterable<Hit> {
    for (const use of listRunExpressions(workflow)) {
      const { job, step, expression } = use;
      const confidence = use.isInComment ? null : openSemiTrusted(workflow, job, step, expression);
      // What also outsiders can choose is another rule's, where an event of theirs fills it.
      if (!confidence || classifyDanger(untrustedAt(workflow, job, step, expression), workflow, job, step)) continue;
      // What a call hands over or a ref is called is chosen by people who may change the repository anyway.
      yield {
        ...hitAt(workflow, use, expression.at),
        confidence,
        ...(confidence === 'low' ? { severity: 'medium' } : {}),
      };
    }
    for (const { job, step } of listSteps(workflow)) {
      for (const expression of step.shell ? findExpressions(step.shell) : []) {
        const isOpen = untrustedIn(expression).length > 0 || openSemiTrusted(workflow, job, step, expression);
        if (step.shell && isOpen) yield hitAt(workflow, { scalar: step.shell, job, step }, expression.at);
      }
    }
  },
});

/** How surely somebody can choose a text that an expression passes on; null when nobody can. */
function openSemiTrusted(workflow: Workflow, job: Job, step: Step, expression: Expression): Confidence | null {
  const open = semiTrustedAt(workflow, job, step, expression).map((path) => {
    if (path === 'github.ref_name') return isRefOpen(workflow, job, step) ? 'low' : null;
    if (path.includes('client_payload')) return 'medium';
    return classifyOpenness(workflow, path.split('.').at(-1) ?? '');
  });
  return open.find((one) => one === 'medium') ?? open.find((one) => one === 'low') ?? null;
}

/** Inputs that are entered by a person are open; those of a call are as open as the caller makes them. */
function classifyOpenness(workflow: Workflow, name: string): Confidence | null {
  const known = opennesses(workflow).get(name);
  return known === undefined ? 'low' : known;
}

/** The same of each input that the file declares, by its name in lower case. */
const opennesses = memoize((workflow: Workflow) => {
  const named = [...inputsByName(workflow)];
  return new Map(named.map(([name, inputs]) => [name, opennessAmong(inputs)]));
});

function opennessAmong(inputs: readonly { event: string; type: string }[]): Confidence | null {
  const open = inputs.filter(({ type }) => !/^(boolean|number|choice|environment)$/.test(type));
  if (open.length === 0) return null;
  return open.some(({ event }) => event === 'workflow_dispatch') ? 'medium' : 'low';
}

/** The inputs, by their names in lower case. */
const inputsByName = memoize(({ triggers }: Workflow) => {
  const inputs = triggers.flatMap(({ event, filter }) =>
    settingsIn(filter, 'inputs').map(({ key, value }) => {
      return { name: key.value.toLowerCase(), event, type: textIn(value, 'type')?.value ?? 'string' };
    }),
  );
  return Map.groupBy(inputs, ({ name }) => name);
});

/** Whether the ref can have a name that somebody chooses: of a tag, or of a branch that is not named in the file. */
function isRefOpen(workflow: Workflow, job: Job, step: Step): boolean {
  const reaching = eventsReaching(workflow, job, step);
  return openRefs(workflow).some((event) => reaching.includes(event));
}

/** The events of a workflow whose ref can have such a name. */
const openRefs = memoize(({ triggers }: Workflow) => {
  const open = triggers.filter(({ event, filter }) => {
    if (event !== 'push') return /^(workflow_dispatch|workflow_call|release|create)$/.test(event);
    const branches = filter?.entries.find(({ key }) => key.value === 'branches')?.value;
    const named = branches?.kind === 'list' ? branches.items : branches ? [branches] : [];
    const isFixed = named.length > 0 && named.every((one) => one.kind === 'scalar' && !/[*?![\]+]/.test(one.value));
    const hasTags = filter?.entries.some(({ key }) => key.value === 'tags') ?? false;
    return hasTags || !isFixed;
  });
  return open.map(({ event }) => event);
});

const evaluated = /^(script|args|cmd|command|run|entrypoint)$/;

const untrustedInput = rule({
  id: 'SEC-013',
  severity: 'high',
  confidence: 'high',
  title: 'Code injection into an action input',
  description:
    'The action runs this input as code. The expression is replaced first, so a title or a comment can add code ' +
    'that runs with the secrets and the token of the job.',
  fix: 'Set the value as `env` of the step and read it there: `process.env.TITLE`.',
  reference: injections,
  *find(workflow): Iterable<Hit> {
    for (const { job, step } of listSteps(workflow)) {
      const isScript = getAction(step) === 'actions/github-script';
      for (const { key, text: scalar } of step.uses ? step.with : []) {
        const name = key.value.toLowerCase();
        if (!scalar || !evaluated.test(name) || (isScript && name !== 'script')) continue;
        for (const expression of findExpressions(scalar)) {
          const paths = untrustedAt(workflow, job, step, expression);
          const danger = paths.length > 0 && classifyDanger(paths, workflow, job, step);
          if (!danger) continue;
          const confidence = name === 'args' ? 'low' : isScript ? danger.confidence : 'medium';
          yield { ...hitAt(workflow, { scalar, job, step }, expression.at), confidence, detail: danger.detail };
        }
      }
    }
  },
});

export const injectionRules: readonly Rule[] = [semiTrustedScript, untrustedScript, untrustedInput];
