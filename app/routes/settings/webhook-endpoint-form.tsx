import type { getWebhooks } from '../../../server/api/settings/webhooks/operations.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form, type Submitted, submittedField, submittedValue } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';

type Answer = Extract<PanelsOf<{ result: typeof getWebhooks }>['result'], { ok: true }>['data'];
export type Endpoint = Answer['endpoints'][number];

interface EndpointFormProps {
  /** The one that is changed; null for a new one. */
  endpoint: Endpoint | null;
  /** Of the list beside it: a form that was sent before has another one. */
  version: string;
  rejected: Submitted | null;
}

/** Where alerts are posted to; works without scripts. */
export function EndpointForm({ endpoint, version, rejected }: EndpointFormProps) {
  const { csrf } = usePageContext();
  return (
    <Form
      csrf={csrf}
      intent={endpoint ? 'save' : 'add'}
      submitted={rejected}
      submit={endpoint ? 'Save' : 'Add endpoint'}
      label={endpoint ? `Change ${endpoint.name}` : 'New endpoint'}
      hidden={endpoint ? { id: endpoint.id } : { version }}
      primary
    >
      <TextField {...submittedField(rejected, 'name', endpoint?.name)} label="Name" required maxLength={80} />
      <TextField
        {...submittedField(rejected, 'url', endpoint?.url)}
        label="Address"
        type="url"
        required
        maxLength={500}
        hint="An https address. A host inside your network must be in WEBHOOK_ALLOWED_HOSTS."
      />
      <CheckField
        name="enabled"
        label="Send alerts"
        checked={rejected ? submittedValue(rejected, 'enabled') === 'true' : (endpoint?.enabled ?? true)}
      />
    </Form>
  );
}
