import { describe, expect, test } from 'vitest';
import { foundBy, withSteps } from './found-by.ts';

const on = (trigger: string, ...steps: string[]) => withSteps(...steps).replace('on: push', `on: ${trigger}`);
const guarded = (text: string, condition: string) =>
  text.replace('    runs-on', `    if: ${JSON.stringify(condition)}\n    runs-on`);
const checkout = (ref: string) => `uses: actions/checkout@v4\nwith:\n  ref: ${ref}`;
const head = checkout(`\${{ github.event.pull_request.head.sha }}`);

describe('SEC-001, pull requests with rights', () => {
  test.each([
    ['as a word', 'on: pull_request_target\njobs: {}\n', '1 high'],
    ['last in a list', 'on: [push, pull_request_target]\njobs: {}\n', '1 high'],
    ['in a list of lines', 'on:\n  - push\n  - pull_request_target\njobs: {}\n', '3 high'],
    ['as a key', 'on:\n  pull_request_target:\n    types: [opened]\njobs: {}\n', '2 high'],
    ['behind a quoted key', '"on": { Pull_Request_Target: }\njobs: {}\n', '1 high'],
  ])('are found %s', (_name, text, expected) => {
    expect(foundBy('SEC-001', text)).toEqual([expected]);
  });

  test('are not found in a comment, a name or a condition', () => {
    const text = `name: pull_request_target\n${on('push # pull_request_target', "if: github.event_name == 'pull_request_target'\nrun: ls")}`;
    expect(foundBy('SEC-001', text)).toEqual([]);
  });

  test('weigh less when every job asks for a label and none checks out', () => {
    const text = guarded(on('pull_request_target', 'run: gh pr merge'), "github.event.label.name == 'ready'");
    expect(foundBy('SEC-001', text)).toEqual(['1 medium']);
    expect(foundBy('SEC-001', guarded(on('pull_request_target', head), "github.event.label.name == 'x'"))).toEqual([
      '1 high',
    ]);
    const asText = guarded(on('pull_request_target', 'run: ls'), `\${{ github.event.label.name == 'ready' }}\n`);
    expect(foundBy('SEC-001', asText)).toEqual(['1 high']);
  });

  test.each([
    ['labels alone', '[labeled, unlabeled]', '2 medium'],
    ['a label as a word', 'labeled', '2 medium'],
    ['labels among others', '[labeled, opened]', '2 high'],
    ['no kinds at all', '[]', '2 high'],
  ])('weigh by whom the kinds of event are for: %s', (_name, types, expected) => {
    const text = `on:\n  pull_request_target: { types: ${types} }\njobs:\n  a: { uses: ./.github/workflows/b.yml }\n`;
    expect(foundBy('SEC-001', text)).toEqual([expected]);
  });
});

describe('SEC-011, proposed code with rights', () => {
  test.each([
    ['by commit', 'pull_request_target', head],
    ['by branch', 'pull_request_target', checkout(`\${{ github.head_ref }}`)],
    ['by reference', 'issue_comment', checkout(`refs/pull/\${{ github.event.issue.number }}/merge`)],
    [
      'by repository',
      'pull_request_target',
      `uses: actions/checkout@v4\nwith: { repository: "\${{ github.event.pull_request.head.repo.full_name }}" }`,
    ],
    ['of the run before', 'workflow_run', checkout(`\${{ github.event.workflow_run.head_sha }}`)],
    ['by the command line', 'issue_comment', 'run: gh pr checkout "$N"'],
    ['by git', 'pull_request_target', 'run: git fetch origin pull/$N/head && git checkout FETCH_HEAD'],
    [
      'by git and a variable',
      'pull_request_target',
      `run: git checkout "$SHA"\nenv:\n  SHA: \${{ github.event.pull_request.head.sha }}`,
    ],
    [
      'by the context of variables',
      'pull_request_target',
      `${checkout(`\${{ env.SHA }}`)}\nenv:\n  SHA: \${{ github.event.pull_request.head.sha }}`,
    ],
    ['by an output of a step', 'issue_comment', checkout(`\${{ steps.pull.outputs.head_sha }}`)],
    ['by an output of a job', 'issue_comment', checkout(`\${{ needs.pull.outputs.pr_head_ref }}`)],
    [
      'by git and an output',
      'issue_comment',
      `run: git checkout "$REF"\nenv:\n  REF: \${{ steps.pull.outputs.head_branch }}`,
    ],
  ])('is found: %s', (_name, trigger, step) => {
    expect(foundBy('SEC-011', on(trigger, step, 'run: npm ci'))).toEqual([expect.stringMatching(/^6 critical build /)]);
  });

  test('is found by a variable of the job or the workflow, unless the step sets it to something else', () => {
    const named = checkout(`\${{ env.SHA }}`);
    const sha = `{ SHA: "\${{ github.event.pull_request.head.sha }}" }`;
    const text = on('pull_request_target', named, 'run: npm ci');
    expect(foundBy('SEC-011', text)).toEqual([]);
    expect(foundBy('SEC-011', `env: ${sha}\n${text}`)).toHaveLength(1);
    expect(foundBy('SEC-011', text.replace('    runs-on', `    env: ${sha}\n    runs-on`))).toHaveLength(1);
    const ofStep = on('pull_request_target', `${named}\nenv: { SHA: "\${{ github.sha }}" }`, 'run: npm ci');
    expect(foundBy('SEC-011', `env: ${sha}\n${ofStep}`)).toEqual([]);
  });

  test.each([
    ['the base', on('pull_request_target', 'uses: actions/checkout@v4', 'run: npm ci')],
    ['without rights', on('pull_request', head, 'run: npm ci')],
    ['the base, by an output', on('issue_comment', checkout(`\${{ steps.pull.outputs.base_sha }}`), 'run: npm ci')],
    [
      'a pull request that the job has opened',
      on('issues', checkout(`\${{ steps.open.outputs.pull-request-head-sha }}`), 'run: npm ci'),
    ],
    ['nothing behind it', on('pull_request_target', 'run: ls', head)],
    ['only fetched, to compare', on('pull_request_target', 'run: git fetch origin refs/pull/1/head', 'run: git diff')],
    ['only for pushes', guarded(on('[push, pull_request_target]', head, 'run: make'), "github.event_name == 'push'")],
    [
      'of the own repository',
      guarded(
        on('pull_request_target', head, 'run: make'),
        'github.event.pull_request.head.repo.full_name == github.repository',
      ),
    ],
    [
      'of no fork',
      guarded(on('pull_request_target', head, 'run: make'), 'github.event.pull_request.head.repo.fork == false'),
    ],
    [
      'of a push before',
      guarded(
        on('workflow_run', checkout(`\${{ github.event.workflow_run.head_sha }}`), 'run: make'),
        "github.event.workflow_run.event == 'push'",
      ),
    ],
    ['merged already', guarded(on('pull_request_target', head, 'run: make'), 'github.event.pull_request.merged')],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-011', text)).toEqual([]);
  });

  test.each([
    ['a label', "github.event.label.name == 'safe'"],
    ['a member', `contains(fromJSON('["OWNER","MEMBER"]'), github.event.pull_request.author_association)`],
    ['a named person', "github.event.sender.login == 'somebody'"],
  ])('weighs less where %s is requested', (_name, condition) => {
    const text = guarded(on('pull_request_target', head, 'run: npm ci'), condition);
    expect(foundBy('SEC-011', text)).toEqual(['7 high build actions/checkout@v4']);
    expect(foundBy('SEC-011', guarded(on('pull_request_target', head, 'run: git diff'), condition))).toEqual([]);
  });

  test.each([
    ['a line break behind it', (expression: string) => `${expression}\n`, true],
    ['a text in front', (expression: string) => `success() && ${expression}`, true],
    ['nothing', (expression: string) => expression, false],
  ])('is found where %s makes a condition always true', (_name, write, isFound) => {
    const own = `\${{ github.event.pull_request.head.repo.full_name == github.repository }}`;
    const text = guarded(on('pull_request_target', head, 'run: make'), write(own));
    expect(foundBy('SEC-011', text)).toEqual(isFound ? ['7 critical build actions/checkout@v4'] : []);
  });

  test('weighs less where giving a label is what starts it', () => {
    const labeled = (...steps: string[]) => on('{ pull_request_target: { types: [labeled] } }', ...steps);
    expect(foundBy('SEC-011', labeled(head, 'run: npm ci'))).toEqual(['6 high build actions/checkout@v4']);
    expect(foundBy('SEC-011', labeled(head, 'uses: ./actions/go'))).toEqual(['6 high build actions/checkout@v4']);
    expect(foundBy('SEC-011', labeled(head, 'uses: $/actions/go'))).toEqual([]);
  });

  test.each([
    ['a bot that acted last', "github.actor == 'dependabot[bot]'"],
    ['everything but a label', "!contains(github.event.pull_request.labels.*.name, 'skip')"],
    ['words of a comment', "contains(github.event.comment.body, '/test')"],
  ])('weighs as much where %s is requested', (_name, condition) => {
    const text = guarded(on('pull_request_target', head, 'run: npm ci'), condition);
    expect(foundBy('SEC-011', text)).toEqual(['7 critical build actions/checkout@v4']);
  });
});

describe('SEC-038, anyone’s comment', () => {
  test.each([
    ['a tool', on('issue_comment', 'run: npm test')],
    ['a script', on('{ discussion_comment: { types: [created] } }', 'uses: actions/checkout@v4', 'run: ./go.sh')],
    ['an own action', on('issue_comment', 'uses: ./.github/actions/go')],
    [
      'at the step, in a text that is always true',
      on('issue_comment', `if: |\n  \${{ github.event.comment.author_association == 'OWNER' }}\nrun: make`),
    ],
    [
      'by a label, which a template gives to an issue',
      guarded(on('issue_comment', 'run: make'), "contains(github.event.issue.labels.*.name, 'bug')"),
    ],
    ['by certain words', guarded(on('issue_comment', 'run: make'), "contains(github.event.comment.body, '/go')")],
  ])('is found: %s', (_name, text) => {
    expect(foundBy('SEC-038', text)).toEqual(['3 high build']);
  });

  test.each([
    ['for members', guarded(on('issue_comment', 'run: make'), "github.event.comment.author_association == 'MEMBER'")],
    [
      'at the step',
      on('issue_comment', `if: contains(fromJSON('["OWNER"]'), github.event.comment.author_association)\nrun: make`),
    ],
    ['asked of the platform', on('issue_comment', 'run: gh api "repos/$R/collaborators/$A/permission"', 'run: make')],
    ['an answer only', on('issue_comment', 'run: gh issue comment 1 --body hi')],
    [
      'on a pull request with a label',
      guarded(
        on('issue_comment', 'run: make'),
        "github.event.issue.pull_request && contains(github.event.issue.labels.*.name, 'safe')",
      ),
    ],
    ['another event', on('issues', 'run: make')],
    [
      'at the step, in one expression',
      on('issue_comment', `if: \${{ github.event.comment.author_association == 'OWNER' }}\nrun: make`),
    ],
    ['for another event', guarded(on('[issue_comment, push]', 'run: make'), "github.event_name == 'push'")],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-038', text)).toEqual([]);
  });

  test('is not found behind a job that asks', () => {
    const text = `${on('issue_comment', 'if: github.event.comment.author_association\nrun: ls')}  next:\n    needs: build\n    runs-on: x\n    steps: [{ run: make }]\n`;
    expect(foundBy('SEC-038', text)).toEqual([]);
  });
});

describe('SEC-031, files of the run before', () => {
  const download = (path: string) =>
    `uses: actions/download-artifact@v4\nwith:\n  run-id: \${{ github.event.workflow_run.id }}\n  path: ${path}`;

  test.each([
    [
      'written to outputs',
      on('workflow_run', download('out'), 'run: echo "n=$(cat out/n)" >> "$GITHUB_OUTPUT"'),
      '10 high build',
    ],
    [
      'written to the environment',
      on('workflow_run', download('out'), 'run: cat out/vars >> $GITHUB_ENV'),
      '10 high build',
    ],
    [
      'by way of a variable',
      on('workflow_run', download('out'), 'run: |\n  n=$(<out/n)\n  echo "n=$n" >> $GITHUB_OUTPUT'),
      '10 high build',
    ],
    ['run', on('workflow_run', download('out'), 'run: bash out/go.sh'), '10 high build bash'],
    ['fetched by the command line', on('workflow_run', 'run: gh run download 1', 'run: ./go'), '7 high build ./go'],
    [
      'fetched by another action',
      on('workflow_run', 'uses: dawidd6/action-download-artifact@v6', 'run: ./go'),
      '7 high build ./go',
    ],
    [
      'read by a script',
      on(
        'workflow_run',
        download('out'),
        'uses: actions/github-script@v7\nwith:\n  script: core.setOutput("n", fs.readFileSync("out/n"))',
      ),
      '10 high build actions',
    ],
  ])('are found: %s', (_name, text, expected) => {
    expect(foundBy('SEC-031', text)).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    ['only shown', on('workflow_run', download('out'), 'run: ls out')],
    ['own scripts beside them', on('workflow_run', 'uses: actions/checkout@v4', download('out'), 'run: ./report.sh')],
    ['of this run', on('workflow_run', 'uses: actions/download-artifact@v4', 'run: ./go')],
    [
      'of a push',
      guarded(on('workflow_run', download('out'), 'run: ./out/go'), "github.event.workflow_run.event == 'push'"),
    ],
    [
      'a number that was checked',
      on(
        'workflow_run',
        download('out'),
        'run: |\n  n=$(<out/n)\n  [[ "$n" =~ ^[0-9]+$ ]] || exit 1\n  echo "n=$n" >> $GITHUB_OUTPUT',
      ),
    ],
    ['a tool that is installed', on('workflow_run', 'run: gh run download 1', 'run: pip install tool')],
  ])('are not found: %s', (_name, text) => {
    expect(foundBy('SEC-031', text)).toEqual([]);
  });

  test('are found in a text of thousands of commands', () => {
    const fillers = ':\n'.repeat(5000).replace(/^/gm, '  ');
    const text = on('workflow_run', download('out'), `run: |\n${fillers}  cat out/n >> $GITHUB_OUTPUT`);
    expect(foundBy('SEC-031', text)).toHaveLength(1);
  });

  test('are followed into fifty folders of a job', () => {
    const folders = Array.from({ length: 51 }, (_, n) => `out-${n + 1}-end`);
    const run = (folder = '') => on('workflow_run', ...folders.map(download), `run: bash ${folder}/go.sh`);
    expect(foundBy('SEC-031', run(folders[49]))).toHaveLength(1);
    expect(foundBy('SEC-031', run(folders[50]))).toEqual([]);
  });
});
