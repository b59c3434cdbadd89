import type { getPermissions } from '../../../server/api/admin/permissions.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';

type Matrix = Extract<PanelsOf<{ result: typeof getPermissions }>['result'], { ok: true }>['data'];
type Feature = Matrix['features'][number];
type Group = Matrix['editable_groups'][number];

/** Features down, groups across; each cell says how it stands, who set it so, and has the button that changes it. */
export function PermissionTable({ data, search }: { data: Matrix; search: string }) {
  const { csrf } = usePageContext();
  const area = new URLSearchParams(search).get('area');
  const areas = [...new Set(data.features.map((feature) => feature.area))];
  const rows = data.features.filter((feature) => !area || feature.area === area);
  return (
    <>
      <FilterBar
        label="Area"
        search={search}
        filters={[
          {
            kind: 'links',
            name: 'area',
            label: 'Area',
            value: area ?? '',
            options: [{ value: '', label: 'all' }, ...areas.map((value) => ({ value, label: value }))],
          },
        ]}
      />
      <form method="post" aria-label="Permissions">
        <input type="hidden" name="csrf" value={csrf} />
        <DataTable
          caption="Features by group"
          captionHidden
          columns={columns(data)}
          rows={rows}
          rowKey={({ key }) => key}
          empty={{ cause: 'Area not found.', next: { label: 'All areas', href: '/admin/permissions' } }}
        />
      </form>
      {data.stale_keys.length > 0 ? (
        <p className="source">Unknown to this version and ignored: {data.stale_keys.join(', ')}.</p>
      ) : null}
    </>
  );
}

const columns = (data: Matrix): Column<Feature>[] => [
  {
    key: 'feature',
    label: 'Feature',
    heading: true,
    cell: ({ key, label, description, sensitive }) => (
      <span id={key}>
        {label} {sensitive ? <Badge status="warning">about people</Badge> : null}
        <span className="sub muted">{description}</span>
      </span>
    ),
  },
  {
    key: 'admin',
    label: 'admin',
    explain: 'Administrators have all features.',
    cell: () => <span className="muted">always</span>,
  },
  ...data.editable_groups.map((group) => ({
    key: group,
    label: group,
    cell: (feature: Feature) => <Cell data={data} group={group} feature={feature} />,
  })),
];

function Cell({ data, group, feature }: { data: Matrix; group: Group; feature: Feature }) {
  const { now, zone } = usePageContext();
  const isGranted = data.matrix[group]?.[feature.key] ?? false;
  const last = data.cells.find((cell) => cell.group === group && cell.flag === feature.key);
  return (
    <>
      <Badge status={isGranted ? 'pass' : 'void'}>{isGranted ? 'granted' : 'not granted'}</Badge>
      <span className="sub">
        <button
          type="submit"
          className="plain"
          name="cell"
          value={`${group}.${feature.key}.${isGranted ? 'no' : 'yes'}`}
          aria-label={isGranted ? `Revoke ${feature.label} from ${group}` : `Grant ${feature.label} to ${group}`}
        >
          {isGranted ? 'Revoke' : 'Grant'}
        </button>
      </span>
      {last && last.updated_by !== 'system' ? (
        <span className="sub muted">
          {last.updated_by}, <Moment at={last.updated_at} now={now} zone={zone} />
        </span>
      ) : null}
    </>
  );
}
