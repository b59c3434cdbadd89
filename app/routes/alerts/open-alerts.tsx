import { count, figures } from '../../../server/domain/quantity.ts';
import type { AlertStatus } from '../../../server/http/alert-status.ts';
import { Badge } from '../../components/badge.tsx';
import { ItemList } from '../../components/item-list.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { amount, getScopeName } from './labels.ts';

const maxShown = 5;

/** What alerts ask of the reader now: which are open, that none is, or why that cannot be said. */
export function OpenAlerts({ status }: { status: AlertStatus }) {
  const { base } = usePageContext();
  return (
    <Section title="Alerts" aside={<SharedParamsLink href={`${base}/alerts`}>All alerts</SharedParamsLink>}>
      {status.state === 'open' ? <Open status={status} /> : <p>{quietMessage(status)}</p>}
    </Section>
  );
}

function quietMessage(status: Exclude<AlertStatus, { state: 'open' }>) {
  if (status.state === 'unknown')
    return (
      <>
        <Badge status="void">unknown</Badge> Alerts could not be loaded. {status.error}
      </>
    );
  if (status.state === 'nobody' && status.rules === 0) return 'No alert rules yet.';
  if (status.state === 'nobody')
    return (
      <>
        <Badge status="void">no active rules</Badge> {count(status.rules, 'rule')}, all off, muted or without data.
      </>
    );
  const silent = status.silent === 0 ? '' : ` ${figures(status.silent)} off, muted or without data.`;
  return (
    <>
      <Badge status="pass">no open alerts</Badge> {count(status.watching, 'active rule')}.{silent}
    </>
  );
}

function Open({ status: { open, events } }: { status: Extract<AlertStatus, { state: 'open' }> }) {
  const { base } = usePageContext();
  const more = open - Math.min(events.length, maxShown);
  return (
    <>
      <p>
        <Badge status="fail">{count(open, 'open alert')}</Badge> in the last 7 days
      </p>
      <ItemList
        items={events
          .slice(0, maxShown)
          .map(({ id, label, repo, scope, value, unit, threshold, fired_at, explained_at }) => ({
            key: id,
            name: (
              <SharedParamsLink href={`${base}${explained_at}`}>
                {label} in {repo ?? getScopeName(scope)}
              </SharedParamsLink>
            ),
            detail: (
              <>
                {amount(value, unit)}, threshold {amount(threshold, unit)}, <Moment at={fired_at} />
              </>
            ),
          }))}
      />
      {more > 0 ? <p className="source">{figures(more)} more on the alerts page</p> : null}
    </>
  );
}
