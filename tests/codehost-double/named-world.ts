import type { Instant, LiveWorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { aWorkflow, type RepositoryParts } from './builders.ts';
import { aCommit, anActor } from './delivery-builders.ts';
import { namedBills } from './named-billing.ts';
import {
  brokenDeployments,
  pendingDeployments,
  staleDeployments,
  twoEnvironments,
  webDeployments,
  webHistory,
  webIssues,
  webReleases,
} from './named-history.ts';
import { webJobs } from './named-jobs.ts';
import { apiPullRequests, webPullRequests } from './named-pull-requests.ts';
import { webSecurity } from './named-security.ts';
import type { DoubleWorld } from './world.ts';
import { addRepository, changesOf } from './world-changes.ts';

/** The instant the named world is described at: a Monday, 17:00 in Saigon. */
export const namedNow: Instant = Date.parse('2026-11-16T10:00:00Z');

/** A title that must never become markup. */
export const scriptTitle = '<script>alert(1)</script>';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Workflow ids of octo/web and octo/api. */
export const workflowIds = { webCi: 7001, webDeploy: 7002, webScript: 7003, webDynamic: 7004, apiCi: 7101 } as const;

/**
 * The world tests name things in. `ann` sees everything and manages the security of octo and many, `bo` sees only what
 * is public and octo/web.
 * Tokens: `token-ann`; `token-ann-two` (no read:org, no single sign-on); `token-ann-fine` (fine-grained: octo/web and
 * octo/api); `token-bo`. Organizations: octo, many (205 repositories), sealed (single sign-on).
 */
export function namedWorld(): DoubleWorld {
  const world: DoubleWorld = {
    now: namedNow,
    accounts: [
      {
        id: 101,
        login: 'ann',
        name: 'Ann Ngô',
        email: 'ann@codehost.example',
        memberOf: ['octo', 'many', 'sealed'],
        securityManagerOf: ['octo', 'many'],
      },
      { id: 102, login: 'bo', name: null, email: null, memberOf: [] },
    ],
    tokens: [
      { token: 'token-ann', login: 'ann', scopes: ['repo', 'read:org'], authorizedFor: ['sealed'], only: null },
      { token: 'token-ann-two', login: 'ann', scopes: ['repo'], authorizedFor: [], only: null },
      { token: 'token-ann-fine', login: 'ann', scopes: null, authorizedFor: [], only: ['octo/web', 'octo/api'] },
      { token: 'token-bo', login: 'bo', scopes: ['repo'], authorizedFor: [], only: null },
    ],
    organizations: [
      { id: 201, login: 'octo', singleSignOn: false, ...page('octo'), description: 'Where the tests live' },
      { id: 202, login: 'many', singleSignOn: false, ...page('many'), description: null },
      { id: 203, login: 'sealed', singleSignOn: true, ...page('sealed'), description: null },
    ],
    repositories: [],
    bills: namedBills(namedNow),
  };
  for (const parts of repositories) addRepository(world, structuredClone(parts));
  for (let number = 1; number <= 205; number++)
    addRepository(world, { name: `many/repo-${String(number).padStart(3, '0')}`, workflows: [] });
  const { putRun, putJobs, putPullRequest, putIssue } = changesOf(world);
  for (const run of webRuns) putRun('octo/web', run);
  for (const run of apiRuns) putRun('octo/api', run);
  for (const one of webPullRequests(namedNow)) putPullRequest('octo/web', one);
  for (const one of apiPullRequests(namedNow)) putPullRequest('octo/api', one);
  for (const one of webIssues(namedNow, scriptTitle)) putIssue('octo/web', one);
  for (const number of [71, 72]) putIssue('octo/api', { number });
  putJobs('octo/web', 5011, 1, webJobs(namedNow - hour));
  return world;
}

const page = (login: string) => ({ avatarUrl: `https://avatars.codehost.example/${login}` });

const madeAt = namedNow - 200 * day;

const hidden = { private: true, visibility: 'private' } as const;

const repositories: RepositoryParts[] = [
  {
    name: 'octo/web',
    facts: { id: 1001, ...hidden, description: `The shop ${scriptTitle}`, stars: 42 },
    collaborators: ['bo'],
    headStatus: 'success',
    releases: webReleases(namedNow),
    deployments: webDeployments(),
    environments: ['production'],
    security: webSecurity(namedNow),
    workflowFiles: ['ci.yml', 'deploy.yml'],
    workflows: [
      aWorkflow('octo', 'web', { id: workflowIds.webCi, createdAt: madeAt }),
      aWorkflow('octo', 'web', {
        id: workflowIds.webDeploy,
        createdAt: madeAt,
        name: 'Deploy',
        path: '.github/workflows/deploy.yml',
      }),
      aWorkflow('octo', 'web', {
        id: workflowIds.webScript,
        createdAt: madeAt,
        name: scriptTitle,
        path: '.github/workflows/old.yml',
        state: 'disabled_manually',
      }),
      aWorkflow('octo', 'web', {
        id: workflowIds.webDynamic,
        createdAt: madeAt,
        name: 'Dependabot Updates',
        path: 'dynamic/dependabot/dependabot-updates',
      }),
    ],
    commits: [
      aCommit(namedNow - hour, anActor('ann'), 'Show the price\n\nWith tax.'),
      aCommit(namedNow - day, anActor('dependabot[bot]'), 'Raise a version'),
      aCommit(namedNow - 3 * day, null, 'From somebody without an account'),
      ...webHistory(namedNow),
    ],
  },
  {
    name: 'octo/api',
    facts: { id: 1002, description: 'Größe, 灯台 und 🚀', language: 'Go' },
    headStatus: 'failure',
    deployments: pendingDeployments(namedNow),
    workflows: [aWorkflow('octo', 'api', { id: workflowIds.apiCi, createdAt: madeAt })],
  },
  {
    name: 'octo/empty',
    facts: { id: 1003, language: null, pushedAt: null },
    empty: true,
    commits: [],
    workflows: [],
    workflowFiles: [],
  },
  {
    name: 'octo/old',
    facts: { id: 1004, archived: true, pushedAt: namedNow - 700 * day },
    deployments: staleDeployments(namedNow),
  },
  { name: 'octo/fork', facts: { id: 1005, fork: true }, deployments: twoEnvironments(namedNow) },
  { name: 'octo/secret', facts: { id: 1006, ...hidden }, members: ['ann'], headStatus: 'pending' },
  {
    name: 'octo/renamed-now',
    facts: { id: 1007 },
    formerNames: ['octo/before'],
    deployments: brokenDeployments(namedNow),
  },
  { name: 'octo/no-actions', facts: { id: 1008 }, actionsEnabled: false, workflowFiles: [] },
  { name: 'octo/no-issues', facts: { id: 1009 }, issuesEnabled: false },
  { name: 'ann/dotfiles', facts: { id: 1010, ...hidden, language: null }, workflows: [], workflowFiles: [] },
  { name: 'sealed/ledger', facts: { id: 1011, ...hidden } },
];

type RunParts = Partial<LiveWorkflowRun> & { id: number };

const ago = (id: number, before: number, rest: Partial<LiveWorkflowRun> = {}): RunParts => ({
  id,
  createdAt: namedNow - before,
  ...rest,
});

const inPullRequest = {
  event: 'pull_request',
  headBranch: 'raise-a-version',
  pullRequests: [{ number: 12, url: '', headSha: 'a'.repeat(40) }],
};

/** CI of octo/web, newest first: two not ended; 7 passed, 1 failed, 1 timed out, 1 cancelled, 1 skipped. Two deploys. */
const webRuns: RunParts[] = [
  ago(5013, minute, { status: 'queued' }),
  ago(5012, 4 * minute, { status: 'in_progress', startedAt: namedNow - 3 * minute }),
  ago(5011, hour),
  ago(5010, 2 * hour, { conclusion: 'failure' }),
  ago(5009, 4 * hour, { conclusion: 'failure' }),
  ago(5009, 4 * hour, { attempt: 2, startedAt: namedNow - 3 * hour, triggeringActor: anActor('bo') }),
  ago(5008, 5 * hour, { conclusion: 'cancelled' }),
  ago(5007, 6 * hour, { displayTitle: scriptTitle, headBranch: 'topic', event: 'pull_request' }),
  ago(5006, 7 * hour, { actor: anActor('dependabot[bot]'), ...inPullRequest }),
  ago(5005, 8 * hour, { actor: null, headCommit: null }),
  ago(5004, 9 * hour, { conclusion: 'skipped' }),
  ago(5003, day, { conclusion: 'timed_out', updatedAt: namedNow - day + 6 * hour }),
  ago(5002, 2 * day),
  ago(5001, 40 * day),
  ago(5102, hour + 5 * minute, { workflowId: workflowIds.webDeploy }),
  ago(5101, 2 * day, { workflowId: workflowIds.webDeploy, conclusion: 'failure' }),
];

/** CI of octo/api, newest first: the last three failed; 5204 and 5203 passed only after re-runs. */
const apiRuns: RunParts[] = [
  ago(5207, hour, { conclusion: 'failure' }),
  ago(5206, 3 * hour, { conclusion: 'failure' }),
  ago(5205, 5 * hour, { conclusion: 'failure' }),
  ago(5204, day, { conclusion: 'failure' }),
  ago(5204, day, { attempt: 2, startedAt: namedNow - day + 10 * minute }),
  ago(5203, 2 * day, { conclusion: 'failure' }),
  ago(5203, 2 * day, { attempt: 2, startedAt: namedNow - 2 * day + 10 * minute, conclusion: 'failure' }),
  ago(5203, 2 * day, { attempt: 3, startedAt: namedNow - 2 * day + 20 * minute }),
  ago(5202, 3 * day),
  ago(5201, 4 * day),
];
