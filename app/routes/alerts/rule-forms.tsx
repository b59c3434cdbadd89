import { SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { errorOf, Form, keptValue, refusedHere, type Submitted } from '../../components/form.tsx';
import { useChrome } from '../chrome.ts';
import { muteDays } from './typed.ts';
import { isDigest, type Rule, ruleTitle, unitNames } from './words.ts';

interface Props {
  rule: Rule;
  refused: Submitted | null;
}

const backTo = ({ id }: Rule) => `/alerts?rule=${id}#rule-${id}`;

/** What of a rule can be changed; what it watches and how it tells stay. */
export function EditRule({ rule, refused: given }: Props) {
  const { csrf } = useChrome();
  const refused = refusedHere(given, 'edit');
  const kept = (name: 'threshold' | 'window_hours' | 'min_sample' | 'destination' | 'owner_note') => ({
    ...{ name, value: keptValue(refused, name, rule[name]), error: errorOf(refused, name) },
  });
  return (
    <Form
      {...{ action: backTo(rule), csrf, intent: 'edit', submitted: refused, hidden: { id: rule.id }, submit: 'Save' }}
      label={`Change: ${ruleTitle(rule)}`}
    >
      {isDigest(rule) ? null : (
        <>
          <TextField
            {...kept('threshold')}
            {...{ label: 'Threshold', type: 'number', min: 0, step: 'any', required: true }}
            unit={unitNames[rule.unit] ?? rule.unit}
          />
          <TextField
            {...kept('window_hours')}
            {...{ label: 'Window', type: 'number', min: 1, max: 2160, required: true, unit: 'hours' }}
          />
          <TextField
            {...kept('min_sample')}
            {...{ label: 'Least sample', type: 'number', min: 1, max: 1000 }}
            hint="Below it the rule says nothing. Never below what the metric needs."
          />
        </>
      )}
      {rule.destination === null ? null : (
        <TextField {...kept('destination')} {...{ label: 'To', required: true, autoComplete: 'off' }} />
      )}
      <TextAreaField {...kept('owner_note')} {...{ label: 'Note', rows: 2, maxLength: 500 }} />
    </Form>
  );
}

/** Silence for a while: a muted rule is not evaluated. */
export function MuteRule({ rule, refused: given }: Props) {
  const { csrf, now } = useChrome();
  const refused = refusedHere(given, 'mute');
  const isMuted = rule.muted_until !== null && Date.parse(rule.muted_until) > now;
  return (
    <>
      <Form
        {...{ action: backTo(rule), csrf, intent: 'mute', submitted: refused, hidden: { id: rule.id }, inline: true }}
        {...{ submit: 'Mute', label: `Mute: ${ruleTitle(rule)}` }}
      >
        <SelectField
          {...{ name: 'mute_for', label: isMuted ? 'Mute anew for' : 'Mute for', required: true }}
          options={muteDays.map((days) => ({ value: days, label: days === '1' ? '1 day' : `${days} days` }))}
          value={keptValue(refused, 'mute_for', '7')}
          error={errorOf(refused, 'muted_until')}
        />
      </Form>
      {isMuted ? (
        <Form
          {...{ action: backTo(rule), csrf, intent: 'unmute', submitted: given, hidden: { id: rule.id }, inline: true }}
          {...{ submit: 'Unmute', label: `Unmute: ${ruleTitle(rule)}` }}
        />
      ) : null}
    </>
  );
}

/** Asks once more before a rule is gone. */
export function DeleteRule({ rule, refused }: Props) {
  const { csrf } = useChrome();
  return (
    <details open={refused?.intent === 'delete'}>
      <summary>Delete this rule</summary>
      <Form
        {...{ action: '/alerts', csrf, intent: 'delete', submitted: refused, hidden: { id: rule.id }, danger: true }}
        {...{ submit: 'Delete for good', label: `Delete: ${ruleTitle(rule)}` }}
      >
        <p>The rule is gone after this; when it fired stays among the alerts.</p>
      </Form>
    </details>
  );
}
