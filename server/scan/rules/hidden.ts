import { IndexAccess, Literal } from '@actions/expressions/ast';
import { getLiteral, listNodes } from '../expressions.ts';
import { findCalls, isConstant } from '../flows.ts';
import { findInvisible, findTurning } from '../hidden-characters.ts';
import { hitAt, placedExpressions, placedTexts } from '../places.ts';
import { type Hit, listSteps, type Rule, rule } from '../rule.ts';
import { placeIn } from '../workflow.ts';

const hidden = rule({
  id: 'SEC-040',
  severity: 'high',
  confidence: 'high',
  title: 'Hidden or obfuscated text',
  description: 'Reviewers see something different from what runs.',
  fix: 'Remove the characters, or write the expression or the name plainly.',
  reference: 'https://trojansource.codes/',
  *find(workflow): Iterable<Hit> {
    for (const { character, index } of findTurning(workflow.text))
      yield { offset: index, detail: `${formatCodePoint(character)} changes the direction of the text.` };
    for (const placed of placedTexts(workflow))
      for (const { character, index } of findInvisible(placed.scalar.value))
        yield { ...hitAt(workflow, placed, index), detail: `${formatCodePoint(character)} is invisible.` };
    for (const placed of placedExpressions(workflow)) {
      const { tree, at } = placed.expression;
      const isComputed = listNodes(tree).some(
        (node) => node instanceof IndexAccess && !(node.index instanceof Literal) && isConstant(node.index),
      );
      const isFormatted = findCalls(tree, 'format').some(
        (call) => call.args.length > 2 && isConstant(call) && /^(\{\d\})+$/.test(getLiteral(call.args[0]) ?? ''),
      );
      if (isComputed || isFormatted)
        yield {
          ...hitAt(workflow, placed, at),
          confidence: 'medium',
          detail: 'The expression assembles a value that could be written plainly.',
        };
    }
    for (const { job, step } of listSteps(workflow))
      if (step.uses && /^[^.][^:@]*\/(\.{0,2})\//.test(step.uses.value))
        yield {
          offset: placeIn(workflow, step.uses, 0),
          job,
          step,
          detail: 'The path of the action is not in its normal form.',
        };
  },
});

const formatCodePoint = (character: string) =>
  `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;

export const hiddenRules: readonly Rule[] = [hidden];
