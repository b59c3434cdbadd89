import { data } from 'react-router';
import { panel, submit } from '../../../server/http/adapters.ts';
import { deferAnswers } from '../../../server/http/deferred-panels.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import {
  getIdentityLinks,
  linkIdentity,
  markDistinct,
  previewIdentityLink,
  suggestIdentityLinks,
  unlinkIdentity,
  unmarkDistinct,
} from '../../../server/reports/identity/operations.ts';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/identity-links';
import { DistinctForm, LinkForm } from './link-forms.tsx';
import { LinkPreview, LinkTable, PairTable } from './link-tables.tsx';
import { Suggestions } from './suggestions.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const has = (...names: string[]) => names.every((name) => query.get(name));
  const [links, preview, suggestions] = await Promise.all([
    panel(getIdentityLinks, pageRequest),
    has('alias', 'primary') ? panel(previewIdentityLink, pageRequest) : null,
    has('owner', 'repo')
      ? deferAnswers(pageRequest, panel(suggestIdentityLinks, pageRequest), (failed) => failed)
      : null,
  ]);
  const value = (name: string) => query.get(name) ?? '';
  const submitted = {
    alias: value('alias'),
    alias_kind: value('alias_kind'),
    primary: value('primary'),
    owner: value('owner'),
    repo: value('repo'),
  };
  const done = await readFlash(pageRequest.context, 'done');
  return { links, preview, suggestions: suggestions?.panels ?? null, submitted, done };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    link: { operation: linkIdentity, next: getNext('linked') },
    preview: { operation: previewIdentityLink, next: previewHref },
    unlink: { operation: unlinkIdentity, next: getNext('unlinked') },
    distinct: { operation: markDistinct, next: getNext('marked') },
    undo: { operation: unmarkDistinct, next: getNext('unmarked') },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

const text = (form: FormData, name: string) => String(form.get(name) ?? '');

/** Goes on to a fresh page that says what was done, with the repository whose suggestions were looked at. */
const getNext = (done: keyof typeof doneMessages) => (form: FormData) => {
  const query = new URLSearchParams({ done });
  for (const name of ['owner', 'repo']) if (form.get(name)) query.set(name, text(form, name));
  return `/admin/identity-links?${query}`;
};

function previewHref(form: FormData) {
  const query = new URLSearchParams({ alias: text(form, 'alias'), primary: text(form, 'primary') });
  if (form.get('alias_kind')) query.set('alias_kind', text(form, 'alias_kind'));
  return `/admin/identity-links?${query}#link`;
}

const doneMessages = {
  linked: 'Account linked to its main login.',
  unlinked: 'Account unlinked.',
  marked: 'Marked as different people. This pair is no longer suggested.',
  unmarked: 'Different-people mark removed.',
};

/** Which accounts and names are one person, and which were declared to be two. */
export default function IdentityLinksPage({ loaderData, actionData }: Route.ComponentProps) {
  const { links, preview, suggestions, submitted, done } = loaderData;
  const rejected = actionData?.rejected ?? null;
  const rowRejected = rejected && ['unlink', 'undo'].includes(rejected.intent) ? rejected : null;
  const message = done && Object.hasOwn(doneMessages, done) ? doneMessages[done as keyof typeof doneMessages] : null;
  return (
    <Page
      title="Linked accounts"
      lead="Count a person with several accounts or git names once. Links never change access."
    >
      {message && !rejected ? <Notice tone="done">{message}</Notice> : null}
      {rowRejected ? <Notice tone="problem">{rowRejected.problem.error}</Notice> : null}
      <Section title="Link an account" id="link">
        <LinkForm
          form={submitted}
          rejected={rejected?.intent === 'link' || rejected?.intent === 'preview' ? rejected : null}
        />
        {preview && !rejected ? <LinkPreview result={preview} /> : null}
      </Section>
      <Panel title="People with several accounts" result={links}>
        {(data) => <LinkTable rows={data.links} />}
      </Panel>
      <Panel title="Marked as different people" result={links}>
        {(data) => <PairTable rows={data.distinct} />}
      </Panel>
      <Section title="Mark two as different people">
        <DistinctForm rejected={rejected?.intent === 'distinct' ? rejected : null} />
      </Section>
      <Suggestions result={suggestions} submitted={submitted} />
    </Page>
  );
}
