import type { FieldRules } from '../../../server/http/form-fields.ts';
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { errorOf, Form, keptField, keptValue, refusedHere, type Submitted } from '../../components/form.tsx';
import { usePageContext } from '../page-context.ts';
import { muteDays } from './typed.ts';
import { isDigest, type Rule, ruleTitle, unitNames } from './words.ts';

interface Props {
  rule: Rule;
  refused: Submitted | null;
}

const backTo = ({ id }: Rule) => `/alerts?rule=${id}#rule-${id}`;

/** What of a rule can be changed; what it watches and how it tells stay. */
export function EditRule({ rule, fields, refused: given }: Props & { fields: Record<string, FieldRules> }) {
  const { csrf } = usePageContext();
  const refused = refusedHere(given, 'edit');
  const kept = (name: 'threshold' | 'window_hours' | 'min_sample' | 'destination' | 'owner_note') =>
    keptField(refused, name, rule[name], fields);
  return (
    <Form
      action={backTo(rule)}
      csrf={csrf}
      intent="edit"
      submitted={refused}
      hidden={{ id: rule.id }}
      submit="Save"
      label={`Change: ${ruleTitle(rule)}`}
    >
      {isDigest(rule) ? null : (
        <>
          <TextField
            {...kept('threshold')}
            label="Threshold"
            type="number"
            step="any"
            required
            unit={unitNames[rule.unit] ?? rule.unit}
          />
          <TextField {...kept('window_hours')} label="Window" type="number" required unit="hours" />
          <TextField
            {...kept('min_sample')}
            label="Least sample"
            type="number"
            hint="Below it the rule says nothing. Never below what the metric needs."
          />
        </>
      )}
      {rule.destination === null ? null : <TextField {...kept('destination')} label="To" required autoComplete="off" />}
      <TextAreaField {...kept('owner_note')} label="Note" rows={2} />
    </Form>
  );
}

/** Silence for a while: a muted rule is not evaluated. */
export function MuteRule({ rule, refused: given }: Props) {
  const { csrf, now } = usePageContext();
  const refused = refusedHere(given, 'mute');
  const isMuted = rule.muted_until !== null && Date.parse(rule.muted_until) > now;
  return (
    <>
      <Form
        action={backTo(rule)}
        csrf={csrf}
        intent="mute"
        submitted={refused}
        hidden={{ id: rule.id }}
        inline
        submit="Mute"
        label={`Mute: ${ruleTitle(rule)}`}
      >
        <SelectField
          name="mute_for"
          label={isMuted ? 'Mute anew for' : 'Mute for'}
          required
          options={muteDays.map((days) => ({ value: days, label: days === '1' ? '1 day' : `${days} days` }))}
          value={keptValue(refused, 'mute_for', '7')}
          error={errorOf(refused, 'muted_until')}
        />
      </Form>
      {isMuted ? (
        <Form
          action={backTo(rule)}
          csrf={csrf}
          intent="unmute"
          submitted={given}
          hidden={{ id: rule.id }}
          inline
          submit="Unmute"
          label={`Unmute: ${ruleTitle(rule)}`}
        />
      ) : null}
    </>
  );
}

/** Asks once more before a rule is gone. */
export function DeleteRule({ rule, refused }: Props) {
  const { csrf } = usePageContext();
  return (
    <details open={refused?.intent === 'delete'}>
      <summary>Delete this rule</summary>
      <Form
        action="/alerts"
        csrf={csrf}
        intent="delete"
        submitted={refused}
        hidden={{ id: rule.id }}
        danger
        submit="Delete for good"
        label={`Delete: ${ruleTitle(rule)}`}
      >
        <p>The rule is gone after this; when it fired stays among the alerts.</p>
      </Form>
    </details>
  );
}
