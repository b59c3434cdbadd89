import { workflowIds } from '../codehost-double/named-world.ts';
import { docsPages } from './known-docs.ts';

const ci = `/repos/octo/web/workflows/${workflowIds.webCi}`;

/** A page, with what it says when everything can be read. */
export interface Known {
  /** As `app/routes.ts` has it; '' is the start page. */
  route: string;
  path: string;
  says: string[];
  open?: true;
  status?: number;
  scripts?: true;
}

/** Every page of the application, by an address that answers. */
export const pages: Known[] = [
  { route: '', path: '/', says: ['Needs attention', 'octo/api', 'failing'] },
  {
    route: 'repositories',
    path: '/repositories',
    says: ['octo/api', 'failing', '57 % of 7', '67 % of 9', '1–25 of 216 repositories'],
  },
  { route: 'setup', path: '/setup', says: ['Sign in with a GitHub token', 'read:org'], open: true },
  {
    route: 'repos/:owner/:repo',
    path: '/repos/octo/web',
    says: ['checks pass', '67 % n = 9', 'Awaiting review 1', 'Changes requested 1', 'Ready to merge 1'],
  },
  {
    route: 'repos/:owner/:repo/pull-requests',
    path: '/repos/octo/web/pull-requests',
    says: ['#21 Waits for a reviewer', 'Time to first review', 'Cycle time by phase'],
  },
  {
    route: 'repos/:owner/:repo/merge-queue',
    path: '/repos/octo/web/merge-queue',
    says: ['This repository has no merge queue.', 'branch rules of main'],
  },
  {
    route: 'repos/:owner/:repo/merge-queue/entries',
    path: '/repos/octo/web/merge-queue/entries',
    says: ['Merge queue entries', 'This branch has no merge queue.'],
  },
  {
    route: 'repos/:owner/:repo/workflows',
    path: '/repos/octo/web/workflows',
    says: ['71 % of 7', '.github/workflows/ci.yml', 'Duration of workflows'],
  },
  {
    route: 'repos/:owner/:repo/deployments',
    path: '/repos/octo/web/deployments',
    says: ['recorded deployments', '50 %', 'from 4 finished deployments', 'small sample'],
  },
  {
    route: 'explain',
    path: '/explain?metric=lead_time&owner=octo&repo=web',
    says: ['Lead time to merge', '#1 Count the lamps', 'by a bot'],
  },
  {
    route: 'repos/:owner/:repo/issues',
    path: '/repos/octo/web/issues',
    says: ['Backlog grew by', 'Awaiting first response'],
  },
  {
    route: 'repos/:owner/:repo/issues/new',
    path: '/repos/octo/web/issues/new?metric=duration&valueMs=600000&expectedMs=60000&runNumber=5010&runId=5010',
    says: ['File an issue', 'The duration of [run 5010]', 'Expected: 1 min', 'Preview'],
  },
  {
    route: 'repos/:owner/:repo/security',
    path: '/repos/octo/web/security',
    says: ['4 open alerts', '2 critical', 'Lamp parser runs what it reads', 'read', 'of 2 workflow files scanned'],
  },
  {
    route: 'repos/:owner/:repo/changes',
    path: '/repos/octo/web/changes',
    says: ['1 change', 'Everywhere', 'ci.yml', '1 change of 1 file by 1 author; none verified.'],
  },
  {
    route: 'repos/:owner/:repo/advisor',
    path: '/repos/octo/web/advisor',
    says: ['No open recommendation in 2 workflow files', 'No numbers yet', 'Cancel superseded runs', 'ci.yml, line 2'],
  },
  {
    route: 'repos/:owner/:repo/advisor/pull-request',
    path: '/repos/octo/web/advisor/pull-request',
    says: ['Chosen changes', 'Choose at least one change'],
  },
  {
    route: 'repos/:owner/:repo/advisor/:id',
    path: '/repos/octo/web/advisor/3309adfd81a96b28',
    says: ['Cancel superseded runs', 'Not recommended', 'Jobs of fewer than 28 days are stored'],
  },
  {
    route: 'repos/:owner/:repo/workflows/:workflowId',
    path: ci,
    says: ['78 %', '1 h 13 min', '1 h 13 min'],
    scripts: true,
  },
  {
    route: 'repos/:owner/:repo/workflows/:workflowId',
    path: `${ci}?tab=runs&run=5010`,
    says: ['Change 5011', 'timed out', 'Jobs of run #5010', '1 job, 1 failed'],
    scripts: true,
  },
  { route: 'reports', path: '/reports', says: ['Reports of octo', 'All branches'] },
  {
    route: 'reports',
    path: '/reports?repo=octo%2Fweb',
    says: ['No data has been synced', 'not synced', 'Commits of merged'],
  },
  { route: 'alerts', path: '/alerts', says: ['No alert rules yet', 'Unusual runs', 'Back-test'] },
  {
    route: 'demo',
    path: '/demo',
    says: ['lumen-harbor/harbor-gateway', 'Checks fail on the default branch', 'CI by repository, 90 days'],
    open: true,
  },
  {
    route: 'demo/repositories',
    path: '/demo/repositories',
    says: ['lumen-harbor/harbor-gateway', 'Checks fail on the default branch'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo',
    path: '/demo/repos/lumen-harbor/beacon-api',
    says: ['% n = 10', 'checks pass', 'Awaiting review'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/pull-requests',
    path: '/demo/repos/lumen-harbor/tidewater-web/pull-requests',
    says: ['Open pull requests', 'Cycle time by phase', 'Merge queue', 'In queue', 'Ejection rate'],
    open: true,
  },
  {
    route: 'repos/:owner/:repo/merge-queue/batches',
    path: '/repos/octo/web/merge-queue/batches',
    says: ['Merge queue batches', 'This branch has no merge queue.'],
  },
  {
    route: 'demo/repos/:owner/:repo/merge-queue/batches',
    path: '/demo/repos/lumen-harbor/tidewater-web/merge-queue/batches',
    says: ['Merge queue batches', 'Merged to deployed', 'by time alone'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/merge-queue',
    path: '/demo/repos/lumen-harbor/tidewater-web/merge-queue',
    says: ['Merge queue', 'Time in queue', 'Ejection rate', 'Checks that decide the pace'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/merge-queue/entries',
    path: '/demo/repos/lumen-harbor/tidewater-web/merge-queue/entries?outcome=ejected',
    says: ['Merge queue entries', 'Checks failed: CI /', 'Ejected'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/workflows',
    path: '/demo/repos/lumen-harbor/beacon-api/workflows',
    says: ['Nightly checks', 'Last ten runs'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/deployments',
    path: '/demo/repos/lumen-harbor/tidewater-web/deployments',
    says: ['recorded deployments', 'staging', 'Recent deployments'],
    open: true,
  },
  {
    route: 'demo/explain',
    path: '/demo/explain?metric=deploys_per_day&owner=lumen-harbor&repo=tidewater-web',
    says: ['Deployment frequency', 'in another environment'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/issues',
    path: '/demo/repos/lumen-harbor/beacon-api/issues',
    says: ['Backlog', 'Awaiting first response', 'Assignees'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/issues/new',
    path: '/demo/repos/lumen-harbor/beacon-api/issues/new',
    says: ['Issues cannot be filed in the demo'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/security',
    path: '/demo/repos/lumen-harbor/tidewater-web/security',
    says: ['6 open alerts', 'Map service key', 'publicly leaked', 'Fix:'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/advisor',
    path: '/demo/repos/lumen-harbor/harbor-gateway/advisor',
    says: ['recommendations in 2 workflow files', 'Grant the least permissions', 'build.yml, line 6'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/advisor/pull-request',
    path: '/demo/repos/lumen-harbor/harbor-gateway/advisor/pull-request?ids=3a22f88c7c47f6aa',
    says: ['Grant the least permissions', 'contents: read', 'Not in the sample', 'Download patch'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/advisor/:id',
    path: '/demo/repos/lumen-harbor/harbor-gateway/advisor/3a22f88c7c47f6aa',
    says: ['Grant the least permissions', 'contents: read', 'Download patch'],
    open: true,
  },
  {
    route: 'demo/repos/:owner/:repo/changes',
    path: '/demo/repos/lumen-harbor/tidewater-web/changes',
    says: ['preview.yml', 'removed', 'All files', 'Everybody'],
    open: true,
  },
  {
    route: 'repos/:owner/:repo/team',
    path: '/repos/octo/web/team?range=30',
    says: ['all 4 merged pull requests', 'too few to assess concentration risk', 'Review load'],
  },
  { route: 'team', path: '/team', says: ['Team of octo', 'Bots In Out', 'Organization', 'Repository'] },
  {
    route: 'demo/repos/:owner/:repo/team',
    path: '/demo/repos/lumen-harbor/beacon-api/team?range=last-60',
    says: ['all 60 closed pull requests', 'People who merged or reviewed, by name', 'tide-updates'],
    open: true,
  },
  {
    route: 'demo/team',
    path: '/demo/team',
    says: ['Team of lumen-harbor', 'People who merged or reviewed, by name'],
    open: true,
  },
  { route: 'team', path: '/team?org=octo', says: ['No repository of octo has been synced yet'] },
  {
    route: 'demo/team',
    path: '/demo/team?org=lumen-harbor',
    says: ['Team of lumen-harbor', 'Review load', 'tide-updates'],
    open: true,
  },
  {
    route: 'working-habits',
    path: '/working-habits',
    says: ['No repository of octo that you can see is synced', 'Sync now'],
  },
  { route: 'views', path: '/views', says: ['Saved views', 'No saved views yet'] },
  { route: 'search', path: '/search?q=web', says: ['Search', 'octo/web', 'Ctrl K or Cmd K'] },
  {
    route: 'demo/search',
    path: '/demo/search?q=mira',
    says: ['People', 'mira-okafor', 'lumen-harbor'],
    open: true,
  },
  { route: 'working-habits', path: '/working-habits?repo=octo/web', says: ['octo/web is not synced'] },
  {
    route: 'demo/alerts',
    path: '/demo/alerts',
    says: ['Firing', 'Muted', 'Alert history', 'Resolved', 'Rules are read-only in the demo.'],
    open: true,
  },
  {
    route: 'demo/reports',
    path: '/demo/reports',
    says: ['Reports of lumen-harbor', 'Runs per day', 'Repositories with data', 'Data is not synced in the demo.'],
    open: true,
  },
  {
    route: 'demo/reports',
    path: '/demo/reports?repo=lumen-harbor%2Fbeacon-api',
    says: ['Last 6 quarters', 'Data coverage', 'All stored runs', 'Nightly checks #'],
    open: true,
  },
  {
    route: 'demo/working-habits',
    path: '/demo/working-habits?org=lumen-harbor&range=90',
    says: ['People, by name', 'more than 20 files or 400 lines', 'Oversized changes'],
    open: true,
  },
  { route: 'org/:org', path: '/org/octo', says: ['65 %', 'n = 17', 'Lowest success rates', 'no-actions'] },
  { route: 'org/:org/health', path: '/org/octo/health', says: ['Health of octo', 'Median score', '60 % delivery'] },
  { route: 'org/:org/advisor', path: '/org/octo/advisor', says: ['CI savings in octo', 'Not predicted'] },
  {
    route: 'org/:org/actions',
    path: '/org/octo/actions',
    says: ['Actions in use', 'Workflow files are read every night at 05:17 UTC'],
  },
  {
    route: 'org/:org/exposure',
    path: '/org/octo/exposure?name=some/tool',
    says: ['Exposure', 'possibly affected', 'What could not be checked'],
  },
  {
    route: 'org/:org/ai-authorship',
    path: '/org/octo/ai-authorship',
    says: ['AI-authored pull requests', 'Off.', 'until an administrator switches it on'],
  },
  {
    route: 'org/:org/merge-queues',
    path: '/org/octo/merge-queues',
    says: ['Merge queues', 'No repository of octo has been synced yet'],
  },
  {
    route: 'demo/org/:org/merge-queues',
    path: '/demo/org/lumen-harbor/merge-queues',
    says: ['Merge queues', 'Slowest:', 'lumen-harbor/tidewater-web', 'other repositories no merge queue was seen'],
    open: true,
  },
  {
    route: 'demo/org/:org/ai-authorship',
    path: '/demo/org/lumen-harbor/ai-authorship',
    says: ['At least', 'carried a mark of an AI agent', 'No mark does not mean written by a person.', 'Copilot'],
    open: true,
  },
  {
    route: 'demo/org/:org/exposure',
    path: '/demo/org/lumen-harbor/exposure?name=harbor-tools%2Fsetup-lantern&ref=v2',
    says: [
      'possibly affected',
      'There is proof that they did not use it.',
      'Possibly affected',
      'What could not be checked',
    ],
    open: true,
  },
  {
    route: 'demo/org/:org/actions',
    path: '/demo/org/lumen-harbor/actions?name=harbor-tools%2Fsetup-lantern&ref=v2',
    says: ['Third-party refs not pinned', 'Alarming moves', 'History of harbor-tools/setup-lantern@v2', 'Force-moved'],
    open: true,
  },
  {
    route: 'demo/org/:org',
    path: '/demo/org/lumen-harbor',
    says: ['archived', 'tidewater-web', 'All runs weighted equally'],
    open: true,
  },
  {
    route: 'demo/org/:org/health',
    path: '/demo/org/lumen-harbor/health',
    says: ['Median score', 'harbor-gateway', 'Archived old-lantern'],
    open: true,
  },
  {
    route: 'demo/org/:org/advisor',
    path: '/demo/org/lumen-harbor/advisor',
    says: ['together:', 'fewer minutes', 'pilot-mobile', 'Security changes'],
    open: true,
  },
  {
    route: 'contributor/:login',
    path: '/contributor/ana?owner=octo',
    says: ['Activity in repositories of octo', 'Last 90 days', '1:1 brief'],
  },
  {
    route: 'contributor/:login/brief',
    path: '/contributor/ana/brief?owner=octo',
    says: ['1:1 brief: ', 'Conversation starters', 'are not saved'],
  },
  {
    route: 'demo/contributor/:login',
    path: '/demo/contributor/tuan-pham?owner=lumen-harbor',
    says: ['Tuan Pham', 'From opened to merged', 'opened in 90 days'],
    open: true,
  },
  {
    route: 'demo/contributor/:login/brief',
    path: '/demo/contributor/tuan-pham/brief?owner=lumen-harbor',
    says: ['Before and after', 'Conversation starters'],
    open: true,
  },
  {
    route: 'pull-requests',
    path: '/pull-requests',
    says: ['None of your repositories has been synced yet', 'Sync repositories'],
  },
  {
    route: 'demo/pull-requests',
    path: '/demo/pull-requests',
    says: ['Longest wait:', 'Open by repository', 'Median time to merge', 'lumen-harbor/beacon-api'],
    open: true,
  },
  {
    route: 'deployments',
    path: '/deployments',
    says: ['None of your repositories has been synced yet', 'Sync repositories'],
  },
  {
    route: 'demo/deployments',
    path: '/demo/deployments',
    says: [
      'deployments failed',
      'Finished by repository',
      'Production deployments per day',
      'Median time to restore',
      'lumen-harbor/tidewater-web',
    ],
    open: true,
  },
  { route: 'ci', path: '/ci', says: ['None of your repositories has been synced yet', 'Sync repositories'] },
  {
    route: 'demo/ci',
    path: '/demo/ci',
    says: ['Slowest:', 'Most wasted:', 'Duration by day', 'lumen-harbor/beacon-api'],
    open: true,
  },
  {
    route: 'demo/ci',
    path: '/demo/ci?view=slow',
    says: ['Most run time:', 'up to p90', 'Duration by day'],
    open: true,
    scripts: true,
  },
  {
    route: 'security',
    path: '/security?org=octo',
    says: ['Security of octo', '2 critical 1 high', 'Archived repositories are excluded: 1.', 'lamp-parser'],
  },
  {
    route: 'demo/security',
    path: '/demo/security',
    says: ['Security of lumen-harbor', 'at least', '1 with sources not readable', 'not enabled'],
    open: true,
  },
  {
    route: 'cost',
    path: '/cost?view=bill&org=octo',
    says: ['Cost of octo', '$28.29', '2,600 of 3,000', 'Linux 4-core', 'actions_linux_3_core_quantum'],
  },
  { route: 'cost', path: '/cost?view=bill', says: ['Cost of your account', '61', 'pro plan'] },
  { route: 'cost', path: '/cost', says: ['None of your repositories has been synced yet', 'Sync repositories'] },
  {
    route: 'demo/cost',
    path: '/demo/cost',
    says: ['Most expensive:', 'Forecast', 'Cost per day', 'Wasted/month', 'lumen-harbor/beacon-api'],
    open: true,
  },
  {
    route: 'demo/cost',
    path: '/demo/cost?view=runner',
    says: ['Runner labels', 'ubuntu-24.04', 'self-hosted'],
    open: true,
  },
  { route: 'cost', path: '/cost?org=octo&year=2024&month=9', says: ['September 2024', 'No usage'] },
  {
    route: 'demo/cost',
    path: '/demo/cost?view=bill',
    says: ['Cost of lumen-harbor', 'Minutes', 'Usage by SKU'],
    open: true,
  },
  {
    route: 'demo/cost',
    path: '/demo/cost?year=2025&month=3',
    says: ['Cost of lumen-harbor', 'March 2025', 'No usage in this month.'],
    open: true,
  },
  ...docsPages,
  {
    route: 'settings',
    path: '/settings',
    says: [
      'Signed in as ann (Ann Ngô)',
      'standalone: single user',
      'Delivery metrics',
      'embedded, for a single process',
    ],
  },
  { route: 'settings/session', path: '/settings/session', says: ['Sessions'] },
  { route: 'settings/tokens', path: '/settings/tokens', says: ['Access tokens', 'No tokens yet.', 'Create token'] },
  {
    route: 'settings/shares',
    path: '/settings/shares',
    says: ['Badges and links', 'Nothing is shared.', 'Copy badge'],
  },
  { route: 's/:token', path: '/s/nothing', says: ['Not found'], open: true, status: 404 },
  {
    route: 'settings/sharing',
    path: '/settings/sharing',
    says: ['Who may share', 'Who may make badges and links', 'Save'],
  },
  {
    route: 'settings/advisor',
    path: '/settings/advisor',
    says: ['CI recommendations', 'Recommend changes of workflow files', 'Never recommend', 'Save'],
  },
  {
    route: 'settings/ai-authorship',
    path: '/settings/ai-authorship',
    says: ['Look for marks of AI agents', 'Own agents', 'Excluded repositories', 'Save'],
  },
  {
    route: 'settings/team',
    path: '/settings/team',
    says: ['08:00 to 19:00, Monday to Friday', 'Friday 20:30', 'after hours', 'Fixed.'],
  },
  {
    route: 'settings/working-habits',
    path: '/settings/working-habits',
    says: ['a commit with more than 20 files or 400 lines', 'Fixed.'],
  },
  {
    route: 'settings/ai',
    path: '/settings/ai',
    says: ['AI is off', 'Fixed.', 'AI_DISABLED'],
  },
  {
    route: 'settings/email',
    path: '/settings/email',
    says: ['No email provider configured', 'none yet', 'Postmark'],
  },
  {
    route: 'settings/telemetry',
    path: '/settings/telemetry',
    says: ['Traces', 'Nothing is sent: there is no destination.', 'Add destination', 'METRICS_TOKEN is not set.'],
  },
  {
    route: 'settings/webhooks',
    path: '/settings/webhooks',
    says: ['Webhooks', 'Nothing is sent: there is no endpoint.', 'Add endpoint'],
  },
  {
    route: 'settings/jobs',
    path: '/settings/jobs',
    says: ['Scheduling is off', 'daily at 03:17', 'CODEHOST_TOKEN is not set', 'No runs yet'],
  },
  { route: '*', path: '/docsx', says: ['Not found'], open: true, status: 404 },
];
