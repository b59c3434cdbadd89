import { data, useLocation } from 'react-router';
import { explainAccess } from '../../../server/api/admin/access.ts';
import { getPermissions, putPermission } from '../../../server/api/admin/permissions.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { openPages } from '../../../server/http/page-access.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/permissions';
import { AccessExplanation } from './access-explanation.tsx';
import { PermissionTable } from './permission-table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const login = pageRequest.context.url.searchParams.get('login');
  const [permissions, access] = await Promise.all([
    panel(getPermissions, pageRequest),
    login ? panel(explainAccess([]), pageRequest) : null,
  ]);
  const pages = access?.ok ? openPages(pageRequest.context, access.data) : [];
  return { permissions, access, pages, changed: await readFlash(pageRequest.context, 'changed') };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const { search } = pageRequest.context.url;
  const done = await submit(pageRequest, {
    set: {
      operation: putPermission,
      next: (form) => {
        const cell = String(form.get('cell'));
        return `/admin/permissions${withChoices(search, { changed: cell })}#${cell.split('.')[1]}`;
      },
      values: (form) => {
        const [group, flag, granted] = String(form.get('cell')).split('.');
        return { group, flag, granted: granted === 'yes' };
      },
    },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** Which group is granted what, changed one cell at a time; and what that means for somebody. */
export default function PermissionsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const { permissions, access, pages, changed } = loaderData;
  const rejected = actionData?.rejected ?? null;
  const known = permissions.ok ? permissions.data.features : [];
  const labels = Object.fromEntries(known.map(({ key, label }) => [key, label]));
  return (
    <Page title="Permissions" lead="Select a cell to change it. Groups add up; administrators have all features.">
      {permissions.ok && !permissions.data.enforcement ? (
        <Notice tone="partial" title="Not enforced.">
          Denied access is logged but not blocked. The operator can set ACCESS_ENFORCEMENT to on.
        </Notice>
      ) : null}
      {rejected ? <Notice tone="problem">{rejected.problem.error}</Notice> : null}
      {rejected ? null : <Changed value={changed} features={known} />}
      <Panel title="Groups and features" result={permissions}>
        {(matrix) => <PermissionTable data={matrix} search={withChoices(search, { changed: null })} />}
      </Panel>
      <Section title="Preview access" id="access">
        <FilterBar
          label="User"
          search={withChoices(search, { changed: null })}
          filters={[{ kind: 'text', name: 'login', label: 'Login', value: query.get('login') }]}
        />
        {access ? <AccessExplanation result={access} pages={pages} labels={labels} /> : null}
      </Section>
    </Page>
  );
}

interface ChangedProps {
  /** `dev.dora.yes` */
  value: string | null;
  features: readonly { key: string; label: string }[];
}

function Changed({ value, features }: ChangedProps) {
  const [group, flag, granted] = (value ?? '').split('.');
  const feature = features.find(({ key }) => key === flag);
  if (!feature) return null;
  return (
    <Notice tone="done" title="Saved.">
      {granted === 'yes' ? `${feature.label} granted to ${group}.` : `${feature.label} revoked from ${group}.`}
    </Notice>
  );
}
