import type { getDestinations } from '../../../server/api/settings/otlp/operations.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { CheckField, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { Form, getFieldError, type Submitted, submittedField, submittedValue } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';

export type TraceSettings = Extract<PanelsOf<{ result: typeof getDestinations }>['result'], { ok: true }>['data'];
export type Destination = TraceSettings['destinations'][number];

interface DestinationFormProps {
  /** The one that is changed; null for a new one. */
  destination: Destination | null;
  hasServiceToken: boolean;
  rejected: Submitted | null;
}

/** Where traces go, which of them, and how; works without scripts. */
export function DestinationForm({ destination, hasServiceToken, rejected }: DestinationFormProps) {
  const { csrf } = usePageContext();
  const filters = destination?.filters;
  const isTicked = (name: string, saved: boolean) => (rejected ? submittedValue(rejected, name) === 'true' : saved);
  const lines = (name: string, saved: readonly string[] | undefined) => ({
    name,
    value: submittedValue(rejected, name, saved?.join('\n')),
    rows: 2,
  });
  const headerNames = destination?.header_names ?? [];
  return (
    <Form
      csrf={csrf}
      intent="save"
      submitted={rejected}
      submit={destination ? 'Save' : 'Add destination'}
      label={destination ? `Change ${destination.name}` : 'New destination'}
      hidden={destination ? { id: destination.id } : {}}
      primary
    >
      <TextField {...submittedField(rejected, 'name', destination?.name)} label="Name" required maxLength={80} />
      <TextField
        {...submittedField(rejected, 'endpoint', destination?.endpoint)}
        label="Endpoint"
        type="url"
        required
        maxLength={500}
        hint="Base address of the receiver, such as https://otlp.example.com:4318; /v1/traces is added. A host inside your network must be in OTLP_ALLOWED_HOSTS."
      />
      <TextAreaField
        name="headers"
        label="Headers"
        rows={2}
        error={getFieldError(rejected, 'headers')}
        hint={`One per line, name: value. Stored encrypted and never shown.${
          headerNames.length > 0 ? ` Saved: ${headerNames.join(', ')}; leave empty to keep them.` : ''
        }`}
      />
      {headerNames.length > 0 ? <CheckField name="without_headers" label="Remove the saved headers" /> : null}
      <CheckField name="enabled" label="Send traces" checked={isTicked('enabled', destination?.enabled ?? true)} />
      <TextAreaField
        {...lines('repos', filters?.repos)}
        label="Only these repositories"
        error={getFieldError(rejected, 'filters')}
        hint="One owner/name per line; empty for all."
      />
      <TextAreaField
        {...lines('owners', filters?.owners)}
        label="Only these owners"
        hint="One per line; empty for all."
      />
      <TextAreaField
        {...lines('workflows', filters?.workflows)}
        label="Only these workflows"
        hint="One name per line; empty for all."
      />
      <CheckField
        name="only_default_branch"
        label="Only the default branch"
        checked={isTicked('only_default_branch', filters?.only_default_branch ?? false)}
      />
      <TextField
        {...submittedField(rejected, 'sample_percent', toPercent(filters?.sample_ratio ?? 1))}
        label="Share of attempts"
        type="number"
        min={0}
        max={100}
        step="any"
        required
        unit="%"
      />
      <TextField
        {...submittedField(rejected, 'service_name', destination?.service_name ?? '{owner}/{repo}')}
        label="Service name"
        required
        maxLength={200}
        hint="{owner} and {repo} are replaced."
      />
      <CheckField
        name="include_actor"
        label="Include who started an attempt"
        checked={isTicked('include_actor', destination?.include_actor ?? false)}
        hint="Logins leave this service with the traces."
      />
      <CheckField
        name="fetch_jobs"
        label="Fetch missing jobs"
        checked={isTicked('fetch_jobs', destination?.fetch_jobs ?? hasServiceToken)}
        hint={`Reads jobs that are not known after 15 minutes, with at most 20 % of the hourly quota of CODEHOST_TOKEN${
          hasServiceToken ? '.' : ', which is not set.'
        }`}
      />
      <SelectField
        {...submittedField(rejected, 'protocol', destination?.protocol ?? 'http/protobuf')}
        label="Format"
        required
        options={[
          { value: 'http/protobuf', label: 'Protocol Buffers' },
          { value: 'http/json', label: 'JSON' },
        ]}
      />
      <SelectField
        {...submittedField(rejected, 'compression', destination?.compression ?? 'gzip')}
        label="Compression"
        required
        options={[
          { value: 'gzip', label: 'gzip' },
          { value: 'none', label: 'None' },
        ]}
      />
      <TextField
        {...submittedField(rejected, 'parallel', destination?.parallel ?? 1)}
        label="Requests at a time"
        type="number"
        min={1}
        max={8}
        required
      />
    </Form>
  );
}

/** Without what binary fractions add: 0.07 is 7 %, not 7.000000000000001 %. */
const toPercent = (ratio: number) => Number((ratio * 100).toPrecision(12));
