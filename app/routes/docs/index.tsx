import { Facts } from '../../components/facts.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/panel.tsx';
import { tabTitle } from '../chrome.ts';
import type { Route } from './+types/index';
import { docTabs } from './tabs.ts';

export const meta: Route.MetaFunction = () => tabTitle('Documentation');

export default function Docs() {
  return (
    <Page
      title="Documentation"
      lead="Delivery Analytics reads workflow runs from your code-hosting platform and turns them into numbers that say what they count."
      tabs={docTabs('/docs')}
    >
      <Section title="Start">
        <ol className="prose">
          <li>
            <a href="/demo">Look at the demo</a>, or <a href="/setup">sign in with a token</a>.
          </li>
          <li>Repositories are listed in the order in which they ask to be looked at.</li>
          <li>Open one to see the health of its workflows, and a workflow to see its runs and their jobs.</li>
          <li>Press “Sync now” under Reports to keep runs in the database and see trends over months.</li>
        </ol>
      </Section>
      <Section title="How to read the numbers">
        <Facts
          of={[
            {
              label: '–',
              value: 'The number cannot be said. The reason is told beside it. It is never shown as zero.',
            },
            { label: 'Passed', value: 'Ended as success.' },
            { label: 'Failed', value: 'Ended as failure, timed out, or failed to start.' },
            {
              label: 'Left out',
              value: 'Cancelled, skipped, neutral and stale runs count neither as passed nor as failed.',
            },
            { label: 'Duration', value: 'From the start to the end of the latest attempt.' },
            {
              label: 'Queue wait',
              value: 'From creation to start, for first attempts only: a re-run keeps the creation time of its run.',
            },
            {
              label: 'Health',
              value:
                '60 % share of passes among the last ten runs, 40 % among the last three, on the default branch. 80 and more is good, 60 and more fair. It needs three runs.',
            },
            {
              label: 'Days',
              value: 'Cut in the team’s time zone, which every chart names. A hatched day has not been read.',
            },
          ]}
        />
      </Section>
      <Section title="Scripts">
        <p className="prose">
          Every page shows the answer of an operation of the <a href="/docs/api">API</a>. Send your platform token as{' '}
          <code>Authorization: Bearer …</code>; add <code>format=csv</code> to an operation that answers a table.
        </p>
      </Section>
    </Page>
  );
}
