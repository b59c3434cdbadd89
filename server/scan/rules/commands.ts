import { checksPermission } from '../checkouts.ts';
import { eventsReaching } from '../conditions.ts';
import { expressionsIn } from '../expressions.ts';
import { readsFileOrService, variablesIn } from '../file-reads.ts';
import { memoize } from '../memoize.ts';
import { hitAt, listRunSteps, type RunStep } from '../places.ts';
import { takesChanges, withNeeded } from '../privileged.ts';
import { type Hit, type Rule, rule } from '../rule.ts';
import { isInComment, writesTo } from '../shell.ts';
import type { Word } from '../shell-commands.ts';
import { untrustedAt, untrustedVariable } from '../untrusted.ts';
import { type Setting, settingText, type Workflow } from '../workflow.ts';
import { eventsFilling } from './injection.ts';

const commandsPage = 'https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands';

const environmentWrite = rule({
  id: 'SEC-024',
  severity: 'high',
  confidence: 'high',
  title: 'Untrusted input written to the environment or PATH',
  description:
    'A value with a line break can set further variables, such as `NODE_OPTIONS` or `LD_PRELOAD`, and a directory ' +
    'in `PATH` can replace programs. Later steps then run code of the attacker.',
  fix: 'Pass the value as a step output, or check it against a strict pattern before writing it.',
  reference: commandsPage,
  *find(workflow): Iterable<Hit> {
    for (const one of listRunSteps(workflow)) {
      for (const command of one.run.commands) {
        if (!writesTo(command, ['GITHUB_ENV', 'GITHUB_PATH'])) continue;
        const printed = command.words.length === 1 ? command.words : command.words.slice(1);
        const path = outsidersIn(workflow, one, command.input ? [...printed, command.input] : printed);
        if (path) yield { ...hitAt(workflow, one, command.at), detail: `Writes “${path}”.` };
        else if (readsFileOrService(one.run, command) && isOpen(workflow, one))
          yield {
            ...hitAt(workflow, one, command.at),
            confidence: 'low',
            detail: 'Writes content of a file or a service, for an event that untrusted users trigger.',
          };
      }
    }
  },
});

/** Whether outsiders start the step with rights, and nothing checks who they are. */
const isOpen = (workflow: Workflow, { job, step }: RunStep) =>
  eventsReaching(workflow, job, step, 'outsider').some(takesChanges) &&
  !withNeeded(workflow, job).some(checksPermission);

/** The first that anyone can choose in arguments of a step, by an expression or by a variable; undefined without any. */
function outsidersIn(workflow: Workflow, { job, step }: RunStep, words: readonly Word[]): string | undefined {
  const isFilled = (path: string) => eventsFilling(path, workflow, job, step, 'fork').length > 0;
  for (const word of words) {
    const { expressions, variables } = readingsIn(word);
    const direct = expressions.flatMap((expression) => untrustedAt(workflow, job, step, expression));
    const named = variables.flatMap((name) => untrustedVariable(workflow, job, step, name));
    const found = [...direct, ...named].find(isFilled);
    if (found) return found;
  }
  return undefined;
}

/** What a word reads. */
const readingsIn = memoize(({ text }: Word) => ({
  expressions: expressionsIn(text),
  variables: [...new Set(variablesIn(text))],
}));

const unsecureCommands = rule({
  id: 'SEC-025',
  severity: 'high',
  confidence: 'high',
  title: 'Insecure workflow commands enabled',
  description:
    'With this variable, any text that a step prints, such as a title or the name of a test, can set environment ' +
    'variables and `PATH` of later steps.',
  fix: 'Remove the variable; write to `$GITHUB_ENV` and `$GITHUB_PATH` instead.',
  reference: commandsPage,
  *find(workflow): Iterable<Hit> {
    const places = [
      { env: workflow.env },
      ...workflow.jobs.flatMap((job) => [
        { env: job.env, job },
        { env: job.container?.env ?? [], job },
        ...job.steps.map((step) => ({ env: step.env, job, step })),
      ]),
    ];
    for (const { env, ...owner } of places) {
      const setting = switchIn(env);
      if (setting) yield { offset: setting.key.offset, ...owner };
    }
  },
});

const switchIn = (env: readonly Setting[]) =>
  /^(true|1|\$true)$/i.test(settingText(env, 'actions_allow_unsecure_commands')?.value.trim() ?? '') &&
  env.find(({ key }) => key.value.toUpperCase() === 'ACTIONS_ALLOW_UNSECURE_COMMANDS');

const oldCommand = /::(set-output|save-state|set-env|add-path)(\s+([^:\s][^:\n]*)?)?::/g;

const oldCommands = rule({
  id: 'SEC-026',
  severity: 'info',
  confidence: 'high',
  title: 'Deprecated workflow command',
  description:
    'The command is parsed from the log of the step, so untrusted text that is printed can use it too. GitHub has ' +
    'deprecated it, and already ignores `set-env` and `add-path`.',
  fix: 'Write to `$GITHUB_OUTPUT`, `$GITHUB_STATE`, `$GITHUB_ENV` or `$GITHUB_PATH`.',
  reference: commandsPage,
  *find(workflow): Iterable<Hit> {
    for (const one of listRunSteps(workflow))
      for (const { index } of one.scalar.value.matchAll(oldCommand))
        if (!isInComment(one.run, index)) yield hitAt(workflow, one, index);
  },
});

export const commandsRules: readonly Rule[] = [environmentWrite, unsecureCommands, oldCommands];
