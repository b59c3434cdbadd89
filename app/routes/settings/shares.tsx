import { data } from 'react-router';
import type { Context } from '../../../server/access/context.ts';
import { createShare, getShares, revokeShare } from '../../../server/api/shares/operations.ts';
import { panel, type Submitted, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { noteSent, wasSent } from '../../../server/http/sent-forms.ts';
import { CopyNow } from '../../components/copy-now.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { badgeMarkdown } from '../copy-badge.tsx';
import type { Route } from './+types/shares';
import { ShareTable } from './share-table.tsx';
import { readBadge } from './submitted-badge.ts';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return {
    shares: await panel(getShares, pageRequest),
    wasRevoked: (await readFlash(pageRequest.context, 'revoked')) !== null,
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const form = await request.clone().formData();
  if (await wasSent(form, pageRequest.context)) return data(refuseRepeated(form, pageRequest.context), { status: 409 });
  const done = await submit(pageRequest, {
    badge: { operation: createShare, values: readBadge },
    link: { operation: createShare },
    revoke: { operation: revokeShare, next: '/settings/shares?revoked=yes' },
  });
  if (done instanceof Response) return done;
  if (done.data.done) await noteSent(form, pageRequest.context);
  return data(done.data, { status: done.status });
};

/** A reload of the page that shows a new address would make another one unseen. */
function refuseRepeated(form: FormData, { requestId }: Context): Submitted {
  const error = 'This form was sent before, and made one. Open the page again to make another.';
  const problem = { error, code: 'invalid_request' as const, request_id: requestId };
  return { rejected: { intent: String(form.get('intent')), problem, values: {} }, done: null };
}

type Made = { url: string; share: { title: string } };

/** What the reader made readable without signing in: shown once, listed and revoked. */
export default function SharesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { shares, wasRevoked } = loaderData;
  const { pages } = usePageContext();
  const rejected = actionData?.rejected ?? null;
  const done = actionData?.done ?? null;
  const made = done && done.intent !== 'revoke' ? (done.result as Made) : null;
  return (
    <Page
      title="Badges and links"
      lead="Numbers and pages that are readable without signing in, by whoever has the address."
      tabs={useSettingsTabs('Sharing')}
      note={
        <>
          {made ? done?.intent === 'link' ? <NewLink {...made} /> : <NewBadge {...made} /> : null}
          {wasRevoked && !made && !rejected ? <Notice tone="done">Revoked.</Notice> : null}
          {rejected ? <Notice tone="problem">{rejected.problem.error}</Notice> : null}
        </>
      }
    >
      <Panel title="Yours" result={shares}>
        {({ shares: rows, may_share: mayShare }) => (
          <>
            <ShareTable rows={rows} />
            <p className="source">
              {mayShare
                ? 'Make one with Copy badge or Share at the end of a page.'
                : 'You may make none: sharing is off, or for administrators alone.'}{' '}
              <a href="/docs/open/badges">Badges</a>, <a href="/docs/open/sharing">share links</a>
              {pages.includes('settings/sharing') ? (
                <>
                  , <a href="/settings/sharing">who may share</a>
                </>
              ) : null}
            </p>
          </>
        )}
      </Panel>
    </Page>
  );
}

/** The address of a link, which is in this answer alone. */
const NewLink = ({ url, share: { title } }: Made) => <CopyNow what="link" label={title} text={url} />;

/** The address of a badge, likewise. */
const NewBadge = ({ url, share: { title } }: Made) => (
  <CopyNow what="line" label={title} text={badgeMarkdown(title, url)}>
    <img src={url} alt={title} height="20" />
  </CopyNow>
);
