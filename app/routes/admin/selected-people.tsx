import { SelectField } from '../../components/field.tsx';
import { Form, type Submitted } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { GroupChoices, tickedGroups } from './group-choices.tsx';

/** The form that the boxes of the table belong to. */
export const selectionForm = 'selection';

interface SelectedPeopleProps {
  /** Ids of everybody on this page of the table. */
  accounts: readonly string[];
  rejected: Submitted | null;
}

/** What is done with everybody who is ticked in the table, or with the whole page of it. */
export function SelectedPeople({ accounts, rejected }: SelectedPeopleProps) {
  const { csrf } = usePageContext();
  const everybody = accounts.join(',');
  const isEverybody = selectedAccounts(rejected).length >= accounts.length && rejected?.values.everybody === everybody;
  return (
    <Form
      id={selectionForm}
      csrf={csrf}
      intent="selected"
      submitted={rejected}
      submit="Apply to selected"
      inline
      label="Change selected people"
    >
      <label>
        <input type="checkbox" name="everybody" value={everybody} defaultChecked={isEverybody} /> Select all{' '}
        {accounts.length} on this page
      </label>
      <SelectField
        name="change"
        label="Change"
        required
        value={rejected?.values.change ?? 'add'}
        options={[
          { value: 'add', label: 'Add to groups' },
          { value: 'remove', label: 'Remove from groups' },
        ]}
      />
      <GroupChoices legend="Groups" ticked={tickedGroups(rejected?.values)} />
    </Form>
  );
}

/** Who was ticked in a rejected form, one by one or all together. */
export const selectedAccounts = (rejected: Submitted | null): string[] =>
  [rejected?.values.selected, rejected?.values.everybody].flatMap((value) => value?.split(',') ?? []).filter(Boolean);
