import { data } from 'react-router';
import { getMe } from '../../../server/api/session/session.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { fileIssue } from '../../../server/reports/filed-issues/operations.ts';
import { TextAreaField, TextField } from '../../components/field.tsx';
import { Form, getFieldError, submittedValue } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { crumbs, repositoryCrumb } from '../links.ts';
import type { Route } from './+types/new-issue';
import { getUnusualRun, type IssueDraft, issueDraft } from './issue-draft.ts';

/** Room for the longest text, in which one character may take twelve bytes of a form. */
export const handle = { bodyLimit: 128 * 1024 };

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const me = await panel(getMe, pageRequest);
  const { url, services } = pageRequest.context;
  const repositoryUrl = `${services.env.CODEHOST_WEB_URL}/${params.owner}/${params.repo}`;
  return {
    draft: issueDraft(getUnusualRun(url.searchParams), repositoryUrl),
    mayFile: me.ok && me.data.features.includes('codehostIssueFromAnomaly'),
    // Goes with the form, so that pressing the button twice files one issue.
    key: crypto.randomUUID(),
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const form = await request.clone().formData();
  const text = (name: string) => String(form.get(name) ?? '');
  if (form.has('preview')) {
    const preview = { title: text('title').trim(), body: text('body'), idempotency_key: text('idempotency_key') };
    return data({ rejected: null, done: null, preview });
  }
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, { send: { operation: fileIssue } });
  return done instanceof Response ? done : data({ ...done.data, preview: null }, { status: done.status });
};

/** An issue about what stood out: written in advance, changed at will, sent in the person's own name. */
export default function NewIssuePage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { base } = usePageContext();
  const name = `${params.owner}/${params.repo}`;
  const result = actionData?.done?.result as Filed | undefined;
  return (
    <Page
      title="File an issue"
      lead={`Creates an issue in ${name} with your account and token.`}
      breadcrumbs={crumbs(base, repositoryCrumb(base, name))}
    >
      {base !== '' ? (
        <Notice>Issues cannot be filed in the demo. Sign in to file issues in your repositories.</Notice>
      ) : !loaderData.mayFile ? (
        <Notice tone="problem">Your groups are not allowed to file issues.</Notice>
      ) : result ? (
        <Outcome issue={result} />
      ) : (
        <Writing loaderData={loaderData} actionData={actionData} />
      )}
    </Page>
  );
}

interface Filed {
  number: number;
  title: string;
  html_url: string;
  deduplicated: boolean;
}

function Outcome({ issue: { number, title, html_url, deduplicated } }: { issue: Filed }) {
  const next = { label: `Open issue ${number}`, href: html_url };
  return (
    <Notice tone="done" title={deduplicated ? 'Already filed.' : 'Issue filed.'} next={next}>
      {`#${number} ${title}`}
    </Notice>
  );
}

function Writing({ loaderData, actionData }: Pick<Route.ComponentProps, 'loaderData' | 'actionData'>) {
  const { csrf } = usePageContext();
  const rejected = actionData?.rejected ?? null;
  const preview = actionData?.preview ?? null;
  const fieldValue = (field: 'title' | 'body') =>
    preview?.[field] ?? submittedValue(rejected, field, loaderData.draft[field]);
  // A key that stands for other words already would never be taken.
  const isSpent = rejected?.problem.code === 'idempotency_conflict';
  const submittedKey = preview?.idempotency_key || rejected?.values.idempotency_key;
  const key = (!isSpent && submittedKey) || loaderData.key;
  return (
    <>
      {preview ? <Preview draft={preview} /> : null}
      <Section title="Text">
        <Form
          csrf={csrf}
          submitted={rejected}
          submit="File issue"
          primary
          hidden={{ idempotency_key: key }}
          aside={
            <button type="submit" name="preview" value="true">
              Preview
            </button>
          }
        >
          <TextField
            name="title"
            label="Title"
            required
            value={fieldValue('title')}
            error={getFieldError(rejected, 'title')}
          />
          <TextAreaField
            name="body"
            label="Text"
            rows={14}
            value={fieldValue('body')}
            error={getFieldError(rejected, 'body')}
            hint="Markdown, up to 10,000 characters. A hidden comment is added to identify the issue."
          />
        </Form>
      </Section>
    </>
  );
}

function Preview({ draft: { title, body } }: { draft: IssueDraft }) {
  return (
    <Section title="Preview">
      <p>Not sent yet. The issue will be created as shown:</p>
      <h3>{title}</h3>
      <pre className="prose">{body}</pre>
    </Section>
  );
}
