import type { IncomingMessage, ServerResponse } from 'node:http';
import serveStatic from 'serve-static';

export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * Answers GET and HEAD of the files in a folder; every other request goes to `next`. Files under `assets` carry a hash
 * of their content in their names and never change.
 */
export function staticFiles(folder: string): Middleware {
  const files = serveStatic(folder, {
    index: false,
    redirect: false,
    setHeaders: (response) => {
      const isHashed = /^\/assets\//.test(response.req.url ?? '');
      response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
  return (request, response, next) => {
    // Nearly every page: no look into the folder is needed.
    if (!hasExtension.test(request.url ?? '')) return next();
    files(request, response, (error) => (error ? sendFileError(response, error as FileError) : next()));
  };
}

/** Every file has one in its name, as it may be encoded. */
const hasExtension = /^[^?]*(\.|%2e)/i;

/**
 * What `send` reports of a file that is there: a range outside of it, a precondition that fails, a failure to read it.
 */
interface FileError {
  statusCode?: number;
  headers?: Record<string, string>;
}

function sendFileError(response: ServerResponse, { statusCode = 500, headers = {} }: FileError): void {
  for (const name of ['Content-Type', 'Cache-Control', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    response.removeHeader(name);
  response.writeHead(statusCode, { ...headers, 'Content-Length': 0 }).end();
}
