/** The families of operations, by the part of their address behind `/api`, as headings of the reference. */
const familyTitles: Record<string, string> = {
  health: 'Health',
  ready: 'Readiness',
  demo: 'Demo',
  auth: 'Authentication and sessions',
  advisor: 'Recommendations',
  codehost: 'Metrics from GitHub',
  exposure: 'Actions in use',
  'ai-authorship': 'AI-authored pull requests',
  explain: 'Metric definitions and evidence',
  db: 'Sync and stored data',
  search: 'Search',
  views: 'Saved views',
  tokens: 'Access tokens',
  badges: 'Badges',
  shares: 'Shares',
  mcp: 'Agents over MCP',
  alerts: 'Alerts',
  webhooks: 'Webhooks of GitHub',
  feeds: 'Feeds',
  cron: 'Scheduled work',
  settings: 'Settings',
  ai: 'AI',
  jobs: 'Background jobs',
  admin: 'Administration',
  'openapi.json': 'OpenAPI description',
};

/** The family of an operation. */
export const getFamily = (path: string): string => path.split('/')[2] ?? 'api';

export const getFamilyTitle = (family: string): string => familyTitles[family] ?? family;
