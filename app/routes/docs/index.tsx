import { Page } from '../../components/page.tsx';
import { Section } from '../../components/panel.tsx';
import { sections } from './readings.ts';
import { docTabs } from './tabs.ts';

export default function Docs() {
  return (
    <Page
      title="Documentation"
      lead="Delivery Analytics reads workflow runs, pull requests, deployments, commits and issues from your code-hosting platform and turns them into numbers that say what they count."
      tabs={docTabs('/docs')}
    >
      <Section title="Start">
        <ol className="prose">
          <li>
            <a href="/demo">Look at the demo</a>, or <a href="/setup">sign in</a>.
          </li>
          <li>Repositories are listed in the order in which they ask to be looked at.</li>
          <li>
            Open one to see how it delivers, who works on it, what waits, and the health of its workflows; open a
            workflow to see its runs and their jobs.
          </li>
          <li>
            Press “Sync now” under Reports to keep runs in the database and see trends over months. A long history is
            read on in the background.
          </li>
        </ol>
      </Section>
      <Section title="What the numbers mean">
        <ul className="prose">
          {sections.map(({ key, title, lead }) => (
            <li key={key}>
              <a href={`/docs/${key}`}>{title}</a>: {lead}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Scripts">
        <p className="prose">
          Every page shows the answer of an operation of the <a href="/docs/api">API</a>. Send your platform token as{' '}
          <code>Authorization: Bearer …</code>: with it a script reads, synchronizes and files issues; everything else
          is changed by a signed-in session only. Add <code>format=csv</code> to an operation that answers a table.
          Texts in CSV that a spreadsheet would run as a formula begin with an apostrophe. Add{' '}
          <code>csv_guard=off</code> only where a program reads the file and no spreadsheet ever opens it.
        </p>
      </Section>
    </Page>
  );
}
