import { data, useLocation } from 'react-router';
import { getTokensOfAccounts, revokeTokenOfAccount } from '../../../server/api/admin/tokens.ts';
import { featureLabels } from '../../../server/api/tokens/form.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { TokenTable } from '../settings/token-table.tsx';
import type { Route } from './+types/tokens';

const pageSize = 50;
/** As far as the operation counts. */
const maxPages = 20_000;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const wanted = Number.parseInt(pageRequest.context.url.searchParams.get('page') ?? '1', 10) || 1;
  const page = Math.min(Math.max(1, wanted), maxPages);
  const extra = { limit: String(pageSize), offset: String((page - 1) * pageSize) };
  const tokens = await panel(getTokensOfAccounts, { ...pageRequest, extra });
  return {
    page,
    tokens,
    labels: featureLabels,
    wasRevoked: (await readFlash(pageRequest.context, 'revoked')) !== null,
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const next = `/admin/tokens${withChoices(pageRequest.context.url.search, { revoked: 'yes', page: null })}`;
  const done = await submit(pageRequest, { one: { operation: revokeTokenOfAccount, next } });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** The access tokens of everybody, and revoking them. */
export default function TokensPage({ loaderData, actionData }: Route.ComponentProps) {
  const { tokens, labels, page, wasRevoked } = loaderData;
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const href = withChoices(search, { revoked: null });
  const rejected = actionData?.rejected ?? null;
  return (
    <Page title="Access tokens" lead="Access tokens of all users. A revoked token stops within a second.">
      {rejected ? <Notice tone="problem">{rejected.problem.error}</Notice> : null}
      {wasRevoked && !rejected ? <Notice tone="done">Token revoked.</Notice> : null}
      <Panel title="Tokens" result={tokens}>
        {({ tokens: rows, total, offset }) => (
          <>
            <FilterBar
              search={href}
              filters={[
                { kind: 'text', name: 'q', label: 'Login', value: query.get('q') },
                {
                  kind: 'select',
                  name: 'state',
                  label: 'State',
                  value: query.get('state'),
                  options: [
                    { value: '', label: 'all' },
                    { value: 'live', label: 'Active' },
                    { value: 'ended', label: 'Expired or revoked' },
                  ],
                },
              ]}
            />
            <TokenTable
              rows={rows}
              labels={labels}
              empty={query.size > 0 ? 'No tokens match this filter.' : 'No tokens yet.'}
            />
            <Pager
              from={offset + 1}
              to={offset + rows.length}
              total={total}
              noun="tokens"
              previousHref={page > 1 ? withChoices(href, { page: page - 1 }) : null}
              nextHref={offset + rows.length < total ? withChoices(href, { page: page + 1 }) : null}
            />
          </>
        )}
      </Panel>
    </Page>
  );
}
