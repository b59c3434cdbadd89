import type { FieldRules } from '../../../server/http/form-fields.ts';
import { Badge } from '../../components/badge.tsx';
import { Form, type Submitted } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { type Endpoint, type Rule, ruleAnchor, ruleState, ruleTitle } from './labels.ts';
import { DeleteRule, EditRule, MuteRule } from './rule-forms.tsx';
import { ruleSentence } from './sentence.ts';

interface ChosenRuleProps {
  /** What of a rule that is changed is required. */
  fields: Record<string, FieldRules>;
  rule: Rule;
  endpoints: readonly Endpoint[];
  /** What the last button of this rule came to. */
  result: RuleResult;
}

export interface RuleResult {
  rejected: Submitted | null;
  done: string | null;
  /** What came of a test. */
  tested: { ok: true } | { ok: false; error: string } | null;
}

/** A rule as a sentence, what its last button came to, and all that an administrator can do with it. */
export function ChosenRule({ rule, fields, endpoints, result }: ChosenRuleProps) {
  const { now } = usePageContext();
  const { status, word } = ruleState(rule, now);
  const { rejected } = result;
  return (
    <article className="finding" id={ruleAnchor(rule.id)} aria-label={ruleTitle(rule)}>
      <h3>
        {ruleSentence(rule)} <Badge status={status}>{word}</Badge>
      </h3>
      {result.done ? <Notice tone="done">{result.done}</Notice> : null}
      {result.tested ? <Tested result={result.tested} rule={rule} /> : null}
      <Actions rule={rule} rejected={rejected} />
      <EditRule rule={rule} fields={fields} endpoints={endpoints} rejected={rejected} />
      <div className="form in-row">
        <MuteRule rule={rule} rejected={rejected} />
        <DeleteRule rule={rule} rejected={rejected} />
      </div>
    </article>
  );
}

const testSentMessages: Record<Rule['channel'], string> = {
  browser: 'The test appears in the alert history below.',
  email: 'The email provider accepted it. Check the inbox.',
  digest: 'The email provider accepted it. Check the inbox.',
  slack: 'Slack accepted it.',
  webhook: 'The endpoint accepted it.',
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

function Actions({ rule, rejected }: { rule: Rule; rejected: Submitted | null }) {
  const { csrf } = usePageContext();
  const { id, enabled } = rule;
  const title = ruleTitle(rule);
  const back = `/alerts?rule=${id}#${ruleAnchor(id)}`;
  return (
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
      <a href={`/alerts#${ruleAnchor(id)}`}>Close</a>
    </div>
  );
}
