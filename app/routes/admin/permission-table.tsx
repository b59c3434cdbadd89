import type { getPermissions } from '../../../server/api/admin/permissions.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { type Filter, FilterBar } from '../../components/filter-bar.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';

type Matrix = Extract<PanelsOf<{ result: typeof getPermissions }>['result'], { ok: true }>['data'];
type Feature = Matrix['features'][number];
type Group = Matrix['editable_groups'][number];

/** Features down, groups across; each cell says how it stands, who set it so, and changes it when pressed. */
export function PermissionTable({ data, search }: { data: Matrix; search: string }) {
  const { csrf } = usePageContext();
  const query = new URLSearchParams(search);
  const area = query.get('area');
  const rows = data.features.filter((feature) => !area || feature.area === area);
  const shown = data.editable_groups.filter((group) => group === query.get('group'));
  const groups = shown.length > 0 ? shown : data.editable_groups;
  return (
    <>
      <FilterBar label="Shown features and groups" search={search} filters={filters(data, query)} />
      <form method="post" aria-label="Permissions">
        <input type="hidden" name="csrf" value={csrf} />
        <DataTable
          caption="Features by group"
          captionHidden
          columns={columns(data, groups)}
          rows={rows}
          rowKey={({ key }) => key}
          empty={{ cause: 'Area not found.', next: { label: 'All areas', href: '/admin/permissions' } }}
        />
      </form>
      <Descriptions features={rows} />
      {data.stale_keys.length > 0 ? (
        <p className="source">Unknown to this version and ignored: {data.stale_keys.join(', ')}.</p>
      ) : null}
    </>
  );
}

function filters({ features, editable_groups }: Matrix, query: URLSearchParams): Filter[] {
  const areas = Map.groupBy(features, ({ area }) => area);
  return [
    {
      kind: 'links',
      name: 'area',
      label: 'Area',
      value: query.get('area') ?? '',
      options: [
        { value: '', label: `all ${features.length}` },
        ...[...areas].map(([value, members]) => ({ value, label: `${value} ${members.length}` })),
      ],
    },
    {
      kind: 'links',
      name: 'group',
      label: 'Group',
      value: query.get('group') ?? '',
      options: [{ value: '', label: 'all' }, ...editable_groups.map((value) => ({ value, label: value }))],
    },
  ];
}

const columns = (data: Matrix, groups: readonly Group[]): Column<Feature>[] => [
  {
    key: 'feature',
    label: 'Feature',
    heading: true,
    cell: ({ key, label, description, sensitive }) => (
      <span id={key} title={description}>
        {label} {sensitive ? <Badge status="warning">about people</Badge> : null}
      </span>
    ),
  },
  ...groups.map((group) => ({
    key: group,
    label: group,
    cell: (feature: Feature) => <Cell data={data} group={group} feature={feature} />,
  })),
];

function Cell({ data, group, feature }: { data: Matrix; group: Group; feature: Feature }) {
  const isGranted = data.matrix[group]?.[feature.key] ?? false;
  const last = data.cells.find((cell) => cell.group === group && cell.flag === feature.key);
  return (
    <>
      <button type="submit" className="plain" name="cell" value={`${group}.${feature.key}.${isGranted ? 'no' : 'yes'}`}>
        <Badge status={isGranted ? 'pass' : 'void'}>{isGranted ? 'granted' : 'none'}</Badge>
        <span className="sr">
          {isGranted ? `(revoke ${feature.label} from ${group})` : `(grant ${feature.label} to ${group})`}
        </span>
      </button>
      {last && last.updated_by !== 'system' ? (
        <span className="sub muted">
          {last.updated_by}, <Moment at={last.updated_at} />
        </span>
      ) : null}
    </>
  );
}

/** What each feature opens, for who has to decide. */
const Descriptions = ({ features }: { features: readonly Feature[] }) => (
  <details>
    <summary>What each feature shows</summary>
    <Facts facts={features.map(({ label, description }) => ({ label, value: description }))} />
  </details>
);
