import { Binary, type Expr, Grouping, Logical } from '@actions/expressions/ast';
import { eventsReaching } from '../conditions.ts';
import { isBotComparison } from '../evaluation.ts';
import { getLiteral, getPath } from '../expressions.ts';
import { findCalls } from '../flows.ts';
import { hitAt, type Owner, placedExpressions } from '../places.ts';
import { isPrivileged, privilegedTriggers } from '../privileged.ts';
import { type Hit, type Rule, rule } from '../rule.ts';
import { findConditions, isTextAround, type Job, type Step, type Workflow } from '../workflow.ts';
import type { YamlScalar } from '../yaml.ts';

/** The `if` of every job and step. */
function* conditionsIn({ jobs }: Workflow): Generator<{ scalar: YamlScalar; job: Job; step?: Step }> {
  for (const job of jobs) {
    if (job.condition) yield { scalar: job.condition, job };
    for (const step of job.steps) if (step.condition) yield { scalar: step.condition, job, step };
  }
}

const botActor = rule({
  id: 'SEC-028',
  severity: 'high',
  confidence: 'medium',
  title: 'Spoofable check of github.actor',
  description:
    '`github.actor` is whoever triggered the latest event, not the author of the change. An attacker can have a bot ' +
    'act on their pull request and pass this condition.',
  fix: 'Check the author, `github.event.pull_request.user.login`, together with the head repository.',
  reference: 'https://docs.github.com/en/actions/reference/security/secure-use',
  *find(workflow): Iterable<Hit> {
    if (privilegedTriggers(workflow).length === 0) return;
    for (const { scalar, job, step } of conditionsIn(workflow)) {
      if (!eventsReaching(workflow, job, step ?? null).some(isPrivileged)) continue;
      for (const { tree, at, paths } of findConditions(scalar)) {
        const checksAuthor = paths.some((path) =>
          /^github\.event\.pull_request\.(user\.login|user\.id|head\.repo\..*)$/.test(path),
        );
        if (tree && !checksAuthor && grants(tree)) yield hitAt(workflow, { scalar, job, step }, at);
      }
    }
  },
});

/** Whether naming a bot lets something run; an exception from a rule does not. */
function grants(expr: Expr): boolean {
  if (expr instanceof Grouping) return grants(expr.group);
  if (expr instanceof Logical) return expr.args.some(grants);
  return expr instanceof Binary && isBotComparison(expr);
}

const unsound = rule({
  id: 'SEC-029',
  severity: 'medium',
  confidence: 'high',
  title: 'Condition can be bypassed',
  description: 'The condition also passes in cases that it was written to exclude.',
  fix: 'Compare with `==`, or with a list: `contains(fromJSON(\'["main", "next"]\'), github.ref_name)`. Write an `if` as one expression.',
  reference: 'https://docs.github.com/en/actions/reference/workflows-and-actions/expressions#contains',
  *find(workflow): Iterable<Hit> {
    for (const { scalar, ...owner } of conditionsIn(workflow)) {
      if (isTextAround(scalar))
        yield {
          ...owner,
          offset: scalar.offset,
          detail: 'Always true: text or a line break beside the expression makes it a non-empty string.',
        };
      for (const { tree, at } of findConditions(scalar))
        yield* findPartialNames(workflow, { scalar, ...owner }, tree, at);
    }
    for (const placed of placedExpressions(workflow))
      if (!isCondition(placed)) yield* findPartialNames(workflow, placed, placed.expression.tree, placed.expression.at);
  },
});

const isCondition = ({ scalar, job, step }: Owner & { scalar: YamlScalar }) =>
  scalar === job?.condition || scalar === step?.condition;

/** `contains('main next', github.ref_name)`, which also holds for `ma` and for an empty name. */
function* findPartialNames(workflow: Workflow, owner: Owner & { scalar: YamlScalar }, tree: Expr | null, at: number) {
  for (const { args } of findCalls(tree, 'contains')) {
    const [text, part] = [args[0] && getLiteral(args[0]), args[1] && getPath(args[1])];
    if (text && part && /^github\./.test(part) && !fixedContexts.test(part))
      yield {
        ...hitAt(workflow, owner, at),
        detail: `“${part}” is searched in a string, so every substring passes, the empty one too.`,
      };
  }
}

/** What the platform itself sets, from a few values. */
const fixedContexts = /^github\.(event_name|event\.action|ref_type|event\.(state|.*\.state|.*\.author_association))$/;

export const conditionsRules: readonly Rule[] = [botActor, unsound];
