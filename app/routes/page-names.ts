import type { PagePath } from '../../server/http/page-access.ts';

/** What the pages about data and administration are called, where they are listed. */
export const pageNames: Partial<Record<PagePath, string>> = {
  '': 'Repositories',
  'repos/:owner/:repo': 'Repository',
  'repos/:owner/:repo/workflows/:workflowId': 'Workflow',
  'repos/:owner/:repo/deployments': 'Deployments',
  'repos/:owner/:repo/team': 'Team of a repository',
  'repos/:owner/:repo/issues': 'Issues',
  'repos/:owner/:repo/issues/new': 'File an issue',
  'repos/:owner/:repo/security': 'Security',
  'repos/:owner/:repo/changes': 'Workflow changes',
  team: 'Team',
  'contributor/:login': 'Contributor profile',
  'contributor/:login/brief': '1:1 brief',
  'org/:org': 'Organization',
  'org/:org/health': 'Organization health',
  cost: 'Cost',
  reports: 'Reports',
  settings: 'Settings',
  'settings/team': 'Team workday',
  'settings/working-habits': 'Working habits',
  'admin/users': 'Users',
  'admin/permissions': 'Permissions',
  'admin/audit': 'Audit log',
  'admin/identity-links': 'Linked accounts',
};
