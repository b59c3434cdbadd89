import type { ruleMetrics } from '../../../server/alerts/operations/list.ts';
import type { FieldRules } from '../../../server/http/form-fields.ts';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, type Submitted, submittedField } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Clause } from './clause.tsx';
import { channelNames, type Endpoint, unitNames } from './labels.ts';
import { RuleNoteFields, ruleNoteNames } from './rule-notes.tsx';
import { WindowField } from './window-field.tsx';

type Metrics = typeof ruleMetrics;

const groups: Record<Metrics[number]['group'], string> = { ci: 'CI', people: 'People', leadership: 'Leadership' };
const channels = ['browser', 'email', 'digest', 'slack'] as const;

/** What is behind the disclosure. */
const optionalNames = ['min_sample', ...ruleNoteNames];

interface NewRuleProps {
  fields: Record<string, FieldRules>;
  metrics: Metrics;
  endpoints: readonly Endpoint[];
  /** What was entered, where the form comes again. */
  initial: Record<string, string> | null;
  rejected: Submitted | null;
}

/** Where the page has the names that are offered for a scope. */
export const scopeListId = 'alert-scopes';

/** A new rule, a sentence with fields in it. The second button is the back-test. */
export function NewRule({ fields, metrics, endpoints, initial, rejected }: NewRuleProps) {
  const { csrf } = usePageContext();
  const field = (name: string, first = '') =>
    submittedField(rejected, name, rejected ? null : (initial?.[name] ?? first), fields);
  return (
    <Form
      action="/alerts#new"
      csrf={csrf}
      submitted={rejected}
      submit="Add rule"
      primary
      label="New rule"
      aside={
        <button type="submit" name="intent" value="try">
          Back-test
        </button>
      }
    >
      <div className="sentence">
        <Clause word="When">
          <SelectField {...field('metric')} label="Metric" options={metrics.map(toOption)} />
        </Clause>
        <Clause word="in">
          <TextField
            {...field('scope')}
            label="Repository or organization"
            listId={scopeListId}
            autoComplete="off"
            placeholder="owner/name"
          />
        </Clause>
        <Clause word="over">
          <WindowField {...field('window_hours', '24')} />
        </Clause>
        <Clause word="reaches">
          <TextField {...field('threshold')} label="Threshold" type="number" step="any" />
        </Clause>
        <Clause word="then">
          <SelectField
            {...field('channel', 'browser')}
            label="Notify via"
            required
            options={[
              ...channels.map((value) => ({ value, label: channelNames[value] })),
              ...endpoints.map(({ id, name }) => ({ value: `webhook:${id}`, label: `Webhook: ${name}` })),
            ]}
          />
        </Clause>
        <Clause word="to">
          <TextField {...field('destination')} label="To" autoComplete="off" placeholder="email or Slack webhook URL" />
        </Clause>
      </div>
      <p className="source">
        For an organization, enter its name alone: each synced repository is evaluated separately. After firing, a rule
        stays quiet for its window. The weekly digest needs an organization and an email address only. Daily and weekly
        emails go out after the nightly sync, which needs CODEHOST_TOKEN. Merge queue growth may take longer than an
        hour to prove below ten entries an hour.
      </p>
      <details open={rejected !== null || optionalNames.some((name) => initial?.[name])}>
        <summary>More options</summary>
        <div className="fields">
          <TextField
            {...field('min_sample')}
            label="Minimum sample"
            type="number"
            hint="Leave empty for the metric’s own minimum."
          />
          <RuleNoteFields field={field} />
        </div>
      </details>
    </Form>
  );
}

const toOption = ({ key, label, unit, group }: Metrics[number]) => ({
  value: key,
  group: groups[group],
  label: group === 'leadership' ? label : `${label} (${unitNames[unit] ?? unit})`,
});
