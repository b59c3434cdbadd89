import { createContext, use } from 'react';
import { Page } from './page.tsx';
import { Shell } from './shell.tsx';

/** The id of the request that a page answers, where not even the frame could be drawn. */
export const RequestId = createContext('');

/** What a visitor reads when not even the frame could be drawn. */
export const ErrorPage = ({ status }: { status: number }) => (
  <Shell>
    <ErrorText status={status} requestId={use(RequestId)} />
  </Shell>
);

/** Why a page cannot be shown: a plain sentence, never the error's own words. */
export function ErrorText({ status, requestId }: { status: number; requestId: string }) {
  const { title, text } = pages[status] ?? failed;
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
  503: {
    title: 'Cannot check your access',
    text: 'The database or GitHub did not respond. Try again in 30 seconds.',
  },
};
