import { describe, expect, test } from 'vitest';
import { foundBy, withSteps } from './found-by.ts';

const on = (trigger: string, step: string) => withSteps(step).replace('on: push', `on: ${trigger}`);
const when = (condition: string, trigger = 'pull_request_target') => on(trigger, `if: ${condition}\nrun: ls`);

describe('SEC-028, a bot that acted last', () => {
  test.each([
    ['alone', "github.actor == 'dependabot[bot]'"],
    ['the other way round, in other letters', "success() && 'renovate[bot]' == GitHub['actor']"],
    ['among others', "success() && (github.triggering_actor == 'x[bot]' || github.actor == 'me')"],
    ['as an expression', `\${{ github.actor == 'dependabot[bot]' }}`],
  ])('is found: %s', (_name, condition) => {
    expect(foundBy('SEC-028', when(condition))).toEqual(['6 high build ls']);
  });

  test.each([
    ['without rights', when("github.actor == 'dependabot[bot]'", 'pull_request')],
    ['as an exception', when("github.actor != 'dependabot[bot]'")],
    ['as a denied one', when(`\${{ !(github.actor == 'dependabot[bot]') }}`)],
    ['a person', when("github.actor == 'somebody'")],
    ['the author', when("github.event.pull_request.user.login == 'dependabot[bot]'")],
    ['the author too', when("github.actor == 'a[bot]' && github.event.pull_request.user.login == 'a[bot]'")],
    ['for another event', when("github.event_name == 'push' && github.actor == 'a[bot]'", '[push, issues]')],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-028', text)).toEqual([]);
  });
});

describe('SEC-029, a condition that holds too often', () => {
  test.each([
    ['a name inside a text', "contains('main next', github.ref_name)"],
    ['within others', "success() && !contains('a,b', github.actor)"],
    ['two expressions', `\${{ github.ref == 'a' }} && \${{ always() }}`],
    ['text in front', `success() && \${{ github.ref == 'a' }}`],
    ['a block with its line break', `|\n  \${{ github.ref == 'a' }}`],
    ['a denied expression', `"!\${{ inputs.skip }}"`],
  ])('is found: %s', (_name, condition) => {
    expect(foundBy('SEC-029', when(condition))).toEqual([expect.stringMatching(/^[67] medium build ls$/)]);
  });

  test('is found at a job and in a value', () => {
    const text = `on: push\njobs:\n  a:\n    if: contains('x y', github.ref)\n    env:\n      A: \${{ contains('x y', github.actor) }}\n    steps: []\n`;
    expect(foundBy('SEC-029', text)).toEqual(['4 medium a', '6 medium a']);
  });

  test.each([
    ['a list', `contains(fromJSON('["main"]'), github.ref_name)`],
    ['a text that is searched', "contains(github.event.comment.body, '/go')"],
    ['words of the platform', "contains('push release', github.event_name)"],
    ['one expression', `\${{ github.ref == 'a' && contains(github.ref, '}}') }}`],
    ['a block without its line break', `|-\n  \${{ github.ref == 'a' }}`],
    ['a folded block without an expression in braces', ">\n  github.ref == 'a' &&\n  success()"],
  ])('is not found: %s', (_name, condition) => {
    expect(foundBy('SEC-029', when(condition))).toEqual([]);
  });
});

describe('SEC-040, what a reader does not see', () => {
  test.each([
    ['turned text', 'run: echo "a\u202eb"', '6 high'],
    ['turned text in a comment', 'run: ls # \u2066a', '6 high'],
    ['an invisible space', 'run: echo a\u200bb', '6 high build'],
    ['invisible letters', 'run: echo a\u{e0061}\u{e0062}', '6 high build'],
    ['a computed name', `run: echo \${{ github[format('{0}{1}', 'act', 'or')] }}`, '6 high build'],
    ['a word put together', `run: echo \${{ format('{0}{1}', 'se', 'cret') }}`, '6 high build'],
    ['a detour', 'uses: some/tool/a/../b@v1', '6 high build'],
  ])('is found: %s', (_name, step, expected) => {
    expect(foundBy('SEC-040', withSteps(step))).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    ['emoji and flags', 'name: "\u{1f469}\u200d\u{1f4bb} ☎\ufe0f \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}"\nrun: ls'],
    ['letters of other scripts', 'run: echo "مرحبا שלום"'],
    ['a name by index', `run: echo \${{ github['actor'] }} \${{ matrix[env.key] }}`],
    ['a readable format', `run: echo \${{ format('v{0}', '1.2') }} \${{ format('{0}-{1}', github.sha, 'x') }}`],
    ['a list of the file', `run: echo \${{ contains(fromJSON('["a"]'), matrix.a) }}`],
    ['a local action and a container', 'uses: ./../a\n      - uses: docker://ghcr.io/a/b:1'],
  ])('is not found: %s', (_name, step) => {
    expect(foundBy('SEC-040', withSteps(step))).toEqual([]);
  });

  test('is not the mark at the beginning of a file', () => {
    expect(foundBy('SEC-040', `\ufeff${withSteps('run: ls')}`)).toEqual([]);
  });
});
