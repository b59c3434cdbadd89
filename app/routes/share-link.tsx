import { useLocation } from 'react-router';
import { SecretField, SelectField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { usePageContext } from '../components/page-context.ts';

/**
 * Makes a link to what this page says now, for people who may not sign in. `privateNames` are repositories of several on
 * the page that are not public: their names leave. null where that could not be read.
 */
export function ShareLink({ privateNames = [] }: { privateNames?: readonly string[] | null }) {
  const { sharing, csrf, now } = usePageContext();
  const { pathname, search } = useLocation();
  if (!sharing?.mayShare || !sharing.isPageShareable) return null;
  return (
    <details className="source">
      <summary>Share</summary>
      <Form
        csrf={csrf}
        action="/settings/shares"
        intent="link"
        submit="Create link"
        hidden={{ page: `${pathname}${search}`, drawn: String(now) }}
        label="Share this page"
        inline
      >
        <SelectField name="expires_in_days" label="Expires in" options={ends} value="14" required />
        <SecretField name="pass_phrase" label="Pass phrase" autoComplete="new-password" />
      </Form>
      <PrivateNames names={privateNames} />
      <p>
        Whoever has the link sees this page as it is now, without people. <a href="/docs/open/sharing">Share links</a>
      </p>
    </details>
  );
}

/** What leaves by the link beside figures. */
function PrivateNames({ names }: { names: readonly string[] | null }) {
  if (names === null)
    return <p>Which repositories here are public could not be read. The link names all of them, private ones too.</p>;
  if (names.length === 0) return null;
  return <p>{`Not known to be public, and named by the link: ${[...new Set(names)].join(', ')}.`}</p>;
}

const ends = ['7', '14', '30', '90'].map((days) => ({ value: days, label: `${days} days` }));
