import { countedUpTo, storedAtMost } from '../../../server/domain/trace-counts.ts';
import { CheckField, SelectField, TextField } from '../../components/field.tsx';
import { Form, type Submitted, submittedField } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { TraceSettings } from './destination-form.tsx';

interface BackfillFormProps extends Pick<TraceSettings, 'destinations' | 'stored'> {
  rejected: Submitted | null;
}

/** Which stored runs are sent to which destination; works without scripts. */
export function BackfillForm({ destinations, stored, rejected }: BackfillFormProps) {
  const { csrf } = usePageContext();
  return (
    <Form csrf={csrf} intent="backfill" submitted={rejected} submit="Start backfill" label="New backfill">
      <p>
        {countedUpTo(stored.attempts, storedAtMost)} attempts are stored,{' '}
        {countedUpTo(stored.attempts_with_jobs, storedAtMost)} of them with jobs, which are deleted after 120 days. Many
        receivers reject old spans: try a short period first.
      </p>
      <SelectField
        {...submittedField(rejected, 'destination_id')}
        label="Destination"
        required
        options={destinations.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <TextField {...submittedField(rejected, 'from')} label="From" type="date" required />
      <TextField {...submittedField(rejected, 'to')} label="To" type="date" required />
      <TextField {...submittedField(rejected, 'repo')} label="Only this repository" hint="owner/name; empty for all." />
      <CheckField name="again" label="Send again what was sent before" checked={rejected?.values.again === 'true'} />
    </Form>
  );
}
