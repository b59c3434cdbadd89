import { SelectField, TextAreaField, TextField } from '../../../components/field.tsx';
import { Form, rejectedBy, type Submitted, submittedField } from '../../../components/form.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { Section } from '../../../components/panel.tsx';

/** Why a recommendation is dismissed, as people read it. */
export const reasonLabels = {
  wanted: 'Intended as it is',
  wrong: 'The finding is wrong',
  later: 'Not now',
  other: 'Other',
};

const options = Object.entries(reasonLabels).map(([value, label]) => ({ value, label }));
const maxNote = 500;
const maxDays = 365;
const dayMs = 86_400_000;
const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Takes a recommendation off the list, for everybody who sees the repository. */
export function DismissForm({ submitted }: { submitted: Submitted | null }) {
  const { csrf, now } = usePageContext();
  const rejected = rejectedBy(submitted, 'dismiss');
  return (
    <Section title="Dismiss">
      <details open={rejected !== null}>
        <summary>Dismiss this recommendation</summary>
        <Form csrf={csrf} intent="dismiss" submitted={submitted} submit="Dismiss">
          <SelectField label="Reason" required options={options} {...submittedField(rejected, 'reason', 'wanted')} />
          <TextField
            label="Until"
            type="date"
            min={toDay(now)}
            max={toDay(now + maxDays * dayMs)}
            hint="Its last day in UTC; required for “Not now”. Without it until somebody restores it."
            {...submittedField(rejected, 'until')}
          />
          <TextAreaField label="Note" rows={2} maxLength={maxNote} {...submittedField(rejected, 'note')} />
        </Form>
        <p className="source">For everybody who sees this repository, with your name. It can be restored.</p>
      </details>
    </Section>
  );
}
