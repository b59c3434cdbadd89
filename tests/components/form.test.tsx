// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  CheckField,
  ChoiceField,
  SecretField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../app/components/field.tsx';
import { Form, type Submitted, submittedField } from '../../app/components/form.tsx';

const submitted: Submitted = {
  intent: 'create',
  problem: {
    code: 'invalid_request',
    error: 'The threshold must be above 0.',
    details: { fields: [{ field: 'threshold', message: 'The threshold must be above 0.' }] },
  },
  values: { threshold: '-4', note: 'kept' },
};
const fields = (
  <>
    <TextField {...submittedField(submitted, 'threshold', 5)} label="Threshold" required hint="In minutes." />
    <TextField {...submittedField(submitted, 'window', 24)} label="Window" type="number" />
    <TextAreaField {...submittedField(submitted, 'note')} label="Note" />
  </>
);
const data = () => Object.fromEntries(new FormData(document.querySelector('form') as HTMLFormElement));

test('a rejected form keeps what was typed and says what is wrong beside the field', () => {
  render(
    <Form csrf="t0ken" intent="create" submit="Save" submitted={submitted}>
      {fields}
    </Form>,
  );
  const threshold = screen.getByRole('textbox', {
    name: 'Threshold',
    description: 'The threshold must be above 0. In minutes.',
  });
  expect(threshold.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toContain('Fix the marked fields.');
  expect(data()).toEqual({ csrf: 't0ken', intent: 'create', threshold: '-4', window: '24', note: 'kept' });
});

test('each message appears once: beside its field, or above the form where it has none', () => {
  const unseen = { field: 'id', message: 'id is not known.' };
  const problem = { ...submitted.problem, details: { fields: [...(submitted.problem.details?.fields ?? []), unseen] } };
  const { container } = render(
    <Form csrf="t" intent="create" submit="Save" submitted={{ ...submitted, problem }} hidden={{ id: 7 }}>
      {fields}
    </Form>,
  );
  const countTimes = (message: string) => (container.textContent ?? '').split(message).length - 1;
  expect(countTimes('The threshold must be above 0.')).toBe(1);
  expect(countTimes('id is not known.')).toBe(1);
});

test('a message about what the form neither draws nor hides stands above it', () => {
  const fromPath = { field: 'repo', message: 'repo is not a name.' };
  const problem = { ...submitted.problem, details: { fields: [fromPath] } };
  render(
    <Form csrf="t" intent="create" submit="Save" submitted={{ ...submitted, problem }}>
      <fieldset>
        <TextField name="title" label="Title" error={undefined} />
        <input type="checkbox" name="repo" value="web" aria-label="web" />
      </fieldset>
    </Form>,
  );
  expect(screen.getByRole('alert').textContent).toBe('Error. repo is not a name.');
});

test('the error of one form does not appear in another', () => {
  render(<Form csrf="t" intent="delete" submit="Delete" submitted={submitted} danger />);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('it posts to its page without scripts', () => {
  render(<Form csrf="t" submit="Save" hidden={{ id: 7 }} />);
  const form = document.querySelector('form');
  expect(form?.method).toBe('post');
  expect(form?.getAttribute('action')).toBeNull();
  expect(data()).toEqual({ csrf: 't', id: '7' });
});

test('a secret is never given back', () => {
  const { container } = render(<SecretField name="api_key" label="Key" saved="ends in 4f2a" />);
  const input = screen.getByLabelText(/Key/);
  expect(input.getAttribute('type')).toBe('password');
  expect(input.getAttribute('value')).toBeNull();
  expect(container.textContent).toContain('Saved (ends in 4f2a). Leave empty to keep it.');
});

test('choices keep their state', () => {
  render(
    <Form csrf="t" submit="Save">
      <SelectField
        name="metric"
        label="Metric"
        value="b"
        options={[
          { value: 'a', label: 'A', group: 'CI' },
          { value: 'b', label: 'B', group: 'CI' },
        ]}
      />
      <CheckField name="enabled" label="Enabled" checked />
      <CheckField name="muted" label="Muted" />
      <ChoiceField
        name="channel"
        label="Channel"
        value="email"
        options={['browser', 'email'].map((value) => ({ value, label: value }))}
      />
    </Form>,
  );
  expect(data()).toEqual({ csrf: 't', metric: 'b', enabled: 'true', channel: 'email' });
  expect(screen.getByRole('group', { name: 'Channel' })).toBeTruthy();
});

test('fields of the same name in two forms keep their own labels', () => {
  render(
    [1, 2].map((id) => <TextField key={id} name="threshold" label={`Threshold of rule ${id}`} required value={id} />),
  );
  expect(screen.getByLabelText('Threshold of rule 2').getAttribute('value')).toBe('2');
});
