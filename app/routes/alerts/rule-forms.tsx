import type { FieldRules } from '../../../server/http/form-fields.ts';
import { SelectField, TextField } from '../../components/field.tsx';
import {
  Form,
  getFieldError,
  rejectedBy,
  type Submitted,
  submittedField,
  submittedValue,
} from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Clause } from './clause.tsx';
import { muteDays } from './form-values.ts';
import { channelNames, type Endpoint, isDigest, type Rule, ruleTitle, unitNames } from './labels.ts';
import { RuleNoteFields, type ruleNoteNames } from './rule-notes.tsx';
import { ruleSubject } from './sentence.ts';
import { WindowField } from './window-field.tsx';

interface Props {
  rule: Rule;
  rejected: Submitted | null;
}

const backTo = ({ id }: Rule) => `/alerts?rule=${id}#rule-${id}`;

interface EditRuleProps extends Props {
  fields: Record<string, FieldRules>;
  endpoints: readonly Endpoint[];
}

/** What of a rule can be changed; what it watches and how it tells stay. */
export function EditRule({ rule, fields, endpoints, rejected: given }: EditRuleProps) {
  const { csrf } = usePageContext();
  const rejected = rejectedBy(given, 'edit');
  const field = (name: 'threshold' | 'window_hours' | 'min_sample' | 'destination' | (typeof ruleNoteNames)[number]) =>
    submittedField(rejected, name, rule[name], fields);
  return (
    <Form
      action={backTo(rule)}
      csrf={csrf}
      intent="edit"
      submitted={rejected}
      hidden={{ id: rule.id }}
      submit="Save"
      label={`Change: ${ruleTitle(rule)}`}
    >
      <div className="sentence">
        <Clause word={ruleSubject(rule)} />
        {isDigest(rule) ? null : (
          <>
            <Clause word={rule.is_of_now ? 'at most once in' : 'over'}>
              <WindowField {...field('window_hours')} />
            </Clause>
            <Clause word="reaches">
              <TextField
                {...field('threshold')}
                label="Threshold"
                type="number"
                step="any"
                required
                unit={unitNames[rule.unit] ?? rule.unit}
              />
            </Clause>
            <Clause word="in a sample of at least">
              <TextField {...field('min_sample')} label="Minimum sample" type="number" />
            </Clause>
          </>
        )}
        {rule.destination === null ? null : (
          <Clause word={isDigest(rule) ? 'to' : `then ${channelNames[rule.channel].toLowerCase()} to`}>
            {rule.channel === 'webhook' ? (
              <SelectField {...field('destination')} label="To" required options={endpoints.map(toOption)} />
            ) : (
              <TextField {...field('destination')} label="To" required autoComplete="off" />
            )}
          </Clause>
        )}
      </div>
      <div className="fields">
        <RuleNoteFields field={field} />
      </div>
    </Form>
  );
}

const toOption = ({ id, name }: Endpoint) => ({ value: String(id), label: name });

/** Silence for a while: a muted rule is not evaluated. */
export function MuteRule({ rule, rejected: given }: Props) {
  const { csrf, now } = usePageContext();
  const rejected = rejectedBy(given, 'mute');
  const isMuted = rule.muted_until !== null && Date.parse(rule.muted_until) > now;
  return (
    <>
      <Form
        action={backTo(rule)}
        csrf={csrf}
        intent="mute"
        submitted={rejected}
        hidden={{ id: rule.id }}
        inline
        submit="Mute"
        label={`Mute: ${ruleTitle(rule)}`}
      >
        <SelectField
          name="mute_for"
          label={isMuted ? 'Mute again for' : 'Mute for'}
          required
          options={muteDays.map((days) => ({ value: days, label: days === '1' ? '1 day' : `${days} days` }))}
          value={submittedValue(rejected, 'mute_for', '7')}
          error={getFieldError(rejected, 'muted_until')}
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
export function DeleteRule({ rule, rejected }: Props) {
  const { csrf } = usePageContext();
  return (
    <details open={rejected?.intent === 'delete'}>
      <summary>Delete rule</summary>
      <Form
        action="/alerts"
        csrf={csrf}
        intent="delete"
        submitted={rejected}
        hidden={{ id: rule.id }}
        danger
        submit="Delete permanently"
        label={`Delete: ${ruleTitle(rule)}`}
      >
        <p>This cannot be undone. The alert history is kept.</p>
      </Form>
    </details>
  );
}
