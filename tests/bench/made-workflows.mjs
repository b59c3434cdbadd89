import { workflowTexts } from '../../server/demo/workflow-texts.ts';

/** A part of a workflow in each of its usual shapes, good and bad. */
const steps = [
  (n) => `      - uses: actions/checkout@v${4 + (n % 3)}`,
  (n) => `      - uses: somebody/thing-${n}@main # scan: ignore SEC-006 ours until=2027-01-31`,
  () =>
    `      - uses: somebody/thing@8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60 # v2.1.0\n        with: { token: "\${{ secrets.DEPLOY }}" }`,
  (n) =>
    `      - name: Step ${n}\n        run: |\n          set -e\n          npm ci\n          echo "\${{ github.event.issue.title }}" >> $GITHUB_ENV`,
  () => '      - run: >-\n          curl -fsSL https://a.test/x.sh\n          | sh',
  () =>
    `      - if: github.event_name == 'push' && contains('a b', github.ref)\n        env:\n          TITLE: \${{ github.event.pull_request.title }}\n        run: echo "$TITLE"`,
  () =>
    `      - uses: actions/github-script@v7\n        with:\n          script: |\n            console.log(\`\${{ github.head_ref }}\`)`,
  () => `      - run: docker login -u me --password=\${{ secrets.REGISTRY }}`,
  () => `      - shell: pwsh\n        run: Write-Host "\${{ toJSON(secrets) }}"`,
  () => '      - uses: docker://alpine:latest',
];
const triggers = [
  'on: push',
  'on: [push, pull_request]',
  'on:\n  pull_request_target:\n    types: [opened]',
  'on:\n  workflow_dispatch:\n    inputs:\n      level: { required: true }\n      name: { type: string }',
  'on:\n  workflow_run:\n    workflows: [CI]\n    types: [completed]',
  'on:\n  schedule:\n    - cron: "0 4 * * *"\n  workflow_call:',
];
const settings = [
  'runs-on: ubuntu-24.04\n    timeout-minutes: 10',
  'runs-on: [self-hosted, linux]',
  `runs-on: \${{ matrix.os }}\n    strategy:\n      matrix: { os: [ubuntu-latest, windows-latest] }`,
  'runs-on: ubuntu-latest\n    container: { image: "node:24", env: &env { A: "1", B: two } }\n    env: *env',
  'permissions: write-all\n    runs-on: ubuntu-latest\n    environment: production',
];
const heads = [
  '',
  'permissions:\n  contents: read\n',
  'permissions: write-all\n',
  `env:\n  TOKEN: \${{ secrets.T }}\n`,
];

const pick = (list, random) => list[random(list.length)];

/** A workflow file as people write them: a few jobs with a few steps each. */
export function madeWorkflow(random) {
  const jobs = Array.from({ length: 1 + random(4) }, (_, job) => {
    const own = Array.from({ length: 1 + random(7) }, (_, n) => pick(steps, random)(n));
    return `  job-${job}:\n    ${pick(settings, random)}\n    steps:\n${own.join('\n')}\n`;
  });
  return `name: Made\n${pick(triggers, random)}\n${pick(heads, random)}jobs:\n${jobs.join('')}`;
}

export const sampleWorkflows = Object.values(workflowTexts);
