import { CheckField, TextField } from '../../components/field.tsx';
import { Form, type Submitted, submittedField, submittedValue } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';

interface LinkFormProps {
  form: { alias: string; alias_kind: string; primary: string };
  rejected: Submitted | null;
}

/** One account counts under another; the second button only says what would come of it. */
export function LinkForm({ form, rejected }: LinkFormProps) {
  const { csrf } = usePageContext();
  return (
    <Form
      csrf={csrf}
      submitted={rejected}
      submit="Link"
      label="Link an account"
      aside={
        <button type="submit" name="intent" value="preview">
          Preview
        </button>
      }
    >
      <TextField
        {...submittedField(rejected, 'alias', form.alias)}
        label="Account or name"
        required
        maxLength={100}
        hint="A login or git author name."
        autoComplete="off"
      />
      <CheckField
        name="alias_kind"
        value="name"
        label="A git author name"
        hint="Not the account that is spelled like it."
        checked={submittedValue(rejected, 'alias_kind', form.alias_kind) === 'name'}
      />
      <TextField
        {...submittedField(rejected, 'primary', form.primary)}
        label="Main login"
        required
        hint="Existing links move along."
        autoComplete="off"
      />
    </Form>
  );
}

/** Two who look alike and are not the same. */
export function DistinctForm({ rejected }: { rejected: Submitted | null }) {
  const { csrf } = usePageContext();
  return (
    <Form
      csrf={csrf}
      intent="distinct"
      submitted={rejected}
      submit="Mark as different"
      label="Mark as different people"
    >
      <TextField {...submittedField(rejected, 'a')} label="One" required autoComplete="off" />
      <TextField {...submittedField(rejected, 'b')} label="The other" required autoComplete="off" />
    </Form>
  );
}
