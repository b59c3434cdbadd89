import { data } from 'react-router';
import { deleteView, getViews, renameView, saveView } from '../../../server/api/views/operations.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { TextField } from '../../components/field.tsx';
import { Form, getFieldError } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/page';

export const loader = async ({ context, params }: Route.LoaderArgs) => ({
  views: await panel(getViews, { context: context.get(requestContext), params }),
});

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    // It was saved from the page that it leads to.
    save: { operation: saveView, next: (form) => String(form.get('address')) },
    rename: { operation: renameView, next: '/views' },
    delete: { operation: deleteView, next: '/views' },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** The saved views of the reader, to open, rename and delete. */
export default function ViewsPage({ loaderData: { views }, actionData }: Route.ComponentProps) {
  const { csrf, hasDatabase } = usePageContext();
  const rejected = actionData?.rejected;
  const isSaving = rejected?.intent === 'save';
  return (
    <Page
      title="Saved views"
      lead={
        hasDatabase
          ? 'Pages with their choices, under a name. Only you see them.'
          : 'Pages with their choices, under a name, in this browser.'
      }
    >
      {isSaving ? (
        <Section title="Save view">
          <Form
            csrf={csrf}
            intent="save"
            submit="Save"
            submitted={rejected}
            hidden={{ address: rejected.values.address ?? '' }}
          >
            <TextField
              name="name"
              label="Name"
              value={rejected.values.name}
              maxLength={60}
              required
              error={getFieldError(rejected, 'name')}
            />
          </Form>
        </Section>
      ) : null}
      <Panel title="Views" result={views}>
        {({ views: saved, limit }) =>
          saved.length === 0 ? (
            <Empty cause="No saved views yet. Open a page, choose what it shows, and save it in the menu at the left." />
          ) : (
            <>
              <ul className="saved-views">
                {saved.map(({ id, name, address }) => (
                  <li key={id}>
                    <a href={address}>{name}</a>
                    <code className="muted">{address}</code>
                    <ViewForms id={id} name={name} submitted={rejected} />
                  </li>
                ))}
              </ul>
              <p className="source">
                {saved.length} of at most {limit}.
              </p>
            </>
          )
        }
      </Panel>
    </Page>
  );
}

interface ViewFormsProps {
  id: number;
  name: string;
  submitted: NonNullable<Route.ComponentProps['actionData']>['rejected'] | undefined;
}

function ViewForms({ id, name, submitted }: ViewFormsProps) {
  const { csrf } = usePageContext();
  const own = submitted?.values.id === String(id) ? submitted : null;
  return (
    <details open={own !== null}>
      <summary>Edit</summary>
      <Form csrf={csrf} intent="rename" submit="Rename" label={`Rename ${name}`} hidden={{ id }} submitted={own} inline>
        <TextField
          name="name"
          label="Name"
          value={own?.values.name ?? name}
          maxLength={60}
          required
          error={getFieldError(own, 'name')}
        />
      </Form>
      <Form
        csrf={csrf}
        intent="delete"
        submit="Delete"
        label={`Delete ${name}`}
        danger
        hidden={{ id }}
        submitted={own}
      />
    </details>
  );
}
