import { type ReactNode, useId } from 'react';
import { type Option, Options, Suggestions } from './options.tsx';

interface FieldBase {
  name: string;
  label: string;
  hint?: ReactNode;
  /** The sentence that belongs to this field; see `getFieldError`. */
  error?: string;
  required?: boolean;
  disabled?: boolean;
}

interface TextFieldProps extends FieldBase {
  type?: 'text' | 'number' | 'date' | 'email' | 'url' | 'search' | 'time';
  /** Stays as it was typed. */
  value?: string | number | null;
  /** Said after the control: `hours`. */
  unit?: string;
  min?: number | string;
  max?: number | string;
  step?: number | 'any';
  maxLength?: number;
  autoComplete?: string;
  placeholder?: string;
  list?: readonly string[];
  /** Names suggestions that stand elsewhere on the page. */
  listId?: string;
}

/** One line of text, a number or a date in a native control. */
export function TextField({ type = 'text', value, unit, list, listId, ...props }: TextFieldProps) {
  const { label: _label, hint: _hint, error: _error, ...control } = props;
  const id = useId();
  return (
    <Field {...props} id={id}>
      <input
        {...control}
        {...described(id, props)}
        type={type}
        defaultValue={value ?? ''}
        list={list ? `${id}-list` : listId}
      />
      {unit ? <span className="muted"> {unit}</span> : null}
      <Suggestions id={`${id}-list`} list={list} />
    </Field>
  );
}

interface SecretFieldProps extends FieldBase {
  /** What is known of a saved secret, such as `ends in 4f2a`; empty input keeps it. */
  saved?: string | null;
  autoComplete?: 'off' | 'current-password' | 'new-password';
}

/** A secret: never given back, neither saved nor just typed. */
export function SecretField({ saved, hint, autoComplete = 'off', ...props }: SecretFieldProps) {
  const savedHint = saved ? `Saved (${saved}). Leave empty to keep it.` : null;
  const field = { ...props, hint: savedHint ? [savedHint, hint && ' ', hint] : hint };
  const id = useId();
  return (
    <Field {...field} id={id}>
      <input
        {...described(id, field)}
        type="password"
        name={props.name}
        required={props.required}
        disabled={props.disabled}
        autoComplete={autoComplete}
        spellCheck={false}
      />
    </Field>
  );
}

/** Several lines of text. */
export function TextAreaField(props: FieldBase & { value?: string | null; rows?: number; maxLength?: number }) {
  const { label: _label, hint: _hint, error: _error, value, rows = 4, ...control } = props;
  const id = useId();
  return (
    <Field {...props} id={id}>
      <textarea {...control} {...described(id, props)} rows={rows} defaultValue={value ?? ''} />
    </Field>
  );
}

/** One choice from a native list. */
export function SelectField(props: FieldBase & { options: readonly Option[]; value?: string | null }) {
  const { label: _label, hint: _hint, error: _error, options, value, ...control } = props;
  const id = useId();
  return (
    <Field {...props} id={id}>
      <select {...control} {...described(id, props)} defaultValue={value ?? undefined}>
        <Options options={options} />
      </select>
    </Field>
  );
}

/** Yes or no. */
export function CheckField(props: FieldBase & { checked?: boolean; value?: string }) {
  const { name, label, hint, error, checked, value = 'true', required, disabled } = props;
  const id = useId();
  return (
    <div className="field check">
      <label>
        <input
          {...described(id, props)}
          type="checkbox"
          name={name}
          value={value}
          defaultChecked={checked}
          required={required}
          disabled={disabled}
        />{' '}
        {label}
      </label>
      <Feedback id={id} hint={hint} error={error} />
    </div>
  );
}

interface ChoiceFieldProps extends FieldBase {
  options: readonly (Option & { disabled?: boolean })[];
  /** One value for a single choice, several for many. */
  value: string | readonly string[] | null;
  many?: boolean;
}

/** A visible set of choices: one of them, or any of them. */
export function ChoiceField({ name, label, hint, error, options, value, many = false, disabled }: ChoiceFieldProps) {
  const id = useId();
  const chosen = typeof value === 'string' ? [value] : (value ?? []);
  return (
    <fieldset
      className="field options"
      disabled={disabled}
      aria-describedby={described(id, { hint, error })['aria-describedby']}
    >
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type={many ? 'checkbox' : 'radio'}
            name={name}
            value={option.value}
            defaultChecked={chosen.includes(option.value)}
            disabled={option.disabled}
          />{' '}
          {option.label}
        </label>
      ))}
      <Feedback id={id} hint={hint} error={error} />
    </fieldset>
  );
}

function Field({ id, name, label, hint, error, required, children }: FieldBase & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required ? null : <span className="muted"> (optional)</span>}
      </label>
      <div>{children}</div>
      <Feedback id={id} hint={hint} error={error && nameField(error, name, label)} />
    </div>
  );
}

/** A message of an operation begins with the name of its parameter; here the field has a label. */
const nameField = (error: string, name: string, label: string): string =>
  error.startsWith(`${name} `) ? `${label}${error.slice(name.length)}` : error;

function Feedback({ id, hint, error }: Feedback) {
  return (
    <>
      {error ? (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {hint ? (
        <p className="source" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </>
  );
}

interface Feedback extends Pick<FieldBase, 'hint' | 'error'> {
  id: string;
}

function described(id: string, { hint, error }: Pick<FieldBase, 'hint' | 'error'>) {
  const ids = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return { id, 'aria-describedby': ids || undefined, 'aria-invalid': error ? true : undefined };
}
