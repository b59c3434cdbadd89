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
  text: 'The page could not be shown. The request id helps to find the reason in the log.',
};

const pages: Record<number, { title: string; text: string }> = {
  400: { title: 'Not understood', text: 'The address asks for something that does not exist in this form.' },
  403: { title: 'Refused', text: 'The request came from another site, or you may not do this.' },
  404: { title: 'Not found', text: 'There is nothing at this address, or you cannot see it with your account.' },
  405: { title: 'Not possible here', text: 'This address does not take what was sent to it.' },
  413: { title: 'Too large', text: 'The form holds more than this page takes. Shorten the text and send it again.' },
  415: { title: 'Not a form', text: 'This page takes the fields of a form and nothing else.' },
  429: { title: 'Too many requests', text: 'Wait a minute, then go on.' },
  503: {
    title: 'Cannot check your access right now',
    text: 'The database or the platform did not answer. Try again in half a minute.',
  },
};
