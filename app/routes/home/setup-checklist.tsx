import type { ReactNode } from 'react';
import { figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { Form, type Submitted } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { authorizeToken, hiddenRepositories, neededScopes } from '../no-repositories.tsx';
import { SyncForm } from '../reports/sync-form.tsx';
import { WebhookTest } from '../settings/webhook.tsx';
import { isLeft } from './left-steps.ts';
import type { Setup } from './setup.ts';

interface Props {
  setup: Setup;
  submitted: Submitted | null | undefined;
  /**
   * What the synchronization is about, where its form is sent, and whether one is running, or could bring anything, or
   * repositories are hidden.
   */
  sync: {
    action: string;
    scope: Record<string, string>;
    isRunning: boolean;
    hasRepositories: boolean;
    isPartial: boolean;
  };
}

type Step = Setup['steps'][number];

/** What is left until the service runs by itself, in one row. It ends with the last step, or when it is dismissed. */
export function SetupChecklist({ setup, submitted, sync }: Props) {
  const { csrf } = usePageContext();
  const { steps } = setup;
  const done = steps.filter(({ missing }) => missing === null).length;
  const left = steps.filter(isLeft);
  const [next] = left;
  return (
    <section className="panel setup" aria-label="Set up">
      <details>
        <summary>{`Set up: ${figures(done)} of ${figures(done + left.length)} done`}</summary>
        <ol className="steps">
          {steps.map((step) => (
            <li key={step.step}>
              <SetupStep step={step} payloadUrl={setup.payload_url} />
            </li>
          ))}
        </ol>
      </details>
      {next ? <NextStep step={next} submitted={submitted} sync={sync} /> : null}
      <Form
        action="/?index"
        csrf={csrf}
        intent="dismissSetup"
        submitted={submitted}
        inline
        submit="Dismiss"
        label="Dismiss the checklist"
      />
    </section>
  );
}

function SetupStep({ step, payloadUrl }: { step: Step; payloadUrl: string | null }) {
  return (
    <>
      <span>
        <Badge status={step.missing === null ? 'pass' : 'void'}>
          {step.missing === null ? 'done' : isLeft(step) ? 'to do' : 'optional'}
        </Badge>{' '}
        <a href={places[step.step].href}>{places[step.step].label}</a>
      </span>
      <Progress step={step} />
      {step.missing === 'no_delivery' && payloadUrl !== null ? <WebhookTest payloadUrl={payloadUrl} /> : null}
    </>
  );
}

function NextStep({ step, submitted, sync }: Omit<Props, 'setup'> & { step: Step }) {
  const { mode, webUrl } = usePageContext();
  if (step.missing === 'not_synced' && !sync.hasRepositories && sync.isPartial) {
    const { href, label } = authorizeToken(webUrl);
    return (
      <span>
        {hiddenRepositories} <a href={href}>{label}</a>
      </span>
    );
  }
  if (step.missing === 'not_synced' && !sync.hasRepositories)
    return (
      <span>
        You can see no repositories to sync. Ask for access to one
        {mode === 'organization' ? (
          '.'
        ) : (
          <>
            {' or '}
            <a href="/setup">use another token</a>. {neededScopes}
          </>
        )}
      </span>
    );
  if (step.missing === 'not_synced')
    return sync.isRunning ? null : <SyncForm action={sync.action} scope={sync.scope} submitted={submitted} primary />;
  const { href, label } = places[step.step];
  return (
    <span>
      Next: <a href={href}>{label}</a>
    </span>
  );
}

/** Whether nothing has been synced yet, of a reader who may sync. */
export const isNotSynced = (setup: Setup | null) =>
  setup?.steps.some(({ missing }) => missing === 'not_synced') === true;

const places: Record<Step['step'], { label: string; href: string }> = {
  sync: { label: 'Sync repositories', href: '/reports' },
  webhook: { label: 'Webhook', href: '/settings/jobs#webhook' },
  alert: { label: 'Alert rule', href: '/alerts#new' },
  email: { label: 'Email', href: '/settings/email' },
};

const left: Record<NonNullable<Step['missing']>, ReactNode> = {
  not_synced: 'Stores CI runs and pull requests for charts and alerts.',
  no_webhook_secret: (
    <>
      Off: <code>CODEHOST_WEBHOOK_SECRET</code> is not set.
    </>
  ),
  not_reachable: (
    <>
      Not reachable from outside this machine: set <code>APP_URL</code> to a public https address. Everything works
      without it.
    </>
  ),
  no_delivery: 'Waiting for the first delivery.',
  no_rule: 'Watch a metric against a threshold.',
  no_provider: 'No email provider configured.',
  settings_broken: 'The saved settings are invalid.',
  no_email_sent: 'Configured. Send a test email.',
};

/** What is left of a step, or when it last worked. */
function Progress({ step: { step, missing, at, event } }: { step: Step }) {
  const when = <Moment at={at} />;
  if (missing !== null) return <p className="muted">{left[missing]}</p>;
  if (step === 'alert') return <p className="muted">At least one rule is enabled.</p>;
  return (
    <p className="muted">
      {step === 'sync' ? 'Synced ' : step === 'email' ? 'Last email sent ' : `Latest delivery: ${event}, `}
      {when}
    </p>
  );
}
