import { data, isRouteErrorResponse } from 'react-router';
import { requestContext } from '../../../server/http/router-context.ts';
import { isPrefetch, openShared } from '../../../server/http/shared-page.ts';
import { SharedView } from '../../charts/link.tsx';
import { ErrorPage } from '../../components/error-page.tsx';
import { SecretField } from '../../components/field.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { SnapshotOfPage } from '../../components/page-context.ts';
import { Shell } from '../../components/shell.tsx';
import type { Route } from './+types/page';
import { SharedParts } from './shared-parts.tsx';

export const handle = { isPlain: true };

export const loader = ({ context, params }: Route.LoaderArgs) => {
  const request = context.get(requestContext);
  const isCounted = request.method === 'GET' && !isPrefetch(request);
  return openShared(request, { token: params.token, phrase: null, isCounted });
};

/** The pass phrase opens this one answer: nothing is remembered of it. */
export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const phrase = String((await request.formData()).get('pass_phrase') ?? '');
  const opened = await openShared(context.get(requestContext), { token: params.token, phrase, isCounted: true });
  return data(opened, { status: opened.isWrong ? 403 : 200 });
};

export const headers: Route.HeadersFunction = ({ errorHeaders }) => errorHeaders ?? {};

/** What somebody shared of a page, as it was then: without navigation, forms and scripts. */
export default function SharedPage({ loaderData, actionData }: Route.ComponentProps) {
  const { snapshot, expiresAt, isWrong, installation } = actionData ?? loaderData;
  if (!snapshot)
    return (
      <Shell>
        <title>Shared page · Delivery Analytics</title>
        <h1>Shared page</h1>
        {isWrong ? <Notice tone="problem">This is not its pass phrase.</Notice> : null}
        <form method="post" className="form">
          <SecretField name="pass_phrase" label="Pass phrase" required />
          <p className="form-end">
            <button type="submit" className="primary">
              Show
            </button>
          </p>
        </form>
      </Shell>
    );
  const { takenAt, zone, choices } = snapshot;
  return (
    <SharedView>
      <Shell isWide>
        <Notice title="Shared.">
          From {installation}, as of <Moment at={takenAt} as="date-time" />, ends{' '}
          <Moment at={expiresAt} as="date-time" />. It is not updated, and people are excluded.
        </Notice>
        <SnapshotOfPage value={{ now: takenAt, zone, search: `?${new URLSearchParams(choices)}` }}>
          <SharedParts snapshot={snapshot} />
        </SnapshotOfPage>
      </Shell>
    </SharedView>
  );
}

/** The same for every link that does not open. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage status={isRouteErrorResponse(error) ? error.status : 500} />;
}
