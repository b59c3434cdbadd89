import { counted, type Unit } from '../../../server/domain/quantity.ts';
import type { FieldRules } from '../../../server/http/form-fields.ts';
import { Spark } from '../../charts/spark.tsx';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, type Submitted } from '../../components/form.tsx';
import { Measurement, Unknown } from '../../components/measurement.tsx';
import { DefinitionLink } from '../../components/metric-card.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { isDigest, type Rule, ruleState, ruleTitle } from './labels.ts';
import { DeleteRule, EditRule, MuteRule } from './rule-forms.tsx';
import { RuleNotes } from './rule-notes.tsx';
import { ruleLimits, ruleSentence } from './sentence.ts';

interface RuleCardProps {
  /** What of a rule that is changed is required. */
  fields: Record<string, FieldRules>;
  rule: Rule;
  /** Whether the caller may change it. */
  mayChange: boolean;
  /** Whether all that can be changed is shown. */
  isChosen: boolean;
  /** What the last button of this rule came to. */
  result: RuleResult;
}

export interface RuleResult {
  rejected: Submitted | null;
  done: string | null;
  /** What came of a test. */
  tested: { ok: true } | { ok: false; error: string } | null;
}

/** A rule as a sentence, how it stands, and for administrators what can be done with it. */
export function RuleCard({ rule, fields, mayChange, isChosen, result }: RuleCardProps) {
  const { now } = usePageContext();
  const { status, word, why } = ruleState(rule, now);
  return (
    <article className="finding" id={`rule-${rule.id}`} aria-label={ruleTitle(rule)}>
      <h3>
        {ruleSentence(rule)} <Badge status={status}>{word}</Badge>{' '}
        {isDigest(rule) ? null : <DefinitionLink metric={rule.metric} of={ruleTitle(rule)} />}
      </h3>
      {result.done ? <Notice tone="done">{result.done}</Notice> : null}
      {result.tested ? <Tested result={result.tested} rule={rule} /> : null}
      {why === undefined ? null : <p>{why}</p>}
      <RuleFacts rule={rule} />
      <p className="source">
        {ruleLimits(rule)}
        {rule.destination_hidden ? ' The destination is visible to administrators.' : null}
        {mayChange && rule.updated_by !== null ? ` Changed by ${rule.updated_by}.` : null}
      </p>
      <RuleNotes rule={rule} />
      {mayChange ? <Actions rule={rule} fields={fields} isChosen={isChosen} rejected={result.rejected} /> : null}
    </article>
  );
}

function RuleFacts({ rule }: Pick<RuleCardProps, 'rule'>) {
  const { now } = usePageContext();
  const { last_fired_at: firedAt, muted_until: mutedUntil } = rule;
  const isMuted = mutedUntil !== null && Date.parse(mutedUntil) > now;
  return (
    <Facts
      facts={[
        ...(isDigest(rule)
          ? []
          : [
              { label: 'Current value', value: <CurrentValue rule={rule} /> },
              { label: 'Daily maximum (UTC), 30 days', value: <HighestByDay rule={rule} /> },
            ]),
        { label: 'Last fired', value: firedAt === null ? 'never' : <Moment at={firedAt} /> },
        ...(isMuted ? [{ label: 'Muted until', value: <Moment at={mutedUntil} as="date-time" /> }] : []),
      ]}
    />
  );
}

function CurrentValue({ rule }: { rule: Rule }) {
  const { last_value: value, last_sample: sample, last_evaluated_at: at, unit } = rule;
  if (at === null) return <Unknown reason="not evaluated yet" />;
  return (
    <>
      <Measurement value={{ value, unit: unit as Unit, sample, reason: rule.incomplete ?? undefined }} showSample />
      <span className="muted">
        {value === null ? ' evaluated ' : ', '}
        <Moment at={at} />
      </span>
    </>
  );
}

/** How it went lately: a drawing, and how often the threshold was reached. */
export function HighestByDay({ rule }: { rule: Pick<Rule, 'highest_by_day' | 'threshold' | 'unit'> }) {
  const { highest_by_day: values, threshold, unit } = rule;
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return 'no value yet';
  const reached = known.filter((value) => value >= threshold).length;
  return (
    <>
      <Spark values={values} unit={unit as Unit} limit={threshold} kind="bars" label="Daily maximum, last 30 days" />{' '}
      <span className="muted">
        reached on {reached} of {counted(known.length, 'days')}
      </span>
    </>
  );
}

const testSentMessages: Record<Rule['channel'], string> = {
  browser: 'The test appears in the alert history below.',
  email: 'The email provider accepted it. Check the inbox.',
  digest: 'The email provider accepted it. Check the inbox.',
  slack: 'Slack accepted it.',
};

/** Whether the test message was sent, or the error of the provider as it came. */
function Tested({ result, rule }: { result: NonNullable<RuleResult['tested']>; rule: Rule }) {
  if (result.ok)
    return (
      <Notice tone="done" title="Test sent.">
        {testSentMessages[rule.channel]}
      </Notice>
    );
  return (
    <Notice tone="problem" title="Test failed.">
      {result.error}
    </Notice>
  );
}

function Actions({
  rule,
  fields,
  isChosen,
  rejected,
}: Pick<RuleCardProps, 'rule' | 'fields' | 'isChosen'> & Pick<RuleResult, 'rejected'>) {
  const { csrf } = usePageContext();
  const { id, enabled } = rule;
  const title = ruleTitle(rule);
  const back = `/alerts?rule=${id}#rule-${id}`;
  return (
    <>
      <div className="actions">
        <Form
          action={back}
          csrf={csrf}
          intent="switch"
          submitted={rejected}
          inline
          hidden={{ id, enabled: String(!enabled) }}
          submit={enabled ? 'Disable' : 'Enable'}
          label={`${enabled ? 'Disable' : 'Enable'}: ${title}`}
        />
        <Form
          action={back}
          csrf={csrf}
          intent="test"
          submitted={rejected}
          inline
          hidden={{ rule_id: id }}
          submit="Send test"
          label={`Test: ${title}`}
        />
        {isChosen ? (
          <a href={`/alerts#rule-${id}`}>Close</a>
        ) : (
          <a href={back} aria-label={`Edit, mute or delete: ${title}`}>
            Edit, mute or delete
          </a>
        )}
      </div>
      {isChosen ? (
        <>
          <EditRule rule={rule} fields={fields} rejected={rejected} />
          <div className="form in-row">
            <MuteRule rule={rule} rejected={rejected} />
            <DeleteRule rule={rule} rejected={rejected} />
          </div>
        </>
      ) : null}
    </>
  );
}
