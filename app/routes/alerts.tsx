import { data, redirect } from 'react-router';
import { deleteAlert, testAlert, updateAlert } from '../../server/alerts/operations/changes.ts';
import { createAlert, getAlerts, newestEvents, ruleMetrics } from '../../server/alerts/operations/list.ts';
import { previewAlert } from '../../server/alerts/operations/preview.ts';
import { getEmailSettings } from '../../server/api/settings/email.ts';
import { panel, submit } from '../../server/http/adapters.ts';
import { readFlash, saveFlash } from '../../server/http/done.ts';
import { formFields } from '../../server/http/form-fields.ts';
import { isOffered } from '../../server/http/page-access.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { getRepositories } from '../../server/reports/repositories/operations.ts';
import type { Submitted } from '../components/form.tsx';
import { Empty } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { Panel, Section } from '../components/panel.tsx';
import type { Route } from './+types/alerts';
import { EventTable } from './alerts/events.tsx';
import {
  backTestCsvHref,
  parseChanges,
  parseEnabled,
  parseFields,
  parseMute,
  parseScope,
} from './alerts/form-values.ts';
import { type AlertsShown, getScopeName } from './alerts/labels.ts';
import { NewRule } from './alerts/new-rule.tsx';
import { PageNotices } from './alerts/notices.tsx';
import { Notifications } from './alerts/notifications.tsx';
import { RuleCard, type RuleResult } from './alerts/rule-card.tsx';
import { type Trial, TrialResult } from './alerts/trial.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const mayChange = await isOffered(createAlert, pageRequest.context);
  const [alerts, mail, repositories] = await Promise.all([
    panel(getAlerts, { ...pageRequest, extra: { events: '1', scope: undefined } }),
    mayChange ? panel(getEmailSettings, { ...pageRequest, isOptional: true }) : null,
    mayChange ? panel(getRepositories, { ...pageRequest, isOptional: true }) : null,
  ]);
  return {
    alerts,
    mayChange,
    fields: { create: formFields(createAlert), edit: formFields(updateAlert) },
    metrics: ruleMetrics,
    maxEvents: newestEvents,
    mailSource: mail === null ? null : mail.ok ? mail.data.effective_source : ('unknown' as const),
    names: repositories?.ok ? repositories.data.map(({ full_name: name }) => name) : [],
    hasServiceToken: pageRequest.context.services.env.CODEHOST_TOKEN !== undefined,
    chosen: { rule: Number(query.get('rule')), done: await readFlash(pageRequest.context, 'done') },
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const submitted = parseFields(await request.clone().formData());
  const next = (done: string) => () => getRuleHref(done, Number(submitted.id));
  const done = await submit(pageRequest, {
    create: { operation: createAlert, values: parseScope },
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
  const { now, zone } = usePageContext();
  const { alerts, mayChange, mailSource, maxEvents } = loaderData;
  const rules = alerts.ok ? alerts.data.rules : [];
  return (
    <Page
      title="Alerts"
      lead="Alert rules watch a metric and notify you when it reaches a threshold. They are evaluated after every sync."
      note={
        <PageNotices
          rules={rules}
          mailSource={mailSource}
          isDeleted={loaderData.chosen.done === 'deleted'}
          hasServiceToken={loaderData.hasServiceToken}
        />
      }
    >
      <Panel title="Rules" result={alerts} now={now} zone={zone} retryHref="/alerts">
        {(data) => <Rules data={data} loaderData={loaderData} actionData={actionData} />}
      </Panel>
      {alerts.ok ? (
        <Section title="Alert history" id="fired">
          <Notifications />
          <EventTable rows={alerts.data.events} limit={maxEvents} />
        </Section>
      ) : null}
      {mayChange && alerts.ok ? <Add data={alerts.data} loaderData={loaderData} actionData={actionData} /> : null}
    </Page>
  );
}

type Props = Pick<Route.ComponentProps, 'loaderData' | 'actionData'>;

function Rules({
  data: { rules },
  loaderData: { mayChange, fields, chosen },
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
  return rules.map((rule) => {
    const isChosen = rule.id === acted;
    const result = isChosen ? getRuleResult(actionData, chosen.done) : noResult;
    return (
      <RuleCard
        key={rule.id}
        rule={rule}
        fields={fields.edit}
        mayChange={mayChange}
        isChosen={isChosen}
        result={result}
      />
    );
  });
}

const noResult: RuleResult = { rejected: null, done: null, tested: null };

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
  if (!actionData) return { ...noResult, done: doneMessages.get(done ?? '') ?? null };
  const { rejected, done: result } = actionData;
  const tested = result?.intent === 'test' ? (result.result as { result: RuleResult['tested'] }).result : null;
  return { rejected: rejected, done: null, tested };
}

/** A new rule, with its back-test when that was requested. */
function Add({ data: { rules }, loaderData: { fields, metrics, names }, actionData }: Props & { data: AlertsShown }) {
  const isOwn = ['create', 'try'].includes(actionData?.submitted.intent ?? 'create');
  const rejected: Submitted | null = isOwn ? (actionData?.rejected ?? null) : null;
  const tried = actionData?.done?.intent === 'try' ? (actionData.done.result as Trial) : null;
  const owners = names.map((name) => name.slice(0, name.indexOf('/')));
  const known = new Set([...rules.map(({ scope }) => getScopeName(scope)), ...owners, ...names]);
  return (
    <Section title="New rule" id="new">
      {tried ? <TrialResult data={tried} csvHref={backTestCsvHref(actionData?.submitted ?? {})} /> : null}
      <NewRule
        fields={fields.create}
        metrics={metrics}
        names={[...known].sort()}
        initial={isOwn ? (actionData?.submitted ?? null) : null}
        rejected={rejected}
      />
    </Section>
  );
}
