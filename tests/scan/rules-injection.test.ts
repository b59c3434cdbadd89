import { describe, expect, test } from 'vitest';
import { foundBy } from './found-by.ts';

/** A workflow whose one step begins on line 6. */
const on = (trigger: string, step: string, job = '', top = '') =>
  `on: ${trigger}\n${top}jobs:\n  build:\n    runs-on: x\n${job}    steps:\n      - ${step.replace(/\n/g, '\n        ')}\n`;
const title = `\${{ github.event.issue.title }}`;
const branch = `\${{ github.head_ref }}`;

describe('SEC-012, text of outsiders in a script', () => {
  test.each([
    ['on one line', 'issues', `run: echo ${title}`, '6 critical build'],
    ['in a block', 'issues', `name: say\nrun: |\n  ls\n  echo "${title}"`, '9 critical build say'],
    ['in a folded block', 'issues', `name: say\nrun: >-\n  echo\n  "${title}"`, '9 critical build say'],
    ['by index and in other letters', 'issues', `run: echo \${{ GitHub['event'].Issue['title'] }}`, '6 critical build'],
    [
      'in a function',
      'issue_comment',
      `run: echo \${{ format('{0}', github.event.comment.body) }}`,
      '6 critical build',
    ],
    ['one of two values', 'issues', `run: echo \${{ inputs.x || github.event.issue.body }}`, '6 critical build'],
    ['the whole event as JSON', 'issues', `run: echo '\${{ toJSON(github.event) }}'`, '6 critical build'],
    ['any element', 'push', `run: echo \${{ github.event.commits[0].message }}`, '6 high build'],
    ['a list of them', 'push', `run: echo \${{ join(github.event.commits.*.message, ' ') }}`, '6 high build'],
    ['a branch of a pull request', 'pull_request', `run: git log ${branch}`, '6 high build'],
    ['the same with rights', 'pull_request_target', `run: git log ${branch}`, '6 critical build'],
    [
      'a branch of the run before',
      'workflow_run',
      `run: echo \${{ github.event.workflow_run.head_branch }}`,
      '6 critical build',
    ],
    ['in a text read as it is', 'issues', `name: say\nrun: |\n  cat <<'E'\n  ${title}\n  E`, '9 critical build say'],
    ['several lines behind a comment', 'issues', `run: "# \${{ github.event.issue.body }}"`, '6 critical build'],
    ['in another language', 'issues', `name: say\nshell: python\nrun: print("${title}")`, '8 critical build say'],
  ])('is found: %s', (_name, trigger, step, expected) => {
    expect(foundBy('SEC-012', on(trigger, step))).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    ['in a variable, and quoted', 'issues', `run: echo "$TITLE"\nenv:\n  TITLE: ${title}`],
    ['compared', 'pull_request', `run: echo \${{ github.head_ref == 'main' }}`],
    ['asked for', 'issues', `run: echo \${{ contains(github.event.issue.title, 'x') && 'yes' || 'no' }}`],
    ['one line in a comment', 'issues', `run: "# ${title}"`],
    ['under an event that does not have it', 'push', `run: echo ${title}`],
    ['a number', 'issues', `run: echo \${{ github.event.issue.number }}`],
    ['a commit', 'pull_request', `run: git log \${{ github.event.pull_request.head.sha }}`],
    ['an output of an unknown step', 'issues', `run: echo \${{ steps.x.outputs.title }}`],
    ['an object that is not written out', 'issues', `run: echo \${{ github.event.issue }}`],
    ['in the input of an action', 'issues', `uses: some/tool@v1\nwith:\n  title: ${title}`],
    ['in a comment of the file', 'issues', `run: ls # ${title}`],
    ['where the step is for another event', '[issues, push]', `if: github.event_name == 'push'\nrun: echo ${title}`],
  ])('is not found: %s', (_name, trigger, step) => {
    expect(foundBy('SEC-012', on(trigger, step))).toEqual([]);
  });

  test('is found through the context of variables', () => {
    const text = on('issues', `run: echo \${{ env.TITLE }}`, `    env:\n      TITLE: ${title}\n`);
    expect(foundBy('SEC-012', text)).toEqual([`8 critical build echo \${{ env.TITLE }}`]);
  });

  test('is found once behind an alias', () => {
    const text = on('issues', `run: &say echo ${title}`).replace(/$/, '      - run: *say\n');
    expect(foundBy('SEC-012', text)).toHaveLength(1);
  });

  test('weighs more with a token that can write', () => {
    const step = `run: echo ${branch}`;
    const withToken = (scope: string) => on('pull_request', step, '', `permissions: { contents: ${scope} }\n`);
    expect(foundBy('SEC-012', withToken('write'))[0]).toMatch(/^7 critical/);
    expect(foundBy('SEC-012', withToken('read'))[0]).toMatch(/^7 high/);
    const empty = on('pull_request', step, '    permissions: {}\n', 'permissions: write-all\n');
    expect(foundBy('SEC-012', empty)[0]).toMatch(/^8 high/);
  });

  test.each([
    ['the own repository', 'github.event.pull_request.head.repo.full_name == github.repository', 'pull_request_target'],
    [
      'members',
      `contains(fromJSON('["OWNER", "MEMBER"]'), github.event.pull_request.author_association)`,
      'pull_request_target',
    ],
    ['a label', "contains(github.event.pull_request.labels.*.name, 'safe')", 'pull_request_target'],
    ['no fork', '!github.event.pull_request.head.repo.fork', 'pull_request'],
  ])('weighs less where only %s can start it', (_name, condition, trigger) => {
    const text = on(trigger, `run: echo ${branch}`, `    if: ${JSON.stringify(condition)}\n`);
    expect(foundBy('SEC-012', text)[0]).toMatch(/ high build/);
  });

  test.each([
    ['a label of an issue, which a template gives', 'issues', "github.event.label.name == 'bug'"],
    ['a label of what is commented', 'issue_comment', "contains(github.event.issue.labels.*.name, 'bug')"],
    [
      'a label, or no pull request',
      'issue_comment',
      "!github.event.issue.pull_request || contains(github.event.issue.labels.*.name, 'safe')",
    ],
  ])('weighs as much where %s is requested', (_name, trigger, condition) => {
    const text = on(trigger, `run: echo ${title}`, `    if: ${JSON.stringify(condition)}\n`);
    expect(foundBy('SEC-012', text)).toEqual([`7 critical build echo ${title}`]);
  });

  test.each([
    'github.event.issue.pull_request',
    'github.event.issue.pull_request != null',
    "startsWith(github.event.issue.pull_request.url, 'https')",
  ])('weighs less where a label of a pull request is requested, by %s', (isOnPullRequest) => {
    const condition = `${isOnPullRequest} && contains(github.event.issue.labels.*.name, 'safe')`;
    const text = on('issue_comment', `run: echo ${title}`, `    if: ${JSON.stringify(condition)}\n`);
    expect(foundBy('SEC-012', text)).toEqual([`7 high build echo ${title}`]);
  });

  test('knows what a needed job asks first', () => {
    const text = `on: [issues, push]
jobs:
  first:
    if: github.event_name == 'push'
    runs-on: x
    steps: [{ run: ls }]
  next:
    needs: [first]
    runs-on: x
    steps:
      - run: echo ${title}
`;
    expect(foundBy('SEC-012', text)).toEqual([]);
    expect(foundBy('SEC-012', text.replace('needs: [first]', 'needs: first\n    if: always()'))).toHaveLength(1);
  });

  test('knows actions that repeat names of files', () => {
    const step = 'id: files\nuses: jitterbit/get-changed-files@v1';
    const use = `      - run: ls \${{ steps.files.outputs.all }}\n`;
    expect(foundBy('SEC-012', on('pull_request', step) + use)).toEqual([
      `8 high build ls \${{ steps.files.outputs.all }}`,
    ]);
  });
});

describe('SEC-012, the name of the branch that somebody commented', () => {
  const ask = (action = 'xt0rted/pull-request-comment-branch@v3') => `id: pull\nuses: ${action}`;
  const found = (trigger: string, text: string, action?: string) =>
    foundBy('SEC-012', `${on(trigger, ask(action))}      - name: go\n        ${text.replace(/\n/g, '\n        ')}\n`);
  const ref = `\${{ steps.pull.outputs.head_ref }}`;

  test.each([
    ['in a script', `run: git switch ${ref}`, '9 critical build go'],
    [
      'through the context of variables',
      `env: { REF: "${ref}" }\nrun: git switch \${{ env.REF }}`,
      '10 critical build go',
    ],
  ])('is found: %s', (_name, step, expected) => {
    expect(found('issue_comment', step)).toEqual([expected]);
  });

  test.each([
    ['the base', 'issue_comment', `run: git switch \${{ steps.pull.outputs.base_ref }}`, undefined],
    ['its commit', 'issue_comment', `run: git switch \${{ steps.pull.outputs.head_sha }}`, undefined],
    ['a variable', 'issue_comment', `env: { REF: "${ref}" }\nrun: git switch "$REF"`, undefined],
    ['an event without a pull request', 'push', `run: git switch ${ref}`, undefined],
    ['another action', 'issue_comment', `run: git switch ${ref}`, 'some/tool@v1'],
  ])('is not found: %s', (_name, trigger, step, action) => {
    expect(found(trigger, step, action)).toEqual([]);
  });
});

describe('SEC-005, an input in a script', () => {
  const input = (type: string, trigger = 'workflow_dispatch') => `{ ${trigger}: { inputs: { version: { ${type} } } } }`;
  const use = `run: make \${{ inputs.version }}`;

  test.each([
    ['of a person', on(input('type: string'), use), '6 high build'],
    ['without a type', on(input('required: true'), use), '6 high build'],
    ['by its older name', on(input(''), `run: make \${{ github.event.inputs.version }}`), '6 high build'],
    ['in a block', on(input(''), `run: |\n  ls\n  make "\${{ inputs.version }}"`), '8 high build'],
    ['of a caller', on(input('type: string', 'workflow_call'), use), '6 medium build'],
    [
      'from another service',
      on('repository_dispatch', `run: make \${{ github.event.client_payload.x }}`),
      '6 high build',
    ],
    ['the name of a tag', on('{ push: { tags: ["v*"] } }', `run: make \${{ github.ref_name }}`), '6 medium build'],
    ['the name of any branch', on('workflow_dispatch', `run: make \${{ github.ref_name }}`), '6 medium build'],
    ['as the shell', on(input(''), `run: ls\nshell: \${{ inputs.version }}`), '7 high build ls'],
    [
      'through the context of variables',
      on(input(''), `run: make \${{ env.V }}\nenv:\n  V: \${{ inputs.version }}`),
      '6 high build',
    ],
    [
      'beside a branch that no event of outsiders names',
      on(`{ push: null, ${input('').slice(1)}`, `run: git log \${{ github.head_ref || inputs.version }}`),
      '6 high build',
    ],
  ])('is found: %s', (_name, text, expected) => {
    expect(foundBy('SEC-005', text)).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    ['yes or no', on(input('type: boolean'), use)],
    [
      'yes or no, through the context of variables',
      on(input('type: boolean'), `run: make \${{ env.V }}\nenv:\n  V: \${{ inputs.version }}`),
    ],
    [
      'a variable that the step sets itself',
      on(input(''), `run: make \${{ env.V }}\nenv: { V: "1" }`, `    env: { V: "\${{ inputs.version }}" }\n`),
    ],
    [
      'beside a branch that outsiders name, which is another rule',
      on(`{ pull_request: null, ${input('').slice(1)}`, `run: git log \${{ github.head_ref || inputs.version }}`),
    ],
    ['one of a list', on(input('type: choice, options: [a, b]'), use)],
    ['a number of a caller', on(input('type: number', 'workflow_call'), use)],
    ['through a variable', on(input(''), `run: make "$V"\nenv:\n  V: \${{ inputs.version }}`)],
    ['in the input of an action', on(input(''), `uses: some/tool@v1\nwith:\n  v: \${{ inputs.version }}`)],
    ['in a comment', on(input(''), `run: "ls # \${{ inputs.version }}"`)],
    ['the name of one branch', on('{ push: { branches: [main] } }', `run: make \${{ github.ref_name }}`)],
    ['the number of a pull request', on('pull_request', `run: make \${{ github.ref_name }}`)],
    ['a fixed shell', on(input(''), `run: ls\nshell: \${{ matrix.shell }}`)],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-005', text)).toEqual([]);
  });
});

describe('SEC-013, text of outsiders that an action evaluates', () => {
  const script = (value: string) => `uses: actions/github-script@v7\nwith:\n  script: |\n    say(\`${value}\`)`;

  test('is found in a script, with its line', () => {
    expect(foundBy('SEC-013', on('issues', script(title)))).toEqual(['9 high build actions/github-script@v7']);
  });

  test.each(['args', 'cmd', 'run', 'entrypoint'])('is found in “%s” of any action', (key) => {
    expect(foundBy('SEC-013', on('issues', `uses: some/tool@v1\nwith:\n  ${key}: ${title}`))).toHaveLength(1);
  });

  test.each([
    ['read from the event', script('context.payload.issue.title')],
    ['a number', script(`\${{ github.event.issue.number }}`)],
    ['in an input that is only text', `uses: some/tool@v1\nwith:\n  title: ${title}`],
    ['in another input of the script action', `uses: actions/github-script@v7\nwith:\n  args: ${title}`],
  ])('is not found: %s', (_name, step) => {
    expect(foundBy('SEC-013', on('issues', step))).toEqual([]);
  });
});
