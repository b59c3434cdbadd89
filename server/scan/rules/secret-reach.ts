import { ContextAccess, type Expr, FunctionCall, Grouping, IndexAccess } from '@actions/expressions/ast';
import { parseUses } from '../actions.ts';
import { type Expression, expressionsIn, getPath, listNodes } from '../expressions.ts';
import { variablesIn } from '../file-reads.ts';
import { findCalls, findFlows } from '../flows.ts';
import { memoize } from '../memoize.ts';
import { hitAt, listRunSteps, placedExpressions } from '../places.ts';
import { type Hit, type Rule, rule } from '../rule.ts';
import { isCredential, secretsIn } from '../secrets.ts';
import { endsInLog, isPrinter } from '../shell.ts';
import type { Word } from '../shell-commands.ts';
import { findExpressions, type Job, type Setting, type Step, type Workflow } from '../workflow.ts';

const secureUse = 'https://docs.github.com/en/actions/reference/security/secure-use';

const allSecrets = rule({
  id: 'SEC-020',
  severity: 'high',
  confidence: 'high',
  title: 'Overprovisioned secrets',
  description:
    'The job gets every secret of the repository and the organization, or the log gets the whole event, where a few ' +
    'values are needed.',
  fix: 'Reference each secret and each value that is needed by name.',
  reference: secureUse,
  *find(workflow): Iterable<Hit> {
    for (const placed of placedExpressions(workflow)) {
      const { expression } = placed;
      if (holdsAllSecrets(expression))
        yield { ...hitAt(workflow, placed, expression.at), detail: 'All secrets are serialized.' };
      else if (expression.paths.some((path) => /^secrets\.(\?|\*)/.test(path)))
        yield { ...hitAt(workflow, placed, expression.at), detail: 'The name of the secret is computed.' };
    }
    yield* printedContexts(workflow);
  },
});

const holdsAllSecrets = ({ tree }: Expression) =>
  findCalls(tree, 'tojson').some(({ args }) => args.some((arg) => getPath(arg) === 'secrets'));

const isEntireContext = (expression: Expression) =>
  findFlows(expression).some(({ path, isJson }) => isJson && path === 'github');

/** The variables that hold the complete context. */
const entireContextsIn = memoize(
  (env: readonly Setting[]) =>
    new Set(env.flatMap(({ key, text }) => (text && findExpressions(text).some(isEntireContext) ? [key.value] : []))),
);

const holdsEntireContext = memoize(({ text }: Word) => expressionsIn(text).some(isEntireContext));
const namesIn = memoize(({ text }: Word) => [...new Set(variablesIn(text))]);

/** `toJSON(github)` in a command that prints, or printed from a variable. */
function* printedContexts(workflow: Workflow): Iterable<Hit> {
  for (const { job, step, scalar, run } of listRunSteps(workflow)) {
    const given = [workflow.env, job.env, step.env].map(entireContextsIn);
    if (given.every(({ size }) => size === 0) && !/tojson/i.test(scalar.value)) continue;
    const isNamed = (name: string) => given.some((names) => names.has(name));
    for (const command of run.commands) {
      if (!isPrinter(command) || !endsInLog(command)) continue;
      const words = [...command.words, ...(command.input ? [command.input] : [])];
      const word = words.find((one) => holdsEntireContext(one) || namesIn(one).some(isNamed));
      if (word)
        yield {
          ...hitAt(workflow, { scalar, job, step }, word.at),
          confidence: 'medium',
          detail: 'The whole event and its context are logged.',
        };
    }
  }
}

const wideEnv = rule({
  id: 'SEC-021',
  severity: 'medium',
  confidence: 'medium',
  title: 'Secret exposed to third-party actions',
  description:
    'A variable of the workflow or the job reaches every step, including third-party actions that do not need it.',
  fix: 'Move the variable to `env` of the steps that need it.',
  reference: secureUse,
  *find(workflow): Iterable<Hit> {
    const exposed = workflow.jobs.flatMap((job) => {
      const theirs = job.steps.find(isOfOthers)?.uses?.value;
      return theirs === undefined ? [] : [{ job, detail: `“${theirs}” can read it.` }];
    });
    if (exposed[0]) yield* secretSettings(workflow, workflow.env, { detail: exposed[0].detail });
    for (const { job, detail } of exposed) yield* secretSettings(workflow, job.env, { job, detail });
  },
});

function isOfOthers({ uses: scalar }: Step): boolean {
  const uses = scalar && parseUses(scalar);
  return uses?.kind === 'docker' || (uses?.kind === 'action' && !uses.isPlatformOwned);
}

function* secretSettings(workflow: Workflow, settings: readonly Setting[], more: { job?: Job; detail: string }) {
  for (const { text: scalar } of settings) {
    for (const expression of scalar ? findExpressions(scalar) : [])
      if (scalar && secretsIn(expression).some(isCredential))
        yield { ...hitAt(workflow, { scalar, job: more.job }, expression.at), ...more };
  }
}

const unmasked = rule({
  id: 'SEC-044',
  severity: 'medium',
  confidence: 'high',
  title: 'Derived secret value not masked',
  description:
    'GitHub masks secrets as a whole. A value derived from one, such as a field of a JSON secret, shows in logs.',
  fix: 'Store each value as a secret of its own.',
  reference: secureUse,
  *find(workflow): Iterable<Hit> {
    for (const placed of placedExpressions(workflow)) {
      const { expression } = placed;
      if (listNodes(expression.tree).some(takesFromSecret)) yield hitAt(workflow, placed, expression.at);
    }
  },
});

/** `fromJSON(secrets.x).y` */
function takesFromSecret(expr: Expr): boolean {
  if (!(expr instanceof IndexAccess)) return false;
  let base: Expr = expr.expr;
  while (base instanceof IndexAccess || base instanceof Grouping)
    base = base instanceof Grouping ? base.group : base.expr;
  if (base instanceof ContextAccess || !(base instanceof FunctionCall)) return false;
  return findFlows({ source: '', at: 0, tree: base, paths: [] }).some(({ path }) => path.startsWith('secrets.'));
}

export const secretReachRules: readonly Rule[] = [allSecrets, wideEnv, unmasked];
