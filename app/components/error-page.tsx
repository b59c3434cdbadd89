import { createContext, use } from 'react';
import { Page } from './page.tsx';
import { Shell } from './shell.tsx';

interface Answered {
  requestId: string;
  hostName: string;
}

/** The request that a page answers, where not even the frame could be drawn. */
export const AnsweredRequest = createContext<Answered>({ requestId: '', hostName: '' });

/** What a visitor reads when not even the frame could be drawn. */
export const ErrorPage = ({ status }: { status: number }) => (
  <Shell>
    <ErrorText status={status} {...use(AnsweredRequest)} />
  </Shell>
);

/** Why a page cannot be shown: a plain sentence, never the error's own words. */
export function ErrorText({ status, requestId, hostName }: Answered & { status: number }) {
  const { title, text } = status === 503 ? accessNotChecked(hostName) : (pages[status] ?? failed);
  return (
    <Page title={title} description={text}>
      <p>{text}</p>
      <p>
        <a href="/">Go to the repositories</a>
      </p>
      <p className="source">
        Request <code>{requestId}</code>
      </p>
    </Page>
  );
}

const failed = {
  title: 'Something went wrong',
  text: 'The page could not be loaded. Use the request ID to find the error in the log.',
};

const pages: Record<number, { title: string; text: string }> = {
  400: { title: 'Bad request', text: 'The URL is not valid.' },
  403: { title: 'Forbidden', text: 'The request came from another site, or you are not allowed to do this.' },
  404: { title: 'Not found', text: 'This page does not exist, or your account cannot see it.' },
  405: { title: 'Method not allowed', text: 'This page does not accept this request.' },
  413: { title: 'Too large', text: 'The form is too large. Shorten the text and try again.' },
  415: { title: 'Unsupported content', text: 'This page only accepts form fields.' },
  429: { title: 'Too many requests', text: 'Wait a minute, then try again.' },
};

const accessNotChecked = (hostName: string) => ({
  title: 'Cannot check your access',
  text: `The database or ${hostName} did not respond. Try again in 30 seconds.`,
});
