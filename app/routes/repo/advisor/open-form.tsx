import type { ReactNode } from 'react';
import { CheckField, TextAreaField, TextField } from '../../../components/field.tsx';
import { Form, getFieldError, rejectedBy, type Submitted, submittedValue } from '../../../components/form.tsx';
import { usePageContext } from '../../../components/page-context.ts';

interface Patch {
  ids: readonly string[];
  files: readonly { path: string; base_blob: string; new_blob: string }[];
  pull_request: { title: string; body: string; draft: boolean };
}

interface OpenFormProps {
  patch: Patch;
  submitted: Submitted | null;
  /** Stands for this form among others of the same person. */
  newKey: string;
  download: ReactNode;
}

const maxTitle = 256;
const maxNote = 2000;

/** Opens the pull request in the reader's name, with a title and a note of theirs. */
export function OpenForm({ patch, submitted, newKey, download }: OpenFormProps) {
  const { csrf, account } = usePageContext();
  const rejected = rejectedBy(submitted, 'open');
  // A key that stands for another change already would never be taken.
  const isSpent = rejected !== null && ['idempotency_conflict', 'file_changed'].includes(rejected.problem.code);
  const key = (!isSpent && rejected?.values.idempotency_key) || newKey;
  const hidden = {
    ids: patch.ids.join(),
    base_blobs: toJson(patch.files.map(({ path, base_blob: blob }) => [path, blob])),
    resulting_blobs: toJson(patch.files.map(({ path, new_blob: blob }) => [path, blob])),
    idempotency_key: key,
  };
  return (
    <>
      <Form
        csrf={csrf}
        intent="open"
        submitted={submitted}
        submit="Open pull request"
        primary
        hidden={hidden}
        aside={download}
      >
        <TextField
          name="title"
          label="Title"
          required
          maxLength={maxTitle}
          value={submittedValue(rejected, 'title', patch.pull_request.title)}
          error={getFieldError(rejected, 'title')}
        />
        <TextAreaField
          name="note"
          label="Note"
          rows={3}
          maxLength={maxNote}
          hint="Placed before the text below."
          value={submittedValue(rejected, 'note')}
          error={getFieldError(rejected, 'note')}
        />
        <CheckField
          name="draft"
          label="Draft"
          checked={rejected ? rejected.values.draft === 'true' : patch.pull_request.draft}
        />
      </Form>
      <p className="source">
        Opened as @{account?.login}, with your token: it needs the scopes repo and workflow, or the permissions
        Contents, Pull requests and Workflows (read and write). Nothing is merged.
      </p>
      <details>
        <summary>Text of the pull request</summary>
        <pre className="prose">{patch.pull_request.body}</pre>
      </details>
    </>
  );
}

const toJson = (blobs: [path: string, blob: string][]) => JSON.stringify(Object.fromEntries(blobs));
