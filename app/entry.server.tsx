import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { isbot } from 'isbot';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import type { Context } from '../server/access/context.ts';
import { nonceContext, requestContext } from '../server/http/router-context.ts';
import { RequestId } from './components/error-page.tsx';

export const streamTimeout = 15_000;

/** A page that failed is one line of the log; that nobody waits for it any more is no failure, nor is a wrong address. */
export const handleError: HandleErrorFunction = (error, { context }) => {
  const appContext = context.get(requestContext);
  if (appContext.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  logFailure(error, appContext);
};

const logFailure = (err: unknown, { services: { log }, requestId }: Context) =>
  log.error({ err, request_id: requestId }, 'a page failed');

/** Renders a page to HTML; loaders have finished before, so the first bytes already carry the data. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  load: RouterContextProvider,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return isScripted(entry)
    ? streamed(request, status, headers, entry, load)
    : new Response(renderAll(request, entry, load.get(requestContext).requestId), { status, headers });
}

/** What is drawn in the place of a page needs none of its scripts. */
const isScripted = ({ staticHandlerContext: { matches, errors }, routeModules }: EntryContext) =>
  !errors?.root &&
  matches.some(({ route }) => (routeModules[route.id]?.handle as { scripts?: boolean } | undefined)?.scripts);

/** A page without scripts takes nothing over in the browser: no data beside its markup, nothing to wait for. */
const renderAll = (request: Request, entry: EntryContext, requestId: string): string => {
  const page = (
    <RequestId value={requestId}>
      <ServerRouter context={{ ...entry, serverHandoffStream: undefined }} url={request.url} />
    </RequestId>
  );
  return `<!DOCTYPE html>${renderToString(page)}`;
};

function streamed(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  load: RouterContextProvider,
): Promise<Response> {
  const nonce = load.get(nonceContext);
  return new Promise((resolve, reject) => {
    const ready = isbot(request.headers.get('user-agent') ?? '') ? 'onAllReady' : 'onShellReady';
    let answered = false;
    let code = status;
    const timer = setTimeout(() => abort(), streamTimeout + 1000);
    const { pipe, abort } = renderToPipeableStream(<ServerRouter context={entry} url={request.url} nonce={nonce} />, {
      nonce,
      [ready]() {
        answered = true;
        // Without this the timer would hold the whole render in memory until it fires.
        const body = new PassThrough({
          final(done) {
            clearTimeout(timer);
            done();
          },
        });
        resolve(new Response(createReadableStreamFromReadable(body), { status: code, headers }));
        pipe(body);
      },
      onShellError: reject,
      onError(error) {
        code = 500;
        if (answered) logFailure(error, load.get(requestContext));
      },
    });
  });
}
