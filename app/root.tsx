import type { ReactNode } from 'react';
import { isRouteErrorResponse, Links, Meta, Outlet, useRouteError, useRouteLoaderData } from 'react-router';
import { loadPageContext } from '../server/http/page-context.ts';
import { framePage, guardPage } from '../server/http/page-frame.ts';
import { requestContext } from '../server/http/router-context.ts';
import type { Route } from './+types/root';
import './app.css';
import { ErrorPage } from './components/error-page.tsx';
import { Denied, findDenied } from './routes/error/page.tsx';

export const middleware: Route.MiddlewareFunction[] = [
  ({ context }, next) => framePage(context, next),
  ({ context, pattern }, next) => guardPage(context, pattern, next),
];

export const loader = async ({ context }: Route.LoaderArgs) => loadPageContext(context.get(requestContext));

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
];

export function Layout({ children }: { children: ReactNode }) {
  const deniedPage = findDenied(useRouteError());
  const theme = (useRouteLoaderData<typeof loader>('root') ?? deniedPage?.pageContext)?.theme ?? 'system';
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
      </head>
      <body>{children}</body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const deniedPage = findDenied(error);
  if (deniedPage) return <Denied page={deniedPage} />;
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return <ErrorPage status={status} />;
}
