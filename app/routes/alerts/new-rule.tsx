import type { ruleMetrics } from '../../../server/alerts/operations/list.ts';
import type { FieldRules } from '../../../server/http/form-fields.ts';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, type Submitted, submittedField } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { channelNames, unitNames } from './labels.ts';
import { RuleNoteFields } from './rule-notes.tsx';

type Metrics = typeof ruleMetrics;

const groups: Record<Metrics[number]['group'], string> = { ci: 'CI', people: 'People', leadership: 'Leadership' };
const channels = ['browser', 'email', 'digest', 'slack'] as const;

interface NewRuleProps {
  fields: Record<string, FieldRules>;
  metrics: Metrics;
  /** Names that are offered while somebody types. */
  names: readonly string[];
  /** What was entered, where the form comes again. */
  initial: Record<string, string> | null;
  rejected: Submitted | null;
}

/** A new rule. The second button is the back-test. */
export function NewRule({ fields, metrics, names, initial, rejected }: NewRuleProps) {
  const { csrf } = usePageContext();
  const field = (name: string, first = '') =>
    submittedField(rejected, name, rejected ? null : (initial?.[name] ?? first), fields);
  return (
    <Form
      action="/alerts#new"
      csrf={csrf}
      submitted={rejected}
      submit="Add rule"
      label="New rule"
      aside={
        <button type="submit" name="intent" value="try">
          Back-test
        </button>
      }
    >
      <TextField
        {...field('scope')}
        label="Repository or organization"
        list={names}
        autoComplete="off"
        placeholder="owner/name"
        hint="For an organization, enter its name alone. Each of its synced repositories is evaluated separately."
      />
      <SelectField {...field('metric')} label="Metric" options={metrics.map(toOption)} />
      <TextField
        {...field('threshold')}
        label="Threshold"
        type="number"
        step="any"
        hint="In the unit of the metric. Not used by the weekly digest."
      />
      <TextField
        {...field('window_hours', '24')}
        label="Window"
        type="number"
        unit="hours"
        hint="Evaluation window. After firing, the rule stays quiet for as long."
      />
      <TextField
        {...field('min_sample')}
        label="Minimum sample"
        type="number"
        hint="Leave empty for the metric’s own minimum."
      />
      <SelectField
        {...field('channel', 'browser')}
        label="Notify via"
        required
        options={channels.map((value) => ({ value, label: channelNames[value] }))}
        hint="Alerts always show in the app. The weekly digest is always sent by email."
      />
      <TextField
        {...field('destination')}
        label="To"
        autoComplete="off"
        hint="An email address or a Slack webhook URL. Leave empty for browser alerts."
      />
      <RuleNoteFields field={field} />
    </Form>
  );
}

const toOption = ({ key, label, unit, group }: Metrics[number]) => ({
  value: key,
  group: groups[group],
  label: group === 'leadership' ? label : `${label} (${unitNames[unit] ?? unit})`,
});
