const long = (length: number) => 'a'.repeat(length);
const accounts = {
  good: ['octo-org', 'a', 'emu_corp', long(39), 'A1-_'],
  bad: ['-a', '_a', 'a b', ' octo', 'octo ', 'a/b', long(40), 'ü', 'dependabot[bot]', 'a.b', '..', 'a%00', "a'"],
};
const names = {
  good: ['.github', 'a.b_c-d', long(100), '-', '_', 'git', 'x.gitignore', '...'],
  bad: ['.', '..', 'x.git', '.git', long(101), 'a/b', 'a%00', 'a b', ' web', 'web\n', 'ü'],
};
const identifiers = {
  good: ['1', '9007199254740991'],
  bad: ['0', '-1', '1.5', '12abc', '9007199254740992', '+1', ' 1', '1e3', '0x10', 'NaN', '99999999999999999999'],
};
/** A repository in one word. */
const months = { good: ['2026-10', '2026-09'], bad: ['2026-13', '2026-1', '2026-10-01', 'October', ' 2026-10'] };

const moments = {
  good: ['2026-03-14', '2026-03-14T17:02Z', '2026-03-14T17:02:30.5+01:00'],
  bad: [
    '2026-3-14',
    '2026-02-30T25:00Z',
    '2026-02-31',
    '2026-02-31T10:00Z',
    '2026-03-14 17:02',
    '2026-03-14T17:02',
    'yesterday',
    '14.03.2026',
  ],
};
const repositoryNames = {
  good: ['octo/web', 'a/.github', `${long(39)}/x`, 'Octo/WEB'],
  bad: ['web', 'octo/', '/web', 'octo/web/x', 'octo/..', 'octo/x.git', '-a/web', ' octo/web', 'octo/web ', 'octo/%00'],
};
/** Whole numbers of an option: below the least is rejected, above the most clamped, which a header or the body reports. */
export const ranges: Record<string, { least: number; most: number; clamps: boolean | 'as the body says' }> = {
  '/api/codehost/repo-attention per_page': { least: 1, most: 25, clamps: true },
  '/api/codehost/runs per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/workflow-health per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/workflow-reliability per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/job-stats per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/runner-stats per_page': { least: 1, most: 50, clamps: true },
  '/api/codehost/workflow-cost per_page': { least: 1, most: 50, clamps: true },
  '/api/codehost/team-stats per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/audit-log limit': { least: 1, most: 100, clamps: true },
  '/api/codehost/workflow-change-outcomes limit': { least: 1, most: 100, clamps: true },
  '/api/codehost/org-overview limit': { least: 1, most: 50, clamps: true },
  '/api/codehost/org-health-scorecard limit': { least: 1, most: 20, clamps: true },
  '/api/codehost/merge-queue/batches limit': { least: 1, most: 1000, clamps: true },
  '/api/codehost/merge-queue/entries limit': { least: 1, most: 1000, clamps: true },
  '/api/exposure/actions limit': { least: 1, most: 1000, clamps: true },
  '/api/exposure/actions page': { least: 1, most: 1000, clamps: false },
  '/api/exposure/search limit': { least: 1, most: 1000, clamps: true },
  '/api/exposure/search page': { least: 1, most: 1000, clamps: false },
  '/api/advisor/plan limit': { least: 1, most: 100, clamps: true },
  '/api/advisor/plan page': { least: 1, most: 1000, clamps: false },
  '/api/advisor/recommendations days': { least: 28, most: 90, clamps: 'as the body says' },
  '/api/explain per_page': { least: 1, most: 100, clamps: true },
  '/api/db/runs limit': { least: 1, most: 500, clamps: true },
  '/api/db/runs offset': { least: 0, most: 100_000, clamps: false },
  '/api/codehost/issues days': { least: 1, most: 90, clamps: 'as the body says' },
  '/api/db/collection limit': { least: 1, most: 200, clamps: true },
  '/api/db/collection offset': { least: 0, most: 100_000, clamps: false },
  '/api/db/sync limit': { least: 1, most: 200, clamps: true },
  '/api/db/sync offset': { least: 0, most: 100_000, clamps: false },
  '/api/db/trends days': { least: 1, most: 365, clamps: false },
  '/api/db/trends quarters': { least: 1, most: 12, clamps: false },
  '/api/db/compare days': { least: 7, most: 90, clamps: false },
  '/api/alerts/preview window_hours': { least: 1, most: 2160, clamps: false },
  '/api/alerts/preview min_sample': { least: 1, most: 1000, clamps: false },
  '/api/jobs limit': { least: 1, most: 50, clamps: true },
  '/api/shares limit': { least: 1, most: 500, clamps: true },
  '/api/shares offset': { least: 0, most: 1_000_000, clamps: false },
  '/api/admin/sessions limit': { least: 1, most: 500, clamps: true },
  '/api/admin/sessions offset': { least: 0, most: 1_000_000, clamps: false },
  '/api/demo count': { least: 1, most: 200, clamps: true },
  '/api/codehost/repo-attention page': { least: 1, most: 1000, clamps: false },
  '/api/codehost/org-security limit': { least: 1, most: 50, clamps: true },
  '/api/codehost/org-security page': { least: 1, most: 1000, clamps: false },
  '/api/explain page': { least: 1, most: 1000, clamps: false },
};
const text: Record<string, { good: string[]; bad: string[] }> = {
  bots: { good: ['in', 'out'], bad: ['IN', ' in', 'none', '1', 'true'] },
  conclusion: {
    good: [
      'success',
      'failure',
      'cancelled',
      'skipped',
      'timed_out',
      'action_required',
      'neutral',
      'stale',
      'startup_failure',
    ],
    bad: ['bogus', 'SUCCESS', ' success'],
  },
  type: { good: ['daily', 'quarterly', 'org'], bad: ['weekly', 'Daily'] },
  resource: { good: ['repos', 'runs'], bad: ['org', 'REPOS', 'index'] },
  visibility: { good: ['all', 'public', 'private'], bad: ['internal', 'none'] },
  table: { good: ['anomalies', 'flaky_commits', 'actors'], bad: ['bogus', 'Anomalies', ' tips'] },
  source: { good: ['dependabot', 'code_scanning', 'secret_scanning'], bad: ['all', 'Dependabot'] },
  age: { good: ['30', '90'], bad: ['60', '0', '30.0', '030', ' 30', 'x'] },
  rule: {
    good: ['SEC-012', 'GHSA-0000-0000-0001', 'code_scanning:js/xss', '@', long(200)],
    bad: [long(201), 'a\u0000', '\n'],
  },
  severity: { good: ['critical', 'high', 'medium', 'low'], bad: ['info', 'HIGH'] },
  ids: {
    good: ['0123456789abcdef', '0123456789abcdef,5b1f0c9d2e7a4463'],
    bad: ['x', '0123456789abcdef,', Array.from({ length: 21 }, () => '0'.repeat(16)).join()],
  },
  id: { good: ['0123456789abcdef'], bad: ['0', 'g'.repeat(16), '5B1F0C9D2E7A4463', '5b1f0c9d2e7a44630'] },
  kind: { good: ['ADV-01', 'ADV-22'], bad: ['ADV-1', 'adv-01', 'SEC-001', ' ADV-01'] },
  workflow: { good: ['ci.yml', 'nested/ci.yaml'], bad: ['../ci.yml', 'a\u0000', long(256)] },
  half: { good: ['recent', 'prior'], bad: ['first', 'Recent', ' prior'] },
  refresh: { good: ['1'], bad: ['0', 'true', '2', ' 1'] },
  metric: { good: ['lead_time', 'bus_factor', 'abandon_rate'], bad: ['bogus', 'LEAD_TIME', ' lead_time'] },
};
const workdays: Record<string, { good: string[]; bad: string[] }> = {
  '/api/settings/team/preview timezone': {
    good: ['UTC', 'Asia/Saigon', 'Asia/Ho_Chi_Minh'],
    bad: ['Mars/Base', '+07:00', 'UTC ', '7'],
  },
  '/api/settings/team/preview start': { good: ['0', '18'], bad: ['24', '-1', '8.5', ' 8', 'x'] },
  '/api/settings/team/preview end': { good: ['9', '24'], bad: ['0', '25', '9.5', '1e1', 'x'] },
};
const days = {
  good: [],
  bad: ['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '2026-10-01T00:00:00Z', ' 2026-10-01', 'today', '7'],
};
const people = { good: ['30', '90'], bad: ['60', '0', '-30', '30.0', '030', ' 30', 'x', '1e2'] };
const queueDays = { good: ['7', '30', '90'], bad: ['8', '0', '-7', '30.0', '030', ' 30', 'x', '1e2'] };
const branchName = { good: ['main', 'release/1.2', long(255)], bad: ['a b', ' main', 'a\u0000', long(256)] };
const grammar: Record<string, { good: string[]; bad: string[] }> = {
  owner: accounts,
  org: accounts,
  login: { good: [...accounts.good, 'dependabot[bot]'], bad: accounts.bad.filter((one) => !one.endsWith('[bot]')) },
  repo: names,
  workflow_id: identifiers,
  run_id: identifiers,
  attempt: identifiers,
  year: { good: ['2019', '2025', '2026'], bad: ['2018', '10000', '0', 'x', '1.5', '-1', '1e3', ' 2025'] },
  month: { good: ['1', '10', '11'], bad: ['0', '13', 'x', '1.5', '-1', '1e0', ' 1'] },
  ...text,
  ...workdays,
  scope: {
    good: ['repo:octo/web', 'org:octo', 'repo:Octo/WEB'],
    bad: [
      'octo/web',
      'repo:octo',
      'org:',
      'org:octo/web',
      'Repo:octo/web',
      ' org:octo',
      'repo:octo/web/x',
      'repo:-o/web',
    ],
  },
  '/api/codehost/contributor-profile requested_reviews': { good: ['0', '1'], bad: ['2', 'true', ' 1'] },
  '/api/alerts events': { good: ['0', '1'], bad: ['2', 'true', ' 1'] },
  '/api/alerts/preview metric': {
    good: ['failure_rate', 'success_streak', 'oversized_commit_pct'],
    bad: ['lead_time', 'FAILURE_RATE', ' failure_rate', 'leadership_digest'],
  },
  '/api/alerts/preview threshold': {
    good: ['0', '100', '12.5'],
    bad: ['-1', '100.1', 'x', '1e2', ' 5', '+5', '.5', 'NaN', 'Infinity'],
  },
  '/api/ai/anomaly-explanation metric': { good: ['duration', 'queue_wait'], bad: ['cost', 'DURATION', ' duration'] },
  '/api/codehost/job-stats table': { good: ['jobs', 'steps', 'critical_path'], bad: ['runs', 'Jobs'] },
  '/api/codehost/workflow-cost table': { good: ['runs', 'waste', 'pull_requests'], bad: ['jobs', ' runs'] },
  '/api/codehost/billing/cost-analysis table': {
    good: ['skus', 'products', 'by_repository', 'by_day'],
    bad: ['plans', 'SKUS'],
  },
  '/api/db/workflows repo': repositoryNames,
  '/api/db/cost repo': repositoryNames,
  '/api/advisor/plan repository': names,
  '/api/exposure/actions kind': {
    good: ['action', 'reusable_workflow', 'image'],
    bad: ['docker', 'Action', ' action'],
  },
  '/api/exposure/actions sort': {
    good: ['alarming', 'name', 'repositories', 'workflows'],
    bad: ['-name', 'Name', ' name'],
  },
  '/api/exposure/actions pin': {
    good: ['sha', 'immutable', 'version_tag', 'major_tag', 'tag', 'branch', 'digest', 'image_tag'],
    bad: ['none', 'SHA', ' tag'],
  },
  '/api/exposure/actions/history name': {
    good: [...repositoryNames.good, 'octo/web/x', 'octo/web/.github/workflows/ci.yml'],
    bad: [...repositoryNames.bad.filter((name) => name !== 'octo/web/x'), 'octo/web/', 'octo/web/a@b', 'octo/../x'],
  },
  '/api/exposure/actions/history ref': {
    good: ['v4', 'release/v1', 'refs/tags/v1'],
    bad: ['v 4', 'x'.repeat(256)],
  },
  '/api/exposure/search kind': { good: ['action', 'reusable_workflow'], bad: ['docker', 'Action', ' action'] },
  '/api/exposure/search name': {
    good: ['octo/web', 'Octo/web/x', 'octo/web/.github/workflows/ci.yml', `a/b,c/d@v4*,e/f@${'a'.repeat(40)}`],
    bad: ['octo', 'octo/', '/web', 'octo/web@', 'octo/../x', ' octo/web', 'a/b,', 'a/b,c', 'a/../b@v1', 'a/b@v1@v2'],
  },
  '/api/exposure/search ref': { good: ['v4', 'v4*', 'v1,v2,release/v3'], bad: ['v 4', '*v', 'v1,', '*'] },
  '/api/exposure/search sha': {
    good: ['a'.repeat(40), `${'a'.repeat(40)},${'b'.repeat(40)}`],
    bad: ['a'.repeat(39), 'A'.repeat(40), 'a'.repeat(41), `${'a'.repeat(40)},`],
  },
  '/api/exposure/search digest': { good: [`sha256:${'a'.repeat(64)}`], bad: ['a'.repeat(64), 'sha256:a'] },
  '/api/exposure/search range': {
    good: ['= 1.0.0', '>= 4.0.0, < 4.3.5', '<=1.2'],
    bad: ['1.0.0', '^1.0.0', '>= x', '>= 1.0.0 < 2.0.0', '= 1.2.3.4'],
  },
  '/api/exposure/search from': moments,
  '/api/exposure/search to': moments,
  '/api/exposure/search repo': repositoryNames,
  '/api/exposure/search verdict': { good: ['proven', 'possible', 'unknown', 'no'], bad: ['yes', 'No', ' no'] },
  '/api/ai-authorship/summary from': months,
  '/api/ai-authorship/summary to': months,
  '/api/ai-authorship/trend from': months,
  '/api/ai-authorship/trend to': months,
  '/api/db/marks repo': repositoryNames,
  '/api/db/cost by': { good: ['workflow', 'repository', 'runner', 'day'], bad: ['branch', 'Workflow', ' day'] },
  range: {
    good: ['7', '30', '90', 'quarter', '2026-05-01..2026-05-31', '2025-06-01..2026-06-01'],
    bad: [
      '14',
      '07',
      'Quarter',
      ' 30',
      '30.0',
      'custom',
      '2026-05-31..2026-05-01',
      '2026-02-30..2026-03-01',
      '2024-01-01..2025-06-01',
      '2026-05-01',
    ],
  },
  metrics: {
    good: [
      'success_rate',
      'runs,merged',
      'first_review,lead_time,queue_p95,duration_p95,duration_p50',
      'merged,success_rate,runs',
    ],
    bad: [
      'bogus',
      'RUNS',
      ' runs',
      'runs,',
      ',runs',
      'runs, merged',
      'runs merged',
      'runs,runs',
      'success_rate,duration_p50,duration_p95,queue_p95,runs,merged',
    ],
  },
  // A good one goes with the other three alone.
  a_from: days,
  a_to: days,
  b_from: days,
  b_to: days,
  compare: { good: ['previous', 'year', 'off'], bad: ['none', 'Previous', ' off'] },
  sort: { good: ['cost', 'wasted', 'median', 'name'], bad: ['-cost', 'Cost', 'bogus', ' runs'] },
  '/api/codehost/org-security source': {
    good: ['dependabot', 'code_scanning', 'secret_scanning'],
    bad: ['workflows', 'Dependabot', 'secrets'],
  },
  '/api/codehost/org-security state': { good: ['unreadable', 'not_enabled'], bad: ['ok', 'forbidden', 'Unreadable'] },
  '/api/codehost/merge-queue days': queueDays,
  '/api/codehost/merge-queue/entries days': queueDays,
  '/api/codehost/merge-queue/entries branch': branchName,
  '/api/codehost/merge-queue/entries from': moments,
  '/api/codehost/merge-queue/entries to': { good: ['2026-10-14', '2026-10-14T17:02:30.5+01:00'], bad: moments.bad },
  '/api/codehost/merge-queue/batches days': queueDays,
  '/api/codehost/merge-queue/batches branch': branchName,
  '/api/codehost/merge-queue/batches from': moments,
  '/api/codehost/merge-queue/batches to': { good: ['2026-10-14', '2026-10-14T17:02:30.5+01:00'], bad: moments.bad },
  '/api/codehost/merge-queue/batches size': identifiers,
  '/api/codehost/merge-queue/batches cursor': {
    good: ['1790000000000.12'],
    bad: ['x', '1', '1.1.1', '.1', ' 1.1'],
  },
  '/api/codehost/merge-queue/entries outcome': {
    good: ['merged', 'ejected', 'removed', 'open'],
    bad: ['Merged', 'closed', ' open'],
  },
  '/api/codehost/merge-queue/entries reason': {
    good: ['merged', 'checks_failed', 'unknown'],
    bad: ['failed_checks', 'Merged', ' manual'],
  },
  '/api/codehost/merge-queue/entries check': { good: ['CI', 'Build / test', long(500)], bad: ['a\u0000', long(501)] },
  '/api/codehost/merge-queue/entries number': identifiers,
  '/api/codehost/merge-queue/entries cursor': {
    good: ['0.1790000000000.12.0', '1.1790000000000.12.1789999999999'],
    bad: ['x', '2.1.1.1', '1.1.1', '1.1.1.1.1', ' 1.1.1.1'],
  },
  '/api/codehost/merge-queue branch': branchName,
  '/api/explain branch': branchName,
  '/api/codehost/repo-contributors days': people,
  '/api/codehost/org-contributors days': people,
  '/api/codehost/team-workload-risk days': people,
  '/api/db/working-habits days': people,
  // Metrics of issues take any number from 7 to 90, this one does not.
  '/api/explain days': { ...people, bad: people.bad.filter((one) => one !== '030') },
};
/** Good and bad values of a parameter; what is said of it at this address goes before what is said of its name. */
export const grammarOf = (path: string, field: string) => grammar[`${path} ${field}`] ?? grammar[field];
