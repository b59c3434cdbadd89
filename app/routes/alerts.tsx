import { data, redirect } from 'react-router';
import { deleteAlert, testAlert, updateAlert } from '../../server/alerts/operations/changes.ts';
import { createAlert, getAlerts, ruleMetrics } from '../../server/alerts/operations/list.ts';
import { previewAlert } from '../../server/alerts/operations/preview.ts';
import { getAudit } from '../../server/api/admin/audit.ts';
import { getEmailSettings } from '../../server/api/settings/email.ts';
import { getWebhooks } from '../../server/api/settings/webhooks/operations.ts';
import { type PanelRequest, panel, submit } from '../../server/http/adapters.ts';
import { deferAnswers } from '../../server/http/deferred-panels.ts';
import { readFlash, saveFlash } from '../../server/http/done.ts';
import { formFields } from '../../server/http/form-fields.ts';
import { isOffered } from '../../server/http/page-access.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { getRepositories } from '../../server/reports/repositories/operations.ts';
import { Empty } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { Panel, Section } from '../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../components/skeleton.tsx';
import type { Route } from './+types/alerts';
import { backTested, RuleBackTest } from './alerts/back-test.tsx';
import { listChanges } from './alerts/changed-rule.tsx';
import { ChosenRule, type RuleResult } from './alerts/chosen-rule.tsx';
import { EventTable } from './alerts/events.tsx';
import { parseChanges, parseEnabled, parseFields, parseMute, parseNewRule, parseScope } from './alerts/form-values.ts';
import type { AlertsAnswer, AlertsShown } from './alerts/labels.ts';
import { NewRuleSection } from './alerts/new-rule-section.tsx';
import { PageNotices } from './alerts/notices.tsx';
import { Notifications } from './alerts/notifications.tsx';
import { readBackTest } from './alerts/read-back-test.ts';
import { RuleTable } from './alerts/rule-table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const { isDemo } = pageRequest.context;
  const mayChange = !isDemo && (await isOffered(createAlert, pageRequest.context));
  const listing = panel(getAlerts, { ...pageRequest, extra: { events: '1', scope: undefined } });
  const [{ panels: alerts }, { panels: backTest }, mail, webhooks, audit, { panels: names }] = await Promise.all([
    deferAnswers(pageRequest, listing, (failed): AlertsAnswer => failed),
    (isDemo || mayChange) && query.has(backTested)
      ? deferAnswers(
          pageRequest,
          listing.then((answer) => readBackTest(pageRequest, answer)),
          () => null,
        )
      : { panels: null },
    mayChange ? panel(getEmailSettings, { ...pageRequest, isOptional: true }) : null,
    mayChange ? panel(getWebhooks, { ...pageRequest, isOptional: true }) : null,
    !isDemo && (await isOffered(getAudit, pageRequest.context))
      ? panel(getAudit, { ...pageRequest, isOptional: true, extra: { category: 'alerts', limit: '200' } })
      : null,
    deferAnswers(pageRequest, mayChange ? readNames(pageRequest) : Promise.resolve([]), () => []),
  ]);
  return {
    alerts,
    backTest,
    mayChange,
    fields: { create: formFields(createAlert), edit: formFields(updateAlert) },
    metrics: ruleMetrics,
    mailSource: mail === null ? null : mail.ok ? mail.data.effective_source : ('unknown' as const),
    endpoints: webhooks?.ok ? webhooks.data.endpoints.map(({ id, name }) => ({ id, name })) : [],
    names,
    changes: listChanges(audit),
    hasOlderChanges: audit?.ok === true && audit.data.next_before !== null,
    hasServiceToken: pageRequest.context.services.env.CODEHOST_TOKEN !== undefined,
    chosen: { rule: Number(query.get('rule')), done: await readFlash(pageRequest.context, 'done') },
  };
};

/** What a rule can be about, as far as the caller sees it. */
async function readNames(pageRequest: PanelRequest): Promise<string[]> {
  const repositories = await panel(getRepositories, { ...pageRequest, isOptional: true });
  return repositories.ok ? repositories.data.map(({ full_name: name }) => name) : [];
}

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const submitted = parseFields(await request.clone().formData());
  const next = (done: string) => () => getRuleHref(done, Number(submitted.id));
  const done = await submit(pageRequest, {
    create: { operation: createAlert, values: parseNewRule },
    // Where a rule sends to is nothing for an address, so that what is tried comes back with the page itself.
    try: { operation: previewAlert, values: parseScope },
    edit: { operation: updateAlert, values: parseChanges, next: next('saved') },
    switch: { operation: updateAlert, values: parseEnabled, next: next(submitted.enabled === 'true' ? 'on' : 'off') },
    mute: {
      operation: updateAlert,
      values: (form) => parseMute(form, pageRequest.context.services.clock.now()),
      next: next('muted'),
    },
    unmute: { operation: updateAlert, values: () => ({ muted_until: null }), next: next('unmuted') },
    delete: { operation: deleteAlert, next: '/alerts?done=deleted' },
    test: { operation: testAlert },
  });
  if (done instanceof Response) return done;
  const created = done.data.done?.intent === 'create' ? (done.data.done.result as Created) : null;
  if (created) {
    const target = getRuleHref(created.duplicate ? 'duplicate' : 'created', created.rule.id);
    await saveFlash(pageRequest.context, target);
    return redirect(target, 303);
  }
  return data({ ...done.data, submitted }, { status: done.status });
};

interface Created {
  rule: { id: number };
  duplicate?: true;
}

const getRuleHref = (done: string, id: number) => `/alerts?done=${done}&rule=${id}#rule-${id}`;

/** What is watched, how it stands, when it fired; administrators add, try and change rules. */
export default function AlertsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { base, hasDatabase } = usePageContext();
  const { alerts, mayChange, mailSource } = loaderData;
  return (
    <Page
      title="Alerts"
      lead="Rules are evaluated after every sync."
      actions={mayChange && hasDatabase ? <a href="#new">New rule</a> : null}
      note={
        <WhenReady data={alerts} fallback={null}>
          {(answer) => (
            <PageNotices
              rules={answer.ok ? answer.data.rules : []}
              mailSource={mailSource}
              isDeleted={loaderData.chosen.done === 'deleted'}
              lacksServiceToken={mayChange && !loaderData.hasServiceToken}
            />
          )}
        </WhenReady>
      }
    >
      <WhenReady data={alerts} fallback={<LoadingPanels titles={['Rules', 'Alert history']} />}>
        {(answer) => <Known answer={answer} loaderData={loaderData} actionData={actionData} />}
      </WhenReady>
      {base ? <p className="source">Rules are read-only in the demo.</p> : null}
      {mayChange && hasDatabase ? <NewRuleSection {...loaderData} actionData={actionData} /> : null}
    </Page>
  );
}

function Known({ answer, loaderData, actionData }: Props & { answer: AlertsAnswer }) {
  const { base } = usePageContext();
  return (
    <>
      <Panel title="Rules" id="rules" result={answer}>
        {(data) => <Rules data={data} loaderData={loaderData} actionData={actionData} />}
      </Panel>
      <WhenReady data={loaderData.backTest} fallback={<LoadingPanels titles={['Back-test']} />}>
        {(backTest) => (backTest ? <RuleBackTest {...backTest} /> : null)}
      </WhenReady>
      {answer.ok ? (
        <Section title="Alert history" id="fired">
          {base ? null : <Notifications />}
          <EventTable
            rules={answer.data.rules}
            events={answer.data.events}
            nextCursor={answer.data.next_cursor}
            changes={loaderData.changes}
            hasOlderChanges={loaderData.hasOlderChanges}
          />
        </Section>
      ) : null}
    </>
  );
}

type Props = Pick<Route.ComponentProps, 'loaderData' | 'actionData'>;

function Rules({
  data: { rules },
  loaderData: { mayChange, fields, endpoints, chosen },
  actionData,
}: Props & { data: AlertsShown }) {
  if (rules.length === 0)
    return (
      <Empty
        cause={
          mayChange
            ? 'No alert rules yet.'
            : 'No alert rules for repositories you can see. Administrators can add some.'
        }
        next={mayChange ? { label: 'Add a rule', href: '#new' } : undefined}
      />
    );
  const acted = Number(actionData?.submitted.id ?? actionData?.submitted.rule_id ?? chosen.rule);
  const chosenRule = mayChange ? (rules.find(({ id }) => id === acted) ?? null) : null;
  return (
    <>
      <RuleTable rules={rules} mayChange={mayChange} chosenId={chosenRule?.id ?? null} />
      {chosenRule ? (
        <ChosenRule
          rule={chosenRule}
          fields={fields.edit}
          endpoints={endpoints}
          result={getRuleResult(actionData, chosen.done)}
        />
      ) : null}
    </>
  );
}

const doneMessages = new Map([
  ['created', 'Rule added.'],
  ['duplicate', 'This rule already exists.'],
  ['saved', 'Saved.'],
  ['on', 'Rule enabled.'],
  ['off', 'Rule disabled.'],
  ['muted', 'Rule muted.'],
  ['unmuted', 'Rule unmuted.'],
]);

function getRuleResult(actionData: Props['actionData'], done: string | null): RuleResult {
  if (!actionData) return { rejected: null, done: doneMessages.get(done ?? '') ?? null, tested: null };
  const { rejected, done: result } = actionData;
  const tested = result?.intent === 'test' ? (result.result as { result: RuleResult['tested'] }).result : null;
  return { rejected, done: null, tested };
}
