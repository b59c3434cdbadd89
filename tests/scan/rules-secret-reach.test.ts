import { describe, expect, test } from 'vitest';
import { foundBy, withSteps } from './found-by.ts';

describe('SEC-020, everything handed out', () => {
  test.each([
    ['all secrets', `ALL: \${{ toJSON(secrets) }}`],
    ['all secrets, in other letters and inside a function', `ALL: \${{ format('{0}', TOJSON( Secrets )) }}`],
    ['a computed secret', `KEY: \${{ secrets[format('KEY_{0}', matrix.zone)] }}`],
    ['a secret by a name from elsewhere', `KEY: \${{ secrets[inputs.name] }}`],
  ])('is found: %s', (_name, env) => {
    expect(foundBy('SEC-020', withSteps(`run: ./go\nenv:\n  ${env}`))).toEqual(['8 high build ./go']);
  });

  test.each([
    ['one secret by index', `KEY: \${{ secrets['KEY'] }}`],
    ['part of the event', `PART: \${{ toJSON(github.event.inputs) }}`],
    ['the context that nobody prints', `ALL: \${{ toJSON(github) }}`],
    ['words in a comment', `KEY: x # \${{ toJSON(secrets) }}`],
  ])('is not found: %s', (_name, env) => {
    expect(foundBy('SEC-020', withSteps(`run: ./go "$ALL"\nenv:\n  ${env}`))).toEqual([]);
  });

  test('is found where the whole context is printed', () => {
    const printed = withSteps(
      `run: echo "$ALL"\nenv:\n  ALL: \${{ toJSON(github) }}`,
      `run: echo '\${{ toJSON(github) }}'`,
    );
    expect(foundBy('SEC-020', printed)).toEqual([
      '6 high build echo "$ALL"',
      expect.stringMatching(/^9 high build echo/),
    ]);
    expect(foundBy('SEC-020', withSteps(`run: echo '\${{ toJSON(github) }}' > event.json`))).toEqual([]);
  });
});

describe('SEC-021, a secret around the actions of others', () => {
  const job = (uses: string, env = `KEY: \${{ secrets.KEY }}`) =>
    `on: push\njobs:\n  build:\n    runs-on: x\n    env:\n      ${env}\n    steps:\n      - uses: ${uses}\n`;

  test('is found at a job and at the workflow, once for each', () => {
    expect(foundBy('SEC-021', job('some/tool@v1'))).toEqual(['6 medium build']);
    expect(foundBy('SEC-021', job('docker://some/tool:1'))).toEqual(['6 medium build']);
    const two = `env: { KEY: "\${{ secrets.KEY }}" }\n${job('some/tool@v1', 'A: b')}  next:\n    runs-on: x\n    steps: [{ uses: some/tool@v1 }]\n`;
    expect(foundBy('SEC-021', two)).toEqual(['1 medium']);
  });

  test.each([
    ['only the platform’s own actions', 'actions/checkout@v4', undefined],
    ['only own actions', './action', undefined],
    ['own actions of the same commit', '$/action', undefined],
    ['the token of the job', 'some/tool@v1', `KEY: \${{ secrets.GITHUB_TOKEN }}`],
    ['a mere name', 'some/tool@v1', `KEY: \${{ secrets.AZURE_TENANT_ID }}`],
    ['the name of an app', 'some/tool@v1', `KEY: \${{ secrets.SITE_CLIENT_ID }}`],
    ['the short name of a subscription', 'some/tool@v1', `KEY: \${{ secrets.CLOUD_SUB_ID }}`],
    ['whether there is one', 'some/tool@v1', `KEY: \${{ secrets.KEY != '' }}`],
    ['no secret', 'some/tool@v1', `KEY: \${{ vars.KEY }}`],
  ])('is not found: %s', (_name, uses, env) => {
    expect(foundBy('SEC-021', job(uses, env))).toEqual([]);
  });

  test('is not found at the step that needs it', () => {
    expect(foundBy('SEC-021', withSteps(`uses: some/tool@v1\nenv:\n  KEY: \${{ secrets.KEY }}`))).toEqual([]);
  });
});

describe('SEC-044, part of a secret', () => {
  test.each([
    ['a field', `\${{ fromJSON(secrets.ACCOUNT).password }}`],
    ['an index, in brackets and a function', `\${{ format('{0}', (fromJson(secrets['ACCOUNT']))['keys'][0]) }}`],
  ])('is found: %s', (_name, value) => {
    expect(foundBy('SEC-044', withSteps(`uses: some/tool@v1\nwith:\n  key: ${value}`))).toEqual([
      '8 medium build some/tool@v1',
    ]);
  });

  test.each([
    ['the whole', `\${{ fromJSON(secrets.PORT) }}`],
    ['a field of something else', `\${{ fromJSON(needs.plan.outputs.matrix).name }}`],
    ['a text around the whole', `\${{ format('Bearer {0}', secrets.KEY) }}`],
  ])('is not found: %s', (_name, value) => {
    expect(foundBy('SEC-044', withSteps(`uses: some/tool@v1\nwith:\n  key: ${value}`))).toEqual([]);
  });
});
