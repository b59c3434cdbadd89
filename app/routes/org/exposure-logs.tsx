import { count, figures } from '../../../server/domain/quantity.ts';
import { Form, type Submitted } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import type { Search } from './exposure-words.tsx';

interface ExposureLogsProps {
  data: Search;
  /** The question, as the fields of the form say it. */
  question: Record<string, string>;
  submitted: Submitted | null;
}

/** What reading logs would take, with the button that has them read, and how far that is. */
export function ExposureLogs({ data: { logs }, question, submitted }: ExposureLogsProps) {
  const { csrf, base } = usePageContext();
  const { readable, next, waiting, requests_at_least: requests, can_read: canRead } = logs;
  if (readable + waiting === 0) return null;
  const isDemo = base !== '';
  return (
    <Panel title="Logs" id="logs" result={{ ok: true, data: logs }}>
      {() => (
        <>
          {waiting > 0 && !canRead ? (
            <p>Logs of {count(waiting, 'attempt')} wait until somebody reads logs here.</p>
          ) : null}
          {waiting > 0 && canRead ? (
            <p>
              Logs of {count(waiting, 'attempt')} are about to be read, those that expire first before the others.
              Reload to see what they say.
            </p>
          ) : null}
          {readable > 0 ? (
            <p>
              Logs of {count(readable, 'attempt')} were not read. Reading{' '}
              {next < readable ? `the first ${figures(next)}` : 'them'} takes at least {figures(requests)} requests.
            </p>
          ) : null}
          {readable > 0 && canRead ? (
            <Form csrf={csrf} submit="Read logs" hidden={question} submitted={submitted} label="Read logs of runs" />
          ) : null}
          {!canRead && !isDemo ? (
            <p className="muted">Nobody reads logs here: that needs a service token and background work.</p>
          ) : null}
          {readable > 0 ? (
            <details className="source">
              <summary>What reading takes</summary>
              <p>
                Logs name what each job downloaded; with them the workflow files that ran are read. Requests are of the
                service token, which has 5,000 an hour on GitHub.com; a fifth of them is left to others.
              </p>
            </details>
          ) : null}
        </>
      )}
    </Panel>
  );
}
