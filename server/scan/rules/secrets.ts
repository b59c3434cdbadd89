import { type Expression, expressionsIn } from '../expressions.ts';
import { isSetIn, variablesReplaced } from '../file-reads.ts';
import { findFlows } from '../flows.ts';
import { memoize } from '../memoize.ts';
import { hitAt, listRunExpressions, listRunSteps, type RunExpression, type RunStep } from '../places.ts';
import { type Hit, type Rule, rule } from '../rule.ts';
import { isCredential, secretsIn, secretsInVariable } from '../secrets.ts';
import {
  commandAt,
  endsInLog,
  isPrinter,
  isShownAsItIs,
  listArguments,
  type RunnerFile,
  wordIndexAt,
  writesTo,
} from '../shell.ts';
import { bare, type Command } from '../shell-commands.ts';
import { findExpressions, type Setting, type Workflow } from '../workflow.ts';

const usingSecrets = 'https://docs.github.com/en/actions/how-tos/write-workflows/choose-what-workflows-do/use-secrets';
const runnerFiles: readonly RunnerFile[] = ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY'];

/** A secret in a command of a run text. */
interface SecretUse extends RunExpression {
  command: Command;
  milder: { severity?: 'info' };
}

const secretUses = memoize((workflow: Workflow) => [...secretUsesIn(workflow)]);

function* secretUsesIn(workflow: Workflow): Generator<SecretUse> {
  for (const use of listRunExpressions(workflow)) {
    const secrets = secretsIn(use.expression);
    if (secrets.length === 0 || use.command === null || use.isInComment) continue;
    yield { ...use, command: use.command, milder: milderFor(secrets) };
  }
}

const milderFor = (secrets: readonly string[]) => (secrets.some(isCredential) ? {} : { severity: 'info' as const });

/** Whether an expression is in the arguments or the input of a command, not in what is assigned in front of it. */
function isArgument({ command, expression }: SecretUse): boolean {
  const index = wordIndexAt(command, expression.at);
  if (index > 0 || (index === 0 && /^["@]/.test(command.words[0]?.text ?? ''))) return true;
  return command.input !== null && holds(command.input, expression);
}

const holds = ({ text, at }: { text: string; at: number }, expression: Expression) =>
  at <= expression.at && expression.at < at + text.length;

const isMasking = memoize(({ words }: Command) => words.some((word) => bare(word).includes('::add-mask::')));

const printed = rule({
  id: 'SEC-002',
  severity: 'critical',
  confidence: 'high',
  title: 'Secret printed to the log',
  description:
    'The command writes a secret to the log. Masking is a safety net: it misses a secret that was encoded, cut or ' +
    'split over lines, and everyone with access to the run can read the log.',
  fix: 'Do not print it. Pass it through `env` or standard input.',
  reference: usingSecrets,
  *find(workflow): Iterable<Hit> {
    for (const use of secretUses(workflow)) {
      const { command, expression } = use;
      if (!isPrinter(command) || !isArgument(use) || !endsInLog(command) || isMasking(command)) continue;
      if (!writesTo(command, runnerFiles)) yield { ...hitAt(workflow, use, expression.at), ...use.milder };
    }
  },
});

/** Commands of the shell itself: their arguments are in no list of processes. */
const builtIn =
  /^(\[+|test|echo|printf|export|local|declare|readonly|set|read|return|exit|eval|for|case|\$.*|[a-z]+-[a-z]+)$/;

const asArgument = rule({
  id: 'SEC-003',
  severity: 'high',
  confidence: 'high',
  title: 'Secret in a command-line argument',
  description:
    'Every process on the machine can read command-line arguments, tools repeat them in error messages, and the ' +
    'shell interprets quotes or `$` in the secret.',
  fix: 'Set the secret as `env` of the step and let the tool read the variable, standard input or a file.',
  reference: usingSecrets,
  *find(workflow): Iterable<Hit> {
    for (const use of secretUses(workflow)) {
      const { command, expression } = use;
      const [name = ''] = listArguments(command);
      const at = wordIndexAt(command, expression.at);
      if (at < 1 || isPrinter(command) || builtIn.test(name)) continue;
      const isOption = [at, at - 1].some(
        (index) => index > 0 && /^--?[A-Za-z]/.test(bare(command.words[index] ?? noWord)),
      );
      const confidence = isOption ? 'high' : 'medium';
      yield { ...hitAt(workflow, use, expression.at), ...use.milder, confidence };
    }
  },
});

const noWord = { text: '', at: 0 };

const handedOn = rule({
  id: 'SEC-004',
  severity: 'critical',
  confidence: 'high',
  title: 'Secret written to an output or the environment',
  description:
    'Outputs and `GITHUB_ENV` reach every later step, outputs also dependent jobs, and summaries show on the page ' +
    'of the run. Third-party actions there can read the secret.',
  fix: 'Set the secret as `env` of each step that needs it. Other jobs read it from `secrets`.',
  reference: usingSecrets,
  *find(workflow): Iterable<Hit> {
    for (const use of secretUses(workflow)) {
      if (isArgument(use) && (setsOutput(use.command) || writesTo(use.command, runnerFiles)))
        yield { ...hitAt(workflow, use, use.expression.at), ...use.milder };
    }
    for (const one of listRunSteps(workflow))
      for (const command of one.run.commands)
        if (isPrinter(command) && isShownAsItIs(command) && (setsOutput(command) || writesTo(command, runnerFiles)))
          yield* printedVariables(workflow, one, command);
    yield* secretOutputs(workflow);
  },
});

/** Variables with a secret in what a command prints, by the shell or by the context of variables. */
function* printedVariables(workflow: Workflow, { job, step, scalar, run }: RunStep, command: Command): Iterable<Hit> {
  const envs = [step.env, job.env, workflow.env];
  const isExact = run.shell !== 'powershell';
  const printed = command.words.length === 1 ? command.words : command.words.slice(1);
  for (const word of command.input ? [...printed, command.input] : printed) {
    const found = [
      ...[...variablesReplaced(word, run.shell)].map(({ name, at }) => ({
        at,
        secrets: isSetIn(run, name) ? [] : secretsInVariable(envs, name, isExact),
      })),
      ...expressionsIn(word.text).map((expression) => ({
        at: word.at + expression.at,
        secrets: secretsInContext(expression, envs),
      })),
    ];
    // What a command inside prints is not the secret itself.
    for (const { at, secrets } of found)
      if (secrets.length > 0 && commandAt(run, at) === command)
        yield { ...hitAt(workflow, { scalar, job, step }, at), ...milderFor(secrets) };
  }
}

/** The secrets that an expression passes on from the context of variables. */
const secretsInContext = (expression: Expression, envs: readonly (readonly Setting[])[]): string[] =>
  findFlows(expression).flatMap(({ path }) =>
    path.startsWith('env.') ? secretsInVariable(envs, path.slice('env.'.length), false) : [],
  );

const setsOutput = memoize(({ words }: Command) =>
  words.some(({ text }) => /::(set-output|set-env|save-state)\b/.test(text)),
);

function* secretOutputs(workflow: Workflow): Iterable<Hit> {
  for (const job of workflow.jobs) {
    for (const { text: scalar } of job.outputs) {
      for (const expression of scalar ? findExpressions(scalar) : []) {
        const secrets = [...secretsIn(expression), ...secretsInContext(expression, [job.env, workflow.env])];
        if (scalar && secrets.length > 0)
          yield { ...hitAt(workflow, { scalar, job }, expression.at), ...milderFor(secrets) };
      }
    }
  }
}

export const secretsRules: readonly Rule[] = [printed, asArgument, handedOn];
