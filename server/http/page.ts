import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { Context } from '../access/context.ts';
import { assertSameSite } from '../access/same-site.ts';
import { invalidRequest, Problem } from '../platform/problem.ts';
import { type RequestBody, readBytes } from './input.ts';
import { type PageRoute, pageRoutes } from './page-routes.ts';
import { problemContext, requestContext } from './router-context.ts';
import { isSharedPage } from './shared-page.ts';

/**
 * The page adapter: hands a request to the router, with its complete form, within the size limit of its page. What the
 * router cannot take is rejected before anything of it is read, with an error page.
 */
export function createPages(build: ServerBuild, mode: string) {
  const router = createRequestHandler(build, mode);
  const getRoute = pageRoutes(build.routes);
  return async (context: Context, request: RequestBody): Promise<Response> => {
    const provider = new RouterContextProvider();
    provider.set(requestContext, context);
    const accepted = await accept(context, request, getRoute).catch(toProblem);
    if (accepted instanceof Request) return router(accepted, provider);
    provider.set(problemContext, accepted);
    return router(toRequest(context), provider);
  };
}

const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

async function accept(context: Context, request: RequestBody, getRoute: (url: URL) => PageRoute): Promise<Request> {
  const { method, url, headers } = context;
  if (!isDecodable(url.pathname))
    throw invalidRequest([{ field: '', reason: 'invalid', message: 'The URL is not encoded correctly.' }]);
  const { methods: allowed, bodyLimit } = getRoute(url);
  if (!allowed.includes(method))
    throw new Problem('method_not_allowed', `Only ${allowed.join(', ')} can be used here.`, { details: { allowed } });
  if (method !== 'POST') return new Request(url, { method, headers });
  // No cookie takes part in a shared page, and browsers name no origin where no referrer is sent.
  if (!isSharedPage(url)) assertSameSite(context);
  if (!formTypes.test(headers.get('content-type') ?? ''))
    throw new Problem('unsupported_media_type', 'Send the fields of a form.');
  const body = await readBytes(request, bodyLimit);
  const form = () => new Request(url, { method, headers: withoutOrigin(headers), body });
  await form().formData().catch(throwUnreadable);
  return form();
}

/** Who may send a form is decided here; the framework's own check of the origin knows no bearer tokens. */
function withoutOrigin(headers: Headers): Headers {
  const others = new Headers(headers);
  others.delete('origin');
  return others;
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

function throwUnreadable(): never {
  throw invalidRequest([{ field: '', reason: 'invalid', message: 'The form could not be parsed.' }]);
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** The start page is rendered in place of one that is denied, since none of it is loaded; data of pages stay data. */
const toRequest = ({ method, url }: Context): Request =>
  new Request(new URL(url.pathname.endsWith('.data') ? '/_root.data' : '/', url), {
    method: method === 'HEAD' ? 'HEAD' : 'GET',
  });
