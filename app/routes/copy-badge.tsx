import type { BadgeKindName } from '../../server/sharing/badge-kinds.ts';
import { SelectField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { usePageContext } from '../components/page-context.ts';

interface CopyBadgeProps {
  repository: { owner: string; repo: string };
  /** What a badge can show of this page, by name. */
  kinds: Partial<Record<BadgeKindName, string>>;
  workflowId?: string;
}

/** Badges of the numbers of a page, for a README: the line to copy, or a form that makes one with a token. */
export function CopyBadge({ repository: { owner, repo }, kinds, workflowId }: CopyBadgeProps) {
  const { sharing, csrf, now } = usePageContext();
  if (!sharing || (!sharing.mayShare && !sharing.hasPublicBadges)) return null;
  const subject = { owner, repo, ...(workflowId && { workflow_id: workflowId }) };
  const options = Object.entries(kinds).map(([value, label]) => ({ value, label }));
  return (
    <details className="source">
      <summary>Copy badge</summary>
      {sharing.hasPublicBadges ? (
        <>
          <p>While the repository is public:</p>
          {options.map(({ value, label }) => (
            <p key={value}>
              <code className="select-all">
                {badgeMarkdown(label, `${sharing.appUrl}/api/badges/${value}.svg?${new URLSearchParams(subject)}`)}
              </code>
            </p>
          ))}
        </>
      ) : null}
      {sharing.mayShare ? (
        <Form
          csrf={csrf}
          action="/settings/shares"
          intent="badge"
          submit="Create badge"
          hidden={{ ...subject, drawn: String(now) }}
          inline
        >
          <SelectField name="kind" label="Shows" options={options} />
          <SelectField name="expires_in_days" label="Expires in" options={badgeEnds} value="90" />
        </Form>
      ) : null}
      <p>
        Whoever has the address of a badge sees its number. <a href="/docs/open/badges">Badges</a>
      </p>
    </details>
  );
}

/** How long a badge may work. */
export const badgeEnds = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: '366 days' },
  { value: '', label: 'never (public repositories)' },
];

export const badgeMarkdown = (label: string, url: string): string => `![${label}](${url})`;
