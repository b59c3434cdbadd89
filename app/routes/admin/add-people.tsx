import type { getTeamMembers, getTeams } from '../../../server/api/admin/teams.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { TextAreaField } from '../../components/field.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Form, type Submitted } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { type Deferred, Skeleton, WhenReady } from '../../components/skeleton.tsx';
import { GroupChoices, groupNames, tickedGroups } from './group-choices.tsx';

type Answers = PanelsOf<{ teams: typeof getTeams; members: typeof getTeamMembers }>;

export interface TeamAnswers {
  teams: Answers['teams'];
  /** Of the chosen team; null where none is. */
  members: Answers['members'] | null;
}

interface AddPeopleProps {
  panels: Deferred<TeamAnswers>;
  team: string | null;
  search: string;
  rejected: Submitted | null;
}

/** Logins in lines, typed or taken from a team, that are put into groups together, whether or not they signed in. */
export function AddPeople({ panels, team, search, rejected }: AddPeopleProps) {
  return (
    <section className="panel" aria-label="Add people">
      <details open={team !== null || rejected !== null}>
        <summary>Add people</summary>
        <WhenReady data={panels} fallback={<Skeleton label="Loading teams" height={40} />}>
          {({ teams }) => <TeamChoice teams={teams} team={team} search={search} />}
        </WhenReady>
        {team === null ? (
          // What is typed meanwhile stays.
          <AddForm members={null} rejected={rejected} />
        ) : (
          <WhenReady data={panels} fallback={<Skeleton label="Loading members" />}>
            {({ members }) => <AddForm members={members} rejected={rejected} />}
          </WhenReady>
        )}
      </details>
    </section>
  );
}

function AddForm({ members, rejected }: Pick<TeamAnswers, 'members'> & Pick<AddPeopleProps, 'rejected'>) {
  const { csrf } = usePageContext();
  const found = members?.ok ? members.data.members.map(({ login }) => login) : [];
  const messages = rejected?.problem.details?.fields?.filter(({ field }) => field === 'logins') ?? [];
  return (
    <>
      {members && !members.ok ? <Notice tone="problem">{members.problem.error}</Notice> : null}
      {members?.ok && members.notes.partial ? (
        <Notice tone="partial">Not all members of the team could be read.</Notice>
      ) : null}
      <Form csrf={csrf} intent="add" submit="Add to groups" label="Add people" primary>
        <TextAreaField
          name="logins"
          label="Logins, one per line"
          value={rejected?.values.logins ?? found.join('\n')}
          error={messages.length > 0 ? messages.map(({ message }) => message).join(' ') : undefined}
          hint="People who have not signed in yet get the groups at their first sign-in within 30 days."
          rows={Math.min(Math.max(found.length, 4), 12)}
          required
        />
        <GroupChoices
          legend="Groups"
          groups={groupNames.filter((group) => group !== 'admin')}
          ticked={tickedGroups(rejected?.values)}
        />
      </Form>
    </>
  );
}

function TeamChoice({ teams, team, search }: Pick<TeamAnswers, 'teams'> & Pick<AddPeopleProps, 'team' | 'search'>) {
  if (!teams.ok) return <p className="source">Teams could not be read: {teams.problem.error}</p>;
  const choices = teams.data.teams.map(({ team: value, name, org }) => ({ value, label: name, group: org }));
  if (choices.length === 0) return null;
  const options = [{ value: '', label: 'none' }, ...choices];
  return (
    <FilterBar
      label="Members of a team"
      search={search}
      filters={[{ kind: 'select', name: 'team', label: 'Members of', value: team, options }]}
    />
  );
}
