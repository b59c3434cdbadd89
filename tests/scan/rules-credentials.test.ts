import { describe, expect, test } from 'vitest';
import { foundBy, withSteps } from './found-by.ts';

const sha = '0123456789abcdef0123456789abcdef01234567';

describe('SEC-010, a registry’s password that is not masked', () => {
  const login = (uses: string, inputs = '') => withSteps(`uses: aws-actions/amazon-ecr-login@${uses}\n${inputs}`);

  test.each([
    ['switched off', login('v2', 'with:\n  mask-password: false'), 8],
    ['switched off in a text', login('v2', "with:\n  mask-password: 'FALSE'"), 8],
    ['off in the first version', login('v1'), 6],
    ['off in a commit of the first version', login(`${sha} # v1.7.0`), 6],
  ])('is found: %s', (_name, text, line) => {
    expect(foundBy('SEC-010', text)).toEqual([expect.stringMatching(`^${line} medium build aws-actions`)]);
  });

  test.each([
    ['the second version', login('v2')],
    ['a commit that tells no version', login(sha)],
    ['switched on', login('v1', "with:\n  mask-password: 'true'")],
    ['something computed', login('v1', `with:\n  mask-password: \${{ inputs.mask }}`)],
    ['another registry', withSteps('uses: docker/login-action@v1')],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-010', text)).toEqual([]);
  });
});

describe('SEC-018, a checkout that leaves its token behind', () => {
  const checkout = 'uses: actions/checkout@v4';
  const upload = (path: string, version = 'v3', more = '') =>
    `uses: actions/upload-artifact@${version}\nwith:\n  path: ${path}\n${more}`;
  const severityOf = (...steps: string[]) => foundBy('SEC-018', withSteps(...steps)).map((line) => line.split(' ')[1]);

  test('is found, unless reported not to', () => {
    expect(foundBy('SEC-018', withSteps(checkout))).toEqual(['6 info build actions/checkout@v4']);
    expect(severityOf(`${checkout}\nwith: { persist-credentials: false }`)).toEqual([]);
    expect(severityOf(`${checkout}\nwith: { Persist-Credentials: 'false' }`)).toEqual([]);
    expect(severityOf('uses: some/checkout@v4')).toEqual([]);
  });

  test('says nothing where the file has decided, one way or the other', () => {
    expect(severityOf(`${checkout}\nwith: { persist-credentials: "\${{ inputs.push }}" }`)).toEqual([]);
    expect(severityOf(`${checkout}\nwith: { persist-credentials: true }`)).toEqual([]);
  });

  test.each([
    ['the workspace', upload('.')],
    ['by its name', upload(`\${{ github.workspace }}`)],
    ['all that is in it', upload("'**/*'")],
    ['among others', upload('|\n    dist\n    ./')],
    ['its hidden folder', upload('.git')],
    ['with hidden files by today’s version', upload('.', 'v4', '  include-hidden-files: true')],
    ['with an older fourth version', upload('.', 'v4.3.1')],
  ])('is grave where it is uploaded: %s', (_name, step) => {
    expect(severityOf(checkout, step)).toEqual(['high']);
  });

  test('is grave where it is uploaded, also where the file keeps it, unless that is computed', () => {
    const keeping = (value: string) => `${checkout}\nwith: { persist-credentials: ${value} }`;
    expect(severityOf(keeping('true'), upload('.'))).toEqual(['high']);
    expect(severityOf(keeping("'True'"), upload('.'))).toEqual(['high']);
    expect(severityOf(keeping('true'), upload('dist'))).toEqual([]);
    expect(severityOf(keeping('false'), upload('.'))).toEqual([]);
    expect(severityOf(keeping(`"\${{ inputs.push }}"`), upload('.'))).toEqual([]);
  });

  test.each([
    ['a folder', upload('dist')],
    ['today’s version, which leaves hidden files out', upload('.', 'v4')],
    ['without hidden files', upload('.', 'v3', '  include-hidden-files: false')],
  ])('is not grave where this is uploaded: %s', (_name, step) => {
    expect(severityOf(checkout, step)).toEqual(['info']);
  });

  test('is left alone where the job pushes with it, unless it is uploaded', () => {
    expect(severityOf(checkout, 'run: git push origin main')).toEqual([]);
    expect(severityOf(checkout, 'run: git -C docs push')).toEqual([]);
    expect(severityOf(checkout, 'run: mkdocs gh-deploy --force')).toEqual([]);
    expect(severityOf(checkout, 'uses: stefanzweifel/git-auto-commit-action@v7')).toEqual([]);
    expect(severityOf(checkout, 'uses: someone/tool@v7')).toEqual(['info']);
    expect(severityOf(checkout, 'run: git status # git push')).toEqual(['info']);
    expect(severityOf(checkout, upload('.'), 'run: git push')).toEqual(['high']);
  });

  test('is grave only for what was checked out there and before, where the token lies in it', () => {
    const elsewhere = `${checkout}\nwith: { path: source }`;
    expect(severityOf(elsewhere, upload('./source/'))).toEqual(['high']);
    expect(severityOf(elsewhere, upload('dist'))).toEqual(['info']);
    expect(severityOf(upload('.'), checkout)).toEqual(['info']);
    expect(severityOf('uses: actions/checkout@v6', upload('.'))).toEqual(['info']);
  });
});

/** Put together here, so that no file of this repository looks as if it held a key. */
const made = {
  cloudId: `AKIA${'QZ7RW3TN5KXB2LPM'}`,
  token: `ghp_${'b7Qx2LkT9vRm4WzN8cYp6HsJ3fDg5AeU1tKo'}`,
  registry: `npm_${'Zk4Tq8Wm2Xv6Bn9Lr3Py7Hs5Jd1Fg0CaUeIo'}`,
};

describe('SEC-023, a credential in the file', () => {
  test.each([
    ['an access key id', `run: deploy --key ${made.cloudId}`],
    ['a token in a header', `run: |\n  true\n  curl -H "Authorization: ${made.token}" https://api.example`],
    ['a token in a variable', `run: make\nenv:\n  TOKEN: ${made.registry}`],
    ['a token of a step', `uses: some/tool@v1\nwith:\n  token: ${made.token}`],
    ['a password drawn by lot', 'uses: some/tool@v1\nwith:\n  password: "t7Gk2!pQx9Zr4Wm8Lc3v"'],
    ['a private key', `run: |\n  cat > key <<'X'\n  -----BEGIN RSA PRIVATE KEY-----\n  ${'MIIEow'.repeat(12)}\n  X`],
  ])('is found: %s', (_name, step) => {
    expect(foundBy('SEC-023', withSteps(step))).toEqual([expect.stringMatching(/^\d+ critical build /)]);
  });

  test.each([
    ['a secret', `uses: some/tool@v1\nwith:\n  token: \${{ secrets.TOKEN }}`],
    ['a variable of the shell', 'uses: some/tool@v1\nwith:\n  password: $PASSWORD'],
    ['a password for tests', 'uses: some/tool@v1\nwith:\n  mysql-password: root'],
    ['the key of the documents', 'run: deploy --key AKIAIOSFODNN7EXAMPLE'],
    ['a token of one letter', `run: check ghp_${'x'.repeat(36)}`],
    ['the search for a key', `run: grep -r -- '-----BEGIN RSA PRIVATE KEY-----' . && exit 1`],
    ['a commit', `uses: some/tool@v1\nwith:\n  commit: ${sha}`],
    ['whether there is a token', 'uses: some/tool@v1\nwith:\n  token: true'],
    ['a token in a comment of the file', `run: make # ${made.token}`],
  ])('is not found: %s', (_name, step) => {
    expect(foundBy('SEC-023', withSteps(step))).toEqual([]);
  });

  test('is found in the sign-in of an image, not in a database made for the run', () => {
    const text = `on: push
jobs:
  build:
    runs-on: ubuntu-24.04
    container:
      image: node:24
      credentials:
        username: me
        password: hunter2
    services:
      db:
        image: postgres:18
        env: { POSTGRES_PASSWORD: postgres }
        credentials: { username: me, password: "\${{ secrets.PASSWORD }}" }
    steps: [{ run: make }]
`;
    expect(foundBy('SEC-023', text)).toEqual(['9 critical build']);
  });

  test('is found outside of jobs, and once for two uses of an anchor', () => {
    const text = `on: push\nenv:\n  A: &a ${made.token}\n  B: *a\njobs: {}\n`;
    expect(foundBy('SEC-023', text)).toEqual(['3 critical']);
  });
});
