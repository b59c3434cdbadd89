import { data } from 'react-router';
import { createShare, getShares, revokeShare } from '../../../server/api/shares/operations.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { submitOnce } from '../../../server/http/sent-forms.ts';
import { CopyNow } from '../../components/copy-now.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { badgeMarkdown } from '../copy-badge.tsx';
import type { Route } from './+types/shares';
import { ShareTable } from './share-table.tsx';
import { useSettingsTabs } from './tabs.ts';

const pageSize = 100;
/** As far as the operation counts. */
const maxPages = 10_000;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const wanted = Number.parseInt(pageRequest.context.url.searchParams.get('page') ?? '1', 10) || 1;
  const page = Math.min(Math.max(1, wanted), maxPages);
  const extra = { limit: String(pageSize), offset: String((page - 1) * pageSize) };
  return {
    page,
    shares: await panel(getShares, { ...pageRequest, extra }),
    wasRevoked: (await readFlash(pageRequest.context, 'revoked')) !== null,
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const form = await request.clone().formData();
  const done = await submitOnce(form, pageRequest.context, () =>
    submit(pageRequest, {
      badge: { operation: createShare, values: readBadge },
      link: { operation: createShare },
      revoke: { operation: revokeShare, next: '/settings/shares?revoked=yes' },
    }),
  );
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

type Made = { url: string; share: { title: string } };

/** What the reader made readable without signing in: shown once, listed and revoked. */
export default function SharesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { shares, page, wasRevoked } = loaderData;
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
        {({ shares: rows, total, offset, may_share: mayShare }) => (
          <>
            <ShareTable rows={rows} />
            {total > pageSize ? (
              <Pager
                from={offset + 1}
                to={offset + rows.length}
                total={total}
                noun="badges and links"
                previousHref={page > 1 ? `?page=${page - 1}` : null}
                nextHref={offset + rows.length < total ? `?page=${page + 1}` : null}
              />
            ) : null}
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

/** The fields of the form of a badge, as the operation takes them. */
function readBadge(form: FormData): Record<string, unknown> {
  const given = (name: string) => form.get(name) || undefined;
  const [workflowId, days] = [given('workflow_id'), given('expires_in_days')];
  return {
    badge: {
      kind: given('kind'),
      owner: given('owner'),
      repo: given('repo'),
      workflow_id: workflowId && Number(workflowId),
    },
    expires_in_days: days && Number(days),
  };
}
