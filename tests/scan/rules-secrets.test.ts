import { describe, expect, test } from 'vitest';
import { foundBy, withSteps } from './found-by.ts';

const key = `\${{ secrets.KEY }}`;
const run = (text: string) => withSteps(`name: go\nrun: |\n${text.replace(/^/gm, '  ')}`);

describe('SEC-002, a printed secret', () => {
  test.each([
    ['echo', `echo ${key}`],
    ['in quotes and after other text', `echo -n 'key: ${key}'`],
    ['printf', `printf '%s' "${key}"`],
    ['to the errors', `echo "${key}" 1>&2`],
    ['encoded, which no mask knows', `echo "${key}" | base64`],
    ['through a function', `echo \${{ format('k={0}', SECRETS['KEY']) }}`],
    ['or another value', `echo \${{ inputs.key || secrets.KEY }}`],
    ['a text that cat shows', `cat <<END\n${key}\nEND`],
  ])('is found: %s', (_name, text) => {
    expect(foundBy('SEC-002', run(text))).toEqual([expect.stringMatching(/^[89] critical build go$/)]);
  });

  test.each([
    ['into a file', `echo "${key}" > key.pem`],
    ['into a file by cat', `cat <<END > key.pem\n${key}\nEND`],
    ['into a tool', `echo "${key}" | docker login --password-stdin`],
    ['into a variable', `X=$(echo "${key}" | cut -c1)`],
    ['by a tool inside', `echo "$(tool ${key})"`],
    ['to be masked', `echo "::add-mask::${key}"`],
    ['in a comment', `# echo ${key}\nls`],
    ['whether there is one', `echo \${{ secrets.KEY != '' }}`],
    ['one of two words', `echo \${{ secrets.KEY && 'with' || 'without' }}`],
    ['a variable set in front', `KEY=${key} echo start`],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-002', run(text))).toEqual([]);
  });

  test('is found in PowerShell, also by a bare text', () => {
    const text = `echo a\n"${key}"\nWrite-Host "${key}"\n$x = "${key}"`;
    expect(foundBy('SEC-002', run(text).replace('name: go', 'shell: pwsh\n        name: go'))).toEqual([
      '10 critical build go',
      '11 critical build go',
    ]);
  });

  test('weighs little for the token of the job', () => {
    expect(foundBy('SEC-002', run(`echo \${{ secrets.GITHUB_TOKEN }}`))).toEqual(['8 info build go']);
  });
});

describe('SEC-003, a secret as an argument', () => {
  test.each([
    ['with an equals sign', `tool --key=${key}`],
    ['after an option', `tool --key "${key}" --other`],
    ['behind a letter', `mysql -p${key}`],
    ['in a header', `curl -H "Authorization: Bearer ${key}" https://x.example`],
    ['in an address', `git clone https://x:${key}@x.example/y.git`],
    ['of a tool inside', `echo "$(sudo tool -k ${key})"`],
    ['on a later line', `tool \\\n  --key ${key}`],
  ])('is found: %s', (_name, text) => {
    expect(foundBy('SEC-003', run(text))).toEqual([expect.stringMatching(/^[89] high build go$/)]);
  });

  test.each([
    ['a test', `if [ -n "${key}" ] || [[ -z "${key}" ]]; then ls; fi`],
    ['a variable', `export KEY=${key}\nKEY=${key} tool`],
    ['standard input', `tool --stdin <<< "${key}"`],
    ['a printed one, which is another rule', `echo --key ${key}`],
    ['an option by whether there is one', `tool \${{ secrets.KEY && '--sign' || '' }}`],
    ['the variable itself', 'tool --key "$KEY"'],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-003', run(text))).toEqual([]);
  });

  test('weighs little for the token of the job', () => {
    expect(foundBy('SEC-003', run(`gh --token \${{ secrets.github_token }}`))).toEqual(['8 info build go']);
  });

  test.each([
    ['REPO_USER', 'info'],
    ['AWS_ACCOUNT', 'info'],
    ['AWS_ACCOUNT_ID', 'info'],
    ['GCP_SERVICE_ACCOUNT_EMAIL', 'info'],
    ['GCP_SERVICE_ACCOUNT_NAME', 'info'],
    ['GCP_SERVICE_ACCOUNT', 'high'],
    ['FIREBASE_SERVICE_ACCOUNT', 'high'],
    ['SERVICE_ACCOUNT', 'high'],
  ])('weighs by what its name says that it is: %s', (name, severity) => {
    expect(foundBy('SEC-003', run(`tool --x \${{ secrets.${name} }}`))).toEqual([`8 ${severity} build go`]);
  });

  test('is not looked for in other languages', () => {
    const text = withSteps(`shell: python\nrun: |\n  call("tool", "--key ${key}")`);
    expect(foundBy('SEC-003', text)).toEqual([]);
  });
});

describe('SEC-004, a secret that is handed on', () => {
  test.each([
    ['the environment', `echo "KEY=${key}" >> "$GITHUB_ENV"`],
    ['an output', `echo "key=${key}" >> $GITHUB_OUTPUT`],
    ['the summary, from a block', `{\n  echo "${key}"\n} >> "$GITHUB_STEP_SUMMARY"`],
    ['a text handed over', `cat <<END >> $GITHUB_ENV\nKEY=${key}\nEND`],
    ['by tee', `echo "KEY=${key}" | tee -a "$GITHUB_ENV"`],
    ['an old command', `echo "::set-output name=key::${key}"`],
  ])('is found: to %s', (_name, text) => {
    expect(foundBy('SEC-004', run(text))).toEqual([expect.stringMatching(/^[89] critical build go$/)]);
  });

  test('is found in outputs of a job', () => {
    const text = `on: push\njobs:\n  build:\n    runs-on: x\n    outputs:\n      key: ${key}\n      has: \${{ secrets.KEY != '' }}\n    steps: []\n`;
    expect(foundBy('SEC-004', text)).toEqual(['6 critical build']);
    const byVariable = `env: { KEY: "${key}" }\n${text.replace('secrets.KEY', 'env.KEY')}`;
    expect(foundBy('SEC-004', byVariable)).toEqual(['7 critical build']);
  });

  test.each([
    ['to another file', `echo "KEY=${key}" >> .env`],
    ['only to a tool on the way', `echo "id=$(tool --key ${key})" >> $GITHUB_OUTPUT`],
    ['another value', `echo "key=\${{ steps.x.outputs.key }}" >> $GITHUB_OUTPUT`],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-004', run(text))).toEqual([]);
  });

  const withKey = (text: string, shell = 'bash') =>
    `env: { KEY: "${key}" }\n${run(text).replace('name: go', `shell: ${shell}\n        name: go`)}`;

  test.each([
    ['the environment', `echo "KEY=$KEY" >> "$GITHUB_ENV"`, 'bash'],
    ['an output', `echo key=\${KEY} >> $GITHUB_OUTPUT`, 'bash'],
    ['an output, encoded', `echo "$KEY" | base64 | tee -a $GITHUB_OUTPUT`, 'bash'],
    ['a text handed over, in which quotes are characters', `cat <<END >> $GITHUB_ENV\nit's KEY=$KEY\nEND`, 'bash'],
    ['an old command', `echo "::set-output name=key::$KEY"`, 'bash'],
    ['an output, by the context of variables', `echo "key=\${{ env.key }}" >> $GITHUB_OUTPUT`, 'bash'],
    ['the environment, in PowerShell', `"KEY=$env:KEY" >> $env:GITHUB_ENV`, 'pwsh'],
  ])('is found by a variable: to %s', (_name, text, shell) => {
    expect(foundBy('SEC-004', withKey(text, shell))).toEqual([expect.stringMatching(/^1[01] critical build go$/)]);
  });

  test.each([
    ['whether there is one', `echo "has=\${KEY:+true}" >> $GITHUB_OUTPUT`, 'bash'],
    ['whether there is one, tested', `echo "has=$([ -n "$KEY" ] && echo true)" >> $GITHUB_OUTPUT`, 'bash'],
    ['what a service says to it', `curl -H "Authorization: $KEY" x.example | jq .id >> $GITHUB_OUTPUT`, 'bash'],
    ['what a tool inside says', `echo "id=$(tool --key $KEY)" >> $GITHUB_OUTPUT`, 'bash'],
    ['what a tool makes of it', `echo "$KEY" | tool sign >> $GITHUB_OUTPUT`, 'bash'],
    ['its name', `echo 'Set $KEY' "or \\$KEY" >> $GITHUB_STEP_SUMMARY`, 'bash'],
    ['its name, in a text', `cat <<'END' >> $GITHUB_STEP_SUMMARY\nSet $KEY\nEND`, 'bash'],
    ['another variable', `echo "key=$key" >> $GITHUB_OUTPUT`, 'bash'],
    ['a value that the script gives it', `KEY=none\necho "key=$KEY" >> $GITHUB_OUTPUT`, 'bash'],
    ['a file', `echo "KEY=$KEY" >> .env`, 'bash'],
    ['a variable of PowerShell', `"KEY=$KEY" >> $env:GITHUB_ENV`, 'pwsh'],
  ])('is not found by a variable: %s', (_name, text, shell) => {
    expect(foundBy('SEC-004', withKey(text, shell))).toEqual([]);
  });

  test('is not found where a step sets the variable to something else, and weighs little for a name', () => {
    const given = withKey(`echo "key=$KEY" >> $GITHUB_OUTPUT`);
    expect(foundBy('SEC-004', given)).toHaveLength(1);
    expect(foundBy('SEC-004', given.replace('name: go', 'env: { KEY: none }\n        name: go'))).toEqual([]);
    expect(foundBy('SEC-004', given.replace('secrets.KEY', "secrets.KEY != ''"))).toEqual([]);
    expect(foundBy('SEC-004', given.replace('secrets.KEY', 'secrets.REPO_USER'))).toEqual(['10 info build go']);
  });

  test('is not printed at the same time', () => {
    expect(foundBy('SEC-002', run(`echo "KEY=${key}" | tee -a "$GITHUB_ENV"`))).toEqual([]);
  });
});
