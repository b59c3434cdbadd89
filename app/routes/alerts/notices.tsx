import { count } from '../../../server/domain/quantity.ts';
import { NoServiceToken, Notice } from '../../components/notice.tsx';
import { isByMail, type Rule, ruleTitle } from './labels.ts';

interface Props {
  rules: readonly Rule[];
  /** What mail goes out through; null where the caller may not see it. */
  mailSource: 'settings' | 'env' | 'none' | 'settings_broken' | 'unknown' | null;
  isDeleted: boolean;
  /** Whether the service has no token of its own for nightly work, which the caller can do something about. */
  lacksServiceToken: boolean;
}

/** What concerns the whole page: mail that cannot go out, and rules whose messages do not arrive. */
export function PageNotices({ rules, mailSource, isDeleted, lacksServiceToken }: Props) {
  const failing = rules.filter(({ health }) => health === 'delivery_failing');
  const waiting = rules.filter((rule) => rule.enabled && isByMail(rule));
  return (
    <>
      {isDeleted ? <Notice tone="done">Rule deleted. Its alerts stay in the history.</Notice> : null}
      {lacksServiceToken ? <NoServiceToken /> : null}
      {waiting.length > 0 ? <Mail source={mailSource} rules={waiting.length} /> : null}
      {failing.length > 0 ? (
        <Notice tone="problem" title="Notifications are failing.">
          {'The last notification failed for '}
          {failing.map((rule, index) => (
            <span key={rule.id}>
              {index > 0 ? ', ' : null}
              <a href={`#rule-${rule.id}`}>{ruleTitle(rule)}</a>
            </span>
          ))}
          {'.'}
        </Notice>
      ) : null}
    </>
  );
}

const settings = { label: 'Email settings', href: '/settings/email' };

function Mail({ source, rules }: { source: Props['mailSource']; rules: number }) {
  if (source === null || source === 'settings' || source === 'env') return null;
  const tell = `${count(rules, 'rule sends', 'rules send')} email`;
  if (source === 'unknown')
    return (
      <Notice tone="partial" title="Email delivery status is unknown." next={settings}>
        {tell}.
      </Notice>
    );
  return (
    <Notice tone="problem" title="Email is not being sent." next={settings}>
      {tell}, and {source === 'none' ? 'no email provider is configured' : 'the saved email settings are invalid'}.
    </Notice>
  );
}
