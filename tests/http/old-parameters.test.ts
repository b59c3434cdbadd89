import { expect, test } from 'vitest';
import { findSharedAddress } from '../../server/http/old-parameters.ts';

const find = (pattern: string, address: string) => findSharedAddress(pattern, new URL(address, 'http://localhost'));

test.each([
  ['team', '/team?repository=octo%2Fweb&days=90', '/team?repo=octo%2Fweb&range=90'],
  ['demo/team', '/demo/team?days=90&org=a', '/demo/team?org=a&range=90'],
  ['repos/:owner/:repo/issues', '/repos/octo/web/issues?days=45', '/repos/octo/web/issues?range=45'],
  ['team', '/team?days=90&range=30', '/team?range=30'],
  ['ci', '/ci?org=octo&from=2026-05-01&to=2026-05-31', '/ci?org=octo&range=2026-05-01..2026-05-31'],
  ['demo', '/demo?from=2026-05-01&to=2026-05-31&range=7', '/demo?range=2026-05-01..2026-05-31'],
  ['', '/?from=&to=2026-05-31', '/'],
  ['reports', '/reports?owner=octo&days=365', '/reports?org=octo&range=90'],
  ['reports', '/reports?days=14&owner=octo&repo=web', '/reports?repo=octo%2Fweb&org=octo&range=30'],
  ['reports', '/reports?owner=octo&repo=&days=7', '/reports?org=octo&range=7'],
  ['reports', '/reports?owner=octo&range=quarter&days=90', '/reports?range=quarter&org=octo'],
  ['ci', '/ci?org=many&repo=octo%2Fweb', '/ci?org=many'],
  ['ci', '/ci?range=90&compare=&org=octo&repo=', '/ci?range=90&org=octo'],
  ['demo', '/demo?compare=&org=', '/demo'],
  ['working-habits', '/working-habits?org=octo&repo=&login=', '/working-habits?org=octo'],
  ['repositories', '/repositories?q=&visibility=private&language=', '/repositories?visibility=private'],
])('%s: %s stands at %s', (pattern, address, shared) => {
  expect(find(pattern, address)).toBe(shared);
  expect(find(pattern, shared)).toBeNull();
});

test.each([
  ['admin/audit', '/admin/audit?from=2026-05-01&to=2026-05-31'],
  ['reports', '/reports?org=octo&repo=octo/web&range=90'],
  ['cost', '/cost?org=OCTO&repo=octo/web'],
  ['explain', '/explain?org=many&repo=octo/web'],
  ['ci', '/ci?from=2026-05-01'],
  ['ci', '/ci?org=a b&repo=a b/web'],
])('%s keeps %s', (pattern, address) => expect(find(pattern, address)).toBeNull());
