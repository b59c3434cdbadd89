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
        <dl className="facts">
          <dt>–</dt>
          <dd>The number cannot be said. The reason is told beside it. It is never shown as zero.</dd>
          <dt>Passed</dt>
          <dd>Ended as success.</dd>
          <dt>Failed</dt>
          <dd>Ended as failure, timed out, or failed to start.</dd>
          <dt>Left out</dt>
          <dd>Cancelled, skipped, neutral and stale runs count neither as passed nor as failed.</dd>
          <dt>Duration</dt>
          <dd>From the start to the end of the latest attempt.</dd>
          <dt>Queue wait</dt>
          <dd>From creation to start, for first attempts only: a re-run keeps the creation time of its run.</dd>
          <dt>Health</dt>
          <dd>
            60 % share of passes among the last ten runs, 40 % among the last three, on the default branch. 80 and more
            is good, 60 and more fair. It needs three runs.
          </dd>
          <dt>Days</dt>
          <dd>Cut in the team’s time zone, which every chart names. A hatched day has not been read.</dd>
        </dl>
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
