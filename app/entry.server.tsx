import { PassThrough, pipeline } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import type { Context } from '../server/access/context.ts';
import { hasDeferredParts } from '../server/http/deferred-panels.ts';
import { nonceContext, requestContext } from '../server/http/router-context.ts';
import { keepSituation, situationKeeper } from '../server/http/situation.ts';
import { hostName } from '../server/platform/host-name.ts';
import { AnsweredRequest } from './components/error-page.tsx';

export const streamTimeout = 15_000;

/** A page that failed is one line of the log; that nobody waits for it any more is no failure, nor is a wrong address. */
export const handleError: HandleErrorFunction = (error, { context }) => {
  const appContext = context.get(requestContext);
  if (appContext.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  logFailure(error, appContext);
};

const logFailure = (err: unknown, { services: { log }, requestId }: Context) =>
  log.error({ err, request_id: requestId }, 'a page failed');

/** Renders a page to HTML. What its loaders left to follow is sent as soon as it is known. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  load: RouterContextProvider,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  // Nothing is taken over in the browser, so no data goes beside the markup.
  const context = load.get(requestContext);
  const { requestId, services } = context;
  const page = (
    <AnsweredRequest value={{ requestId, hostName: hostName(services.env) }}>
      <ServerRouter context={{ ...entry, serverHandoffStream: undefined }} url={request.url} />
    </AnsweredRequest>
  );
  return hasDeferredParts(context)
    ? streamed(page, status, headers, load)
    : new Response(keepSituation(`<!DOCTYPE html>${renderToString(page)}`, context), { status, headers });
}

function streamed(page: ReactNode, status: number, headers: Headers, load: RouterContextProvider): Promise<Response> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => abort(), streamTimeout + 1000);
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce: load.get(nonceContext),
      onShellReady() {
        // Without this the timer would hold the whole render in memory until it fires.
        const body = new PassThrough({
          final(done) {
            clearTimeout(timer);
            done();
          },
        });
        const context = load.get(requestContext);
        // Who goes away ends the render: what one part of a pipeline fails with has ended the others.
        const sent = context.isDemo ? pipeline(body, situationKeeper(context), () => undefined) : body;
        resolve(new Response(createReadableStreamFromReadable(sent), { status, headers }));
        pipe(body);
      },
      onShellError: reject,
      onError: (error) => logFailure(error, load.get(requestContext)),
    });
  });
}
