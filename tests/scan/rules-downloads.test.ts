import { describe, expect, test } from 'vitest';
import { scanFile } from '../../server/scan/scan.ts';
import { around, foundBy, withSteps } from './found-by.ts';

const asBlock = (run: string) =>
  `run: |\n${run
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')}`;

describe('SEC-030, a download that is run unseen', () => {
  test.each([
    ['piped', 'curl -fsSL https://get.example/install.sh | sh'],
    ['with options for the script', 'curl https://get.example | bash -s -- --yes'],
    ['as root', 'wget -qO- https://get.example | sudo -E bash -'],
    ['through a filter', 'curl https://get.example | tee log | sh'],
    ['in another language', 'curl -sSL https://get.example | python3 -'],
    ['as a file', 'bash <(curl -s https://get.example)'],
    ['as a text', 'sh -c "$(curl -fsSL https://get.example)"'],
    ['as a command', 'eval "$(curl https://get.example)"'],
    ['broken over lines', 'curl https://get.example \\\n  | sh'],
    ['after a condition', 'if ! which tool; then curl https://get.example | sh; fi'],
  ])('is found: %s', (_name, run) => {
    expect(foundBy('SEC-030', withSteps(asBlock(run)))).toEqual([expect.stringMatching(/^7 medium build /)]);
  });

  test.each([
    ['piped', 'iwr https://get.example -useb | iex'],
    ['as a text', 'iex (irm https://get.example)'],
    ['with long names', 'Invoke-WebRequest https://get.example | Invoke-Expression'],
    ['of a client', "iex ((New-Object System.Net.WebClient).DownloadString('https://get.example'))"],
  ])('is found in PowerShell: %s', (_name, run) => {
    expect(foundBy('SEC-030', withSteps(`shell: pwsh\n${asBlock(run)}`))).toEqual([
      expect.stringMatching(/^8 medium build /),
    ]);
  });

  test.each([
    ['kept in a file', 'curl -o tool https://get.example && chmod +x tool'],
    ['unpacked', 'curl https://get.example/a.tgz | tar xz'],
    ['read', 'curl https://api.example | jq .name'],
    ['read by a program of the file', "curl https://api.example | python3 -c 'import json'"],
    ['read by a script of the repository', 'curl https://api.example | python3 tools/read.py'],
    ['read into a variable', 'VERSION=$(curl https://api.example/version)'],
    ['named to a script', 'bash install.sh "$(curl https://api.example/version)"'],
    ['in a comment', 'make # curl https://get.example | sh'],
    ['in what is printed', 'echo "curl https://get.example | sh"'],
    ['in a text for a file', "cat > readme <<'END'\ncurl https://get.example | sh\nEND"],
    ['from the run itself', 'curl http://localhost:8080/script | sh'],
  ])('is not found: %s', (_name, run) => {
    expect(foundBy('SEC-030', withSteps(asBlock(run)))).toEqual([]);
  });

  test('is found on its line, once for each', () => {
    const text = withSteps(asBlock('make\ncurl https://one.example | sh\n\ncurl https://two.example | bash'));
    expect(foundBy('SEC-030', text).map((one) => one.split(' ')[0])).toEqual(['8', '10']);
  });
});

describe('SEC-032, a tool in whatever version is newest', () => {
  test.each([
    'npm install -g tool',
    'npm i --global @some/tool',
    'npm i tool -g',
    'npm install -g tool@latest',
    'pnpm add -g tool',
    'yarn global add tool',
    'pip install tool',
    'python3 -m pip install --upgrade tool',
    'sudo pip3 install tool',
    'sudo -H -u ci pip3 install --no-cache-dir -q tool',
    'uv pip install --system tool',
    'npm install --silent --global tool',
    'pip install "tool[extra]"',
    'pipx install tool',
    'uv tool install tool',
    'go install example.com/tool@latest',
    'go install example.com/tool@main',
    'gem install tool',
    'cargo install tool --locked',
    'dotnet tool install --global tool',
  ])('is found: %s', (run) => {
    expect(foundBy('SEC-032', withSteps(asBlock(run)))).toEqual([expect.stringMatching(/^7 info build /)]);
  });

  test.each([
    'npm install',
    'npm ci',
    'npm install tool',
    'npm install -g tool@1.2.3',
    'npm install -g @some/tool@1',
    'npm install -g tool@4 --unsafe-perm true',
    'npm install -g .',
    'npm install -g "tool@$VERSION"',
    `npm install -g \${{ matrix.tool }}`,
    'pip install -r requirements.txt',
    'pip install -e .',
    'pip install .[test]',
    'pip install -r requirements.txt --some-strategy first-match',
    'pip install --no-deps -t out -r requirements.txt',
    'pip install tool==1.2',
    'pip install "tool>=1"',
    'pip install --upgrade pip setuptools wheel',
    'pip install dist/*.whl',
    'pip install -c constraints.txt tool',
    'pip install --require-hashes tool',
    'pip install git+https://code.example/tool@v1',
    `pip install tool==\${{ matrix.version }}`,
    'pip install --index-url https://pypi.example -r requirements.txt',
    'go install ./cmd/tool',
    'go install example.com/tool',
    'go install example.com/tool@v1.2.3',
    'gem install tool -v 1.2',
    'gem install tool:1.2',
    'cargo install --path .',
    'cargo install tool --version 1.2.3',
    'cargo install tool@1.2.3',
    'dotnet tool install tool --version 1.2.3',
    'echo pip install tool',
    '# pip install tool',
  ])('is not found: %s', (run) => {
    expect(foundBy('SEC-032', withSteps(asBlock(run)))).toEqual([]);
  });

  test('names what it found', () => {
    const details = scanFile('a.yml', withSteps(asBlock('yarn global add -s one two@3 three')), around, 0).findings;
    expect(details.find(({ ruleId }) => ruleId === 'SEC-032')?.detail).toBe('Without a version: one, three.');
  });

  test('is found in folded text, at the step', () => {
    const [one] = foundBy('SEC-032', withSteps('name: Tools\nrun: >-\n  pip install\n  tool'));
    expect(one).toMatch(/^\d info build Tools$/);
  });
});
