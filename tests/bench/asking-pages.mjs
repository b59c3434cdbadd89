// The pages whose heading `pages.mjs` waits for while the platform is slow.

/** Pages that ask the platform, of everything that is looked at. */
export const asking = [
  '/',
  '/repositories',
  '/search?q=web',
  ...['/pull-requests', '/deployments', '/ci', '/cost', '/cost?view=bill', '/security', '/team', '/working-habits'].map(
    (path) => `${path}${path.includes('?') ? '&' : '?'}org=octo`,
  ),
  '/org/octo',
  ...['health', 'merge-queues', 'advisor', 'actions', 'exposure?name=actions/checkout', 'ai-authorship'].map(
    (page) => `/org/octo/${page}`,
  ),
  ...[
    '',
    '/pull-requests',
    '/workflows',
    '/deployments',
    '/team',
    '/issues',
    '/issues/new',
    '/security',
    '/changes',
    '/advisor',
    '/advisor/3309adfd81a96b28',
    '/advisor/pull-request',
    '/merge-queue',
    '/merge-queue/entries',
    '/merge-queue/batches',
  ].map((page) => `/repos/octo/api${page}`),
  ...['', '&tab=performance', '&tab=reliability', '&tab=triggers', '&tab=cost', '&tab=runs'].map(
    (tab) => `/repos/octo/web/workflows/7001?per_page=20${tab}`,
  ),
  '/explain?metric=lead_time&owner=octo&repo=web',
  '/contributor/ana?owner=octo',
  '/contributor/ana/brief?owner=octo',
  '/reports?repo=octo%2Fweb',
  '/alerts',
];
/** The same of an administrator, where people sign in through the platform. */
export const askingAdministration = [
  '/admin/users',
  '/admin/users?team=octo',
  '/admin/identity-links?owner=octo&repo=web',
];
