import type { getUsers } from '../../../server/api/admin/users.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';

type Answer = Extract<PanelsOf<{ users: typeof getUsers }>['users'], { ok: true }>['data'];
type Group = Answer['users'][number]['groups'][number];

export const groupNames = ['admin', 'devops', 'security', 'dev', 'pm'] as const satisfies readonly Group[];

interface GroupChoicesProps {
  legend: string;
  /** Read aloud only, where the surroundings say it already. */
  legendHidden?: boolean;
  groups?: readonly Group[];
  ticked: readonly string[];
}

/** A box for each group. */
export function GroupChoices({ legend, legendHidden = false, groups = groupNames, ticked }: GroupChoicesProps) {
  return (
    <fieldset className="choices">
      <legend className={legendHidden ? 'sr' : undefined}>{legend}</legend>
      {groups.map((group) => (
        <label key={group}>
          <input type="checkbox" name="groups" value={group} defaultChecked={ticked.includes(group)} /> {group}
        </label>
      ))}
    </fieldset>
  );
}

/** The groups that a rejected form had ticked. */
export const tickedGroups = (values: Record<string, string> | undefined): string[] =>
  (values?.groups ?? '').split(',').filter(Boolean);
