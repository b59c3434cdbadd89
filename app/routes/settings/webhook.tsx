import { Facts } from '../../components/facts.tsx';
import { usePageContext } from '../../components/page-context.ts';

/** What the platform's form of a webhook wants to know, and how to see that deliveries arrive. */
export function WebhookTest({ payloadUrl }: { payloadUrl: string }) {
  const { hostName } = usePageContext();
  return (
    <>
      <Facts
        facts={[
          { label: 'Payload URL', value: <code>{payloadUrl}</code> },
          { label: 'Content type', value: <code>application/json</code> },
          {
            label: 'Secret',
            value: (
              <>
                <code>CODEHOST_WEBHOOK_SECRET</code>, 16 characters or more
              </>
            ),
          },
          {
            label: 'Events',
            value:
              'Workflow runs, Workflow jobs, Pull requests; for own actions Pushes, Branch or tag creation, Branch or tag deletion, Releases',
          },
        ]}
      />
      <p className="muted">
        One webhook of an organization covers all its repositories. {hostName} sends a ping when you create it. To test
        again, open Recent deliveries there and redeliver.
      </p>
    </>
  );
}
