import { TextField } from '../../components/field.tsx';
import { errorOf, Form, keptValue, type Submitted } from '../../components/form.tsx';
import { useChrome } from '../chrome.ts';

interface LinkFormProps {
  typed: { alias: string; primary: string };
  refused: Submitted | null;
}

/** One account counts under another; the second button only says what would come of it. */
export function LinkForm({ typed, refused }: LinkFormProps) {
  const { csrf } = useChrome();
  return (
    <Form
      csrf={csrf}
      submitted={refused}
      submit="Link"
      label="Link an account"
      aside={
        <button type="submit" name="intent" value="preview">
          Preview
        </button>
      }
    >
      <TextField
        name="alias"
        label="This account or name"
        required
        maxLength={100}
        value={keptValue(refused, 'alias', typed.alias)}
        error={errorOf(refused, 'alias')}
        hint="A login, or the name a git author is shown with."
        autoComplete="off"
      />
      <TextField
        name="primary"
        label="counts as this main login"
        required
        value={keptValue(refused, 'primary', typed.primary)}
        error={errorOf(refused, 'primary')}
        hint="What is linked to the first moves along."
        autoComplete="off"
      />
    </Form>
  );
}

/** Two who look alike and are not the same. */
export function DistinctForm({ refused }: { refused: Submitted | null }) {
  const { csrf } = useChrome();
  return (
    <Form csrf={csrf} intent="distinct" submitted={refused} submit="Mark as different" label="Mark as different people">
      <TextField
        name="a"
        label="One"
        required
        value={keptValue(refused, 'a')}
        error={errorOf(refused, 'a')}
        autoComplete="off"
      />
      <TextField
        name="b"
        label="The other"
        required
        value={keptValue(refused, 'b')}
        error={errorOf(refused, 'b')}
        autoComplete="off"
      />
    </Form>
  );
}
