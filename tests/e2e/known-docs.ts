import type { Known } from './known-pages.ts';

/** Pages of the documentation. */
export const docsPages: Known[] = [
  {
    route: 'docs',
    path: '/docs',
    says: ['How to read the numbers', 'Workflow runs', 'Back up and restore', 'Search the documentation'],
    open: true,
  },
  {
    route: 'docs',
    path: '/docs?q=webhook+secret',
    says: ['for “webhook secret”', 'CODEHOST_WEBHOOK_SECRET'],
    open: true,
  },
  { route: 'docs', path: '/docs?q=zzzz', says: ['No results for “zzzz”', 'Try another term'], open: true },
  { route: 'docs', path: '/docs?q=', says: ['Nothing to search for.', 'Read the numbers'], open: true },
  { route: 'docs/:section', path: '/docs/numbers', says: ['It is never shown as zero.'], open: true },
  { route: 'docs/:section', path: '/docs/runs', says: ['It needs three runs.'], open: true },
  { route: 'docs/:section', path: '/docs/delivery', says: ['retired in 2025'], open: true },
  { route: 'docs/:section', path: '/docs/people', says: ['Bus factor'], open: true },
  { route: 'docs/:section', path: '/docs/planning', says: ['Health score'], open: true },
  { route: 'docs/:section', path: '/docs/scripts', says: ['Your GitHub token works the same way.'], open: true },
  {
    route: 'docs/open/:page',
    path: '/docs/open/tokens',
    says: ['Fail a job on a number', 'token_not_valid'],
    open: true,
  },
  {
    route: 'docs/open/:page',
    path: '/docs/open/mcp',
    says: ['mcp.json', 'delivery_metrics', 'insufficient_scope'],
    open: true,
  },
  {
    route: 'docs/open/:page',
    path: '/docs/open/metrics',
    says: ['credentials_file', 'das_http_requests', 'metrics_unauthorized'],
    open: true,
  },
  {
    route: 'docs/open/:page',
    path: '/docs/open/traces',
    says: ['das_traceparent', 'OTLP_ALLOWED_HOSTS', 'sha256sum'],
    open: true,
  },
  {
    route: 'docs/open/:page',
    path: '/docs/open/webhooks',
    says: ['webhook-signature', 'WEBHOOK_ALLOWED_HOSTS', 'standardwebhooks'],
    open: true,
  },
  { route: 'docs/open/:page', path: '/docs/open/nothing', says: ['Not found'], open: true, status: 404 },
  { route: 'docs/:section', path: '/docs/configuration', says: ['SESSION_SECRET', 'Port to listen on.'], open: true },
  { route: 'docs/:section', path: '/docs/processes', says: ['concurrencyPolicy: Forbid'], open: true },
  { route: 'docs/:section', path: '/docs/nothing', says: ['Not found'], open: true, status: 404 },
  {
    route: 'docs/metrics',
    path: '/docs/metrics',
    says: ['Definition, example and source of each metric', 'Lead time to merge', 'Bus factor', 'Wasted per month'],
    open: true,
  },
  {
    route: 'docs/metrics/:metric',
    path: '/docs/metrics/lead_time',
    says: ['from the first commit', 'DORA metrics', '/api/explain?metric=lead_time', 'lumen-harbor/anchor-charts'],
    open: true,
  },
  {
    route: 'docs/metrics/:metric',
    path: '/docs/metrics/nothing',
    says: ['Not found'],
    open: true,
    status: 404,
  },
  { route: 'docs/api', path: '/docs/api', says: ['GET /api/db/trends', 'owner*'], open: true },
];
