import type { ruleMetrics } from '../../../server/alerts/operations/list.ts';
import type { FieldRules } from '../../../server/http/form-fields.ts';
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { Form, type Submitted, submittedField } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { channelNames, unitNames } from './labels.ts';

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

/** A new rule. The second button only says what it would have done. */
export function NewRule({ fields, metrics, names, initial, rejected }: NewRuleProps) {
  const { csrf } = usePageContext();
  const field = (name: string, first = '') =>
    submittedField(rejected, name, rejected ? null : (initial?.[name] ?? first), fields);
  return (
    <Form
      action="/alerts#new"
      csrf={csrf}
      submitted={rejected}
      submit="Add the rule"
      label="New rule"
      aside={
        <button type="submit" name="intent" value="try">
          Try it on the past
        </button>
      }
    >
      <TextField
        {...field('scope')}
        label="Repository or organization"
        list={names}
        autoComplete="off"
        placeholder="owner/name"
        hint="An organization by its name alone: then each of its tracked repositories is watched by itself."
      />
      <SelectField {...field('metric')} label="What is watched" options={metrics.map(toOption)} />
      <TextField
        {...field('threshold')}
        label="Threshold"
        type="number"
        step="any"
        hint="In the unit that stands with the metric. 0 fires whenever there is data. The weekly digest needs none."
      />
      <TextField
        {...field('window_hours', '24')}
        label="Window"
        type="number"
        unit="hours"
        hint="How far back it looks, and how long it is quiet after it fired."
      />
      <TextField {...field('min_sample')} label="Least sample" type="number" hint="Empty: what the metric needs." />
      <SelectField
        {...field('channel', 'browser')}
        label="How it tells"
        required
        options={channels.map((value) => ({ value, label: channelNames[value] }))}
        hint="The weekly digest is always an e-mail. In the browser alerts stand here, on the start page, and counted beside every page."
      />
      <TextField
        {...field('destination')}
        label="To"
        autoComplete="off"
        hint="One e-mail address, or the webhook address that Slack gave. Empty where only the browser tells."
      />
      <TextAreaField {...field('owner_note')} label="Note" rows={2} />
    </Form>
  );
}

const toOption = ({ key, label, unit, group }: Metrics[number]) => ({
  value: key,
  group: groups[group],
  label: group === 'leadership' ? label : `${label} (${unitNames[unit] ?? unit})`,
});
