import { describe, expect, test } from 'vitest';
import { foundBy, withSteps } from './found-by.ts';

const job = (id: string, steps: string, more = '', on = 'push') =>
  [
    `on: ${on}\njobs:\n  ${id}:\n    runs-on: ubuntu-24.04\n`,
    `${more}    env: { KEY: "\${{ secrets.KEY }}" }\n    steps:\n${steps}`,
  ].join('');

describe('SEC-022, a deployment without an environment', () => {
  test.each([
    ['an action', '      - uses: cloudflare/wrangler-action@v3\n'],
    ['a command', '      - run: npm publish --access public\n'],
    ['a command behind another', '      - run: |\n          set -e\n          npm ci && npx wrangler deploy\n'],
    ['a site', '      - run: vercel deploy --prebuilt --prod\n'],
    ['a folded command', '      - run: >-\n          gh release create\n          "$TAG"\n'],
    ['an image that is pushed', '      - uses: docker/build-push-action@v6\n        with: { push: true }\n'],
    [
      'a release made by a tool',
      '      - uses: goreleaser/goreleaser-action@v6\n        with: { args: release --clean }\n',
    ],
  ])('is found: %s', (_name, steps) => {
    expect(foundBy('SEC-022', job('ship', steps))).toEqual(['3 info ship']);
  });

  test.each([
    ['a rehearsal', '      - run: npm publish --dry-run\n'],
    ['a command in a comment', '      - run: |\n          # npm publish\n          npm test\n'],
    ['a command that is only printed', '      - run: echo "now run npm publish"\n'],
    ['an image that stays', '      - uses: docker/build-push-action@v6\n        with: { push: false }\n'],
    ['an image for the run', '      - run: docker push localhost:5000/app\n'],
    [
      'a release tried out',
      '      - uses: goreleaser/goreleaser-action@v6\n        with: { args: release --snapshot }\n',
    ],
    ['a build', '      - run: npm run build\n'],
    ['a build for production', '      - run: vercel build --prod\n'],
  ])('is not found: %s', (_name, steps) => {
    expect(foundBy('SEC-022', job('ship', steps))).toEqual([]);
  });

  test('is reported by the name of a job that lives up to it', () => {
    const steps = '      - run: ./bin/deploy production\n';
    expect(foundBy('SEC-022', job('deploy', steps))).toEqual(['3 info deploy']);
    expect(foundBy('SEC-022', job('deploy-preview', steps))).toEqual([]);
    expect(foundBy('SEC-022', job('deploy', '      - run: make all\n'))).toEqual([]);
    expect(foundBy('SEC-022', job('redeployed', steps))).toEqual([]);
  });

  test('is not found with an environment, without lasting secrets, or where the caller decides', () => {
    const steps = '      - run: npm publish\n';
    expect(foundBy('SEC-022', job('ship', steps, '    environment: npm\n'))).toEqual([]);
    expect(foundBy('SEC-022', job('ship', steps, '    environment: { name: npm }\n'))).toEqual([]);
    expect(foundBy('SEC-022', job('ship', steps, '', 'workflow_call'))).toEqual([]);
    expect(foundBy('SEC-022', job('ship', steps).replace('secrets.KEY', 'secrets.GITHUB_TOKEN'))).toEqual([]);
    expect(foundBy('SEC-022', job('ship', steps).replace('secrets.KEY', "secrets['OTHER']"))).toEqual(['3 info ship']);
  });
});

describe('SEC-037, a long-lived key', () => {
  const secret = `\${{ secrets.KEY }}`;

  test.each([
    ['of a cloud', `uses: aws-actions/configure-aws-credentials@v5\nwith:\n  aws-access-key-id: ${secret}`, 8],
    ['of another cloud', `uses: google-github-actions/auth@v2\nwith:\n  credentials_json: ${secret}`, 8],
    ['of a third one', `uses: azure/login@v2\nwith: { creds: "${secret}" }`, 7],
    ['of a registry', `uses: pypa/gh-action-pypi-publish@release/v1\nwith:\n  password: ${secret}`, 8],
    ['of a registry, by a command', `run: npm publish\nenv:\n  NODE_AUTH_TOKEN: ${secret}`, 6],
    ['in a block', `run: |\n  make\n  cargo publish\nenv:\n  CARGO_REGISTRY_TOKEN: ${secret}`, 8],
  ])('is found: %s', (_name, step, line) => {
    expect(foundBy('SEC-037', withSteps(step))).toEqual([expect.stringMatching(`^${line} info build `)]);
  });

  test.each([
    ['a role', 'uses: aws-actions/configure-aws-credentials@v5\nwith:\n  role-to-assume: arn'],
    [
      'keys of a session',
      `uses: aws-actions/configure-aws-credentials@v5\nwith:\n  aws-access-key-id: \${{ steps.a.outputs.id }}`,
    ],
    ['trusted publishing', 'uses: pypa/gh-action-pypi-publish@release/v1'],
    [
      'a registry of one’s own',
      `uses: pypa/gh-action-pypi-publish@release/v1\nwith:\n  password: ${secret}\n  repository-url: https://pypi.example`,
    ],
    ['the token of the job', `run: npm publish\nenv:\n  NODE_AUTH_TOKEN: \${{ secrets.GITHUB_TOKEN }}`],
    ['a key for reading', `run: npm ci\nenv:\n  NODE_AUTH_TOKEN: ${secret}`],
    ['a rehearsal', `run: cargo publish --dry-run\nenv:\n  CARGO_REGISTRY_TOKEN: ${secret}`],
  ])('is not found: %s', (_name, step) => {
    expect(foundBy('SEC-037', withSteps(step))).toEqual([]);
  });

  test('is found where the job or the workflow sets the variable, and not where the step sets another', () => {
    const text = (step: string) =>
      `on: push\nenv:\n  NODE_AUTH_TOKEN: ${secret}\n${withSteps(step).replace('on: push\n', '')}`;
    expect(foundBy('SEC-037', text('run: pnpm publish'))).toEqual(['8 info build pnpm publish']);
    expect(foundBy('SEC-037', text('run: pnpm publish\nenv: { NODE_AUTH_TOKEN: "" }'))).toEqual([]);
  });
});

describe('SEC-027, a release from a cache', () => {
  const releasing = (step: string, on = '{ push: { tags: ["v*"] } }') =>
    withSteps(step, 'run: npm publish').replace('on: push', `on: ${on}`);

  test.each([
    ['a cache', 'uses: actions/cache@v4', 6],
    ['one that is only restored', 'uses: actions/cache/restore@v4', 6],
    ['of a language', 'uses: actions/setup-node@v4\nwith:\n  cache: npm', 8],
    ['that is there by default', 'uses: actions/setup-go@v5', 6],
    ['of a container builder', 'uses: docker/build-push-action@v6\nwith:\n  cache-from: type=gha', 8],
    ['of a compiler', 'uses: Swatinem/rust-cache@v2', 6],
  ])('is found: %s', (_name, step, line) => {
    expect(foundBy('SEC-027', releasing(step))).toEqual([expect.stringMatching(`^${line} medium build `)]);
    expect(foundBy('SEC-027', releasing(step, '{ release: { types: [published] } }'))).toHaveLength(1);
  });

  test.each([
    ['a cache that is only written', 'uses: actions/cache/save@v4'],
    ['a look at what is there', 'uses: actions/cache@v4\nwith: { lookup-only: true }'],
    ['one switched off', 'uses: actions/setup-go@v5\nwith: { cache: false }'],
    ['an older version without one', 'uses: actions/setup-go@v3'],
    ['one that is not asked for', 'uses: actions/setup-node@v4'],
    ['one that may be off', `uses: actions/setup-node@v4\nwith: { cache: "\${{ inputs.cache }}" }`],
    ['one kept in a registry', 'uses: docker/build-push-action@v6\nwith: { cache-from: "type=registry,ref=a" }'],
  ])('is not found: %s', (_name, step) => {
    expect(foundBy('SEC-027', releasing(step))).toEqual([]);
  });

  test('is not found where nothing is published, or not for a version', () => {
    expect(foundBy('SEC-027', releasing('uses: actions/cache@v4', 'push'))).toEqual([]);
    expect(foundBy('SEC-027', releasing('uses: actions/cache@v4').replace('npm publish', 'npm test'))).toEqual([]);
  });

  test('is not found where its condition leaves tags out', () => {
    const withCondition = (condition: string) => releasing(`uses: actions/cache@v4\nif: ${JSON.stringify(condition)}`);
    expect(foundBy('SEC-027', withCondition("always() && !startsWith(github.ref, 'refs/tags/')"))).toEqual([]);
    expect(foundBy('SEC-027', withCondition("github.ref_type != 'tag'"))).toEqual([]);
    expect(foundBy('SEC-027', withCondition("github.event.forced || github.ref_type != 'tag'"))).toHaveLength(1);
    expect(foundBy('SEC-027', withCondition("startsWith(github.ref, 'refs/tags/')"))).toHaveLength(1);
  });

  test('is found in a job the release waits for, not in one beside it', () => {
    const text = `on: { push: { tags: ["v*"] } }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps: [{ uses: actions/cache@v4 }]
  lint:
    runs-on: ubuntu-24.04
    steps: [{ uses: actions/cache@v4 }]
  ship:
    needs: [build]
    runs-on: ubuntu-24.04
    steps: [{ run: npm publish }]
`;
    expect(foundBy('SEC-027', text)).toEqual(['5 medium build actions/cache@v4']);
  });

  test('is found where outsiders start the job, unless it asks who they are', () => {
    const text = withSteps('uses: actions/cache/save@v4').replace('on: push', 'on: pull_request_target');
    expect(foundBy('SEC-027', text)).toEqual(['6 medium build actions/cache/save@v4']);
    const request = "    if: github.event.pull_request.author_association == 'MEMBER'\n    steps:";
    expect(foundBy('SEC-027', text.replace('    steps:', request))).toEqual([]);
  });
});
