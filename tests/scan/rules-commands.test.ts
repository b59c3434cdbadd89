import { describe, expect, test } from 'vitest';
import { foundBy, withSteps } from './found-by.ts';

const on = (trigger: string, ...steps: string[]) => withSteps(...steps).replace('on: push', `on: ${trigger}`);

describe('SEC-024, the environment of later steps', () => {
  test.each([
    ['a title', 'issues', `run: echo "T=\${{ github.event.issue.title }}" >> $GITHUB_ENV`],
    [
      'a variable with a title',
      'issues',
      `run: echo "T=$T" >> "$GITHUB_ENV"\nenv:\n  T: \${{ github.event.issue.title }}`,
    ],
    ['a branch without rights', 'pull_request', `run: echo "\${{ github.head_ref }}" >> $GITHUB_PATH`],
    [
      'in PowerShell',
      'issues',
      `shell: pwsh\nrun: echo "T=$env:T" >> $env:GITHUB_ENV\nenv: { T: "\${{ github.event.issue.body }}" }`,
    ],
    ['what a file says', 'pull_request_target', 'run: echo "N=$(cat number.txt)" >> $GITHUB_ENV'],
    ['a file as it is', 'workflow_run', 'run: cat vars >> $GITHUB_ENV'],
    ['by way of a variable', 'issue_comment', 'run: |\n  N=$(jq .n x.json)\n  echo "N=$N" >> $GITHUB_ENV'],
  ])('is found: %s', (_name, trigger, step) => {
    expect(foundBy('SEC-024', on(trigger, step))).toEqual([expect.stringMatching(/^[678] high build/)]);
  });

  test.each([
    ['fixed words', 'issues', 'run: echo "A=b" >> $GITHUB_ENV'],
    ['a commit', 'pull_request_target', `run: echo "A=$GITHUB_SHA \${{ github.sha }}" >> $GITHUB_ENV`],
    ['what a file of a push says', 'push', 'run: echo "N=$(cat number.txt)" >> $GITHUB_ENV'],
    ['what a file says for those with rights', 'repository_dispatch', 'run: cat number.txt >> $GITHUB_ENV'],
    ['an output', 'issues', `run: echo "T=\${{ github.event.issue.title }}" >> $GITHUB_OUTPUT`],
    ['a fixed directory', 'issue_comment', 'run: echo "$HOME/bin" >> "$GITHUB_PATH"'],
    [
      'for members',
      'issue_comment',
      `if: github.event.comment.author_association == 'OWNER'\nrun: cat x >> $GITHUB_ENV`,
    ],
  ])('is not found: %s', (_name, trigger, step) => {
    expect(foundBy('SEC-024', on(trigger, step))).toEqual([]);
  });
});

describe('SEC-025, withdrawn commands', () => {
  test.each([
    ['at the workflow', 'env: { ACTIONS_ALLOW_UNSECURE_COMMANDS: true }\non: push\njobs: {}\n', '1 high'],
    [
      'at a job',
      'on: push\njobs:\n  a:\n    env:\n      ACTIONS_ALLOW_UNSECURE_COMMANDS: "True"\n    steps: []\n',
      '5 high a',
    ],
    ['at a step', withSteps("run: ls\nenv:\n  actions_allow_unsecure_commands: '1'"), '8 high build ls'],
  ])('are found %s', (_name, text, expected) => {
    expect(foundBy('SEC-025', text)).toEqual([expected]);
  });

  test('are not found when they stay forbidden, or in a comment', () => {
    const text = withSteps(
      'run: ls # ACTIONS_ALLOW_UNSECURE_COMMANDS: true\nenv:\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: false',
    );
    expect(foundBy('SEC-025', text)).toEqual([]);
  });
});

describe('SEC-026, deprecated commands', () => {
  test.each(['set-output name=a', 'save-state name=a', 'set-env name=A', 'add-path'])('is found: %s', (command) => {
    expect(foundBy('SEC-026', withSteps(`name: say\nrun: |\n  ls\n  echo "::${command}::b"`))).toEqual([
      '9 info build say',
    ]);
  });

  test('is not found: in a comment, other commands, an unfinished one', () => {
    const text = withSteps('run: |\n  # echo ::set-output name=a::b\n  echo "::warning::b" "::set-output"');
    expect(foundBy('SEC-026', text)).toEqual([]);
  });
});
