interface Check {
  name: string;
  command: string;
  on?: string;
  concurrency?: string;
  timeout?: string;
}

const everyPush = `on: [push, pull_request]
`;
const pullRequestsAndMain = `on:
  push:
    branches: [main]
  pull_request:
`;
const cancelling = `concurrency:
  group: \${{ github.workflow }}-\${{ github.head_ref || github.run_id }}
  cancel-in-progress: true
`;
const timeLimit = `    timeout-minutes: 30
`;

/** A file with one job, without faults unless something is left out of it. */
function checkOf({ name, command, on = pullRequestsAndMain, concurrency = cancelling, timeout = timeLimit }: Check) {
  return `name: ${name}
${on}permissions:
  contents: read
${concurrency}jobs:
  check:
    runs-on: ubuntu-24.04
${timeout}    steps:
      - uses: actions/checkout@8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60 # v6.0.1
        with:
          persist-credentials: false
      - run: ${command}
`;
}

/** Workflow files of the sample world, by name. Some are exemplary, others have faults that are often met. */
export const workflowTexts: Readonly<Record<string, string>> = {
  'unit-tests.yml': checkOf({ name: 'Unit tests', command: 'make unit-tests' }),
  'screenshots.yml': checkOf({ name: 'Screenshot tests', command: 'make screenshots' }),
  'static-analysis.yml': checkOf({ name: 'Static analysis', command: 'make analyse' }),
  'api-contract.yml': checkOf({ name: 'API contract', command: 'make api-contract' }),
  'device-tests.yml': checkOf({ name: 'Device tests', command: 'make device-tests' }),
  'ci.yml': `name: CI
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
concurrency:
  group: ci-\${{ github.ref }}
  cancel-in-progress: true
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60 # v6.0.1
        with:
          persist-credentials: false
      - uses: harbor-tools/setup-lantern@v2
        with:
          version: '24'
      - run: npm ci
        env:
          NODE_AUTH_TOKEN: \${{ secrets.NPM_TOKEN }}
      - run: npm test
`,
  'deploy.yml': `name: Deploy
on:
  push:
    branches: [main]
  workflow_dispatch:
    inputs:
      reason:
        description: Why this goes out by hand
jobs:
  ship:
    runs-on: ubuntu-latest
    environment: production
    steps:
      - uses: actions/checkout@v6
      - name: Say what goes out
        run: echo "Deploying \${{ inputs.reason }}"
      - name: Sign in
        run: harborctl login --token=\${{ secrets.HARBOR_TOKEN }}
      - uses: harbor-tools/ship-it@main
`,
  'nightly.yml': `name: Nightly checks
on:
  schedule:
    - cron: '20 2 * * *'
permissions: write-all
jobs:
  everything:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v6 # scan: ignore SEC-018 the job only reads public data until=2030-12-31
      - name: Fetch the tide tables
        run: curl -fsSL https://tides.lumen-harbor.example/install.sh | sh
      - run: make nightly
`,
  'build.yml': `name: Build
on:
  pull_request_target:
    types: [opened, synchronize]
jobs:
  build:
    runs-on: ubuntu-latest
    container: lumen-harbor/builder:latest
    steps:
      - uses: actions/checkout@v6
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - name: Greet
        run: |
          echo "Building the change"
          echo "\${{ github.event.pull_request.title }}"
      - run: cargo build --release
`,
  'app-tests.yml': `name: App tests
on: [push, pull_request]
jobs:
  lint:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v6
      - run: ktlint
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-java@v5
        with:
          distribution: temurin
          java-version: '21'
      - name: Build
        run: gradle assembleDebug
  test:
    needs: lint
    runs-on: ubuntu-24.04
    strategy:
      matrix:
        shard: [1, 2]
    steps:
      - uses: actions/checkout@v6
      - run: make test SHARD=\${{ matrix.shard }}
`,
  'publish.yml': `name: Publish
on:
  release:
    types: [published]
permissions:
  contents: read
jobs:
  publish:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    environment: registry
    concurrency: publish
    permissions:
      contents: read
      id-token: write
    steps:
      - uses: actions/checkout@8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60 # v6.0.1
        with:
          persist-credentials: false
      - run: npm publish --provenance
`,
  'test.yml': `name: Test
on: [push, pull_request]
permissions: {}
jobs:
  unit:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    steps:
      - run: make test
`,
  'e2e-old.yml': `name: Old end-to-end tests
on: workflow_dispatch
jobs:
  end-to-end:
    runs-on: [self-hosted, quay-3]
    steps:
      - uses: actions/checkout@v6
      - name: Start the old way
        run: |
          echo "::set-output name=stage::quay"
          npm install -g harbor-e2e
          npm run e2e
   env:
      STAGE: quay
`,
};

/** The same files before a recommended change of them was merged. */
export const textsBefore: Readonly<Record<string, string>> = {
  'unit-tests.yml': checkOf({ name: 'Unit tests', command: 'make unit-tests', on: everyPush }),
  'screenshots.yml': checkOf({ name: 'Screenshot tests', command: 'make screenshots', on: everyPush }),
  'static-analysis.yml': checkOf({ name: 'Static analysis', command: 'make analyse', on: everyPush }),
  'api-contract.yml': checkOf({ name: 'API contract', command: 'make api-contract', concurrency: '' }),
  'device-tests.yml': checkOf({ name: 'Device tests', command: 'make device-tests', timeout: '' }),
};
