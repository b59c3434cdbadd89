import { Children, isValidElement, type ReactNode } from 'react';
import type { FieldRules } from '../../server/http/form-fields.ts';
import { Notice } from './notice.tsx';

/** What a rejected form gets back: which button, why, and what was typed. */
export interface Submitted {
  intent: string;
  problem: { code: string; error: string; details?: { fields?: readonly { field: string; message: string }[] } };
  values: Record<string, string>;
}

export interface FormProps {
  /** The page's own address when not given. */
  action?: string;
  csrf: string;
  /** Names the operation when the page has several forms. */
  intent?: string;
  /** The page's action data; shown only by the form whose button was pressed. */
  submitted?: Submitted | null;
  /** The word on the button. */
  submit: string;
  /** For controls that stand outside of the form. */
  id?: string;
  /** Draws the button as the one action that the page is about. */
  primary?: boolean;
  /** Draws the button as one that takes something away. */
  danger?: boolean;
  /** Beside the button. */
  aside?: ReactNode;
  /** Fields in a row, for short forms. */
  inline?: boolean;
  hidden?: Record<string, string | number>;
  /** What the form does, for those who cannot see its surroundings. */
  label?: string;
  children?: ReactNode;
}

/** A plain form that posts; rejected values and sentences come back in place. */
export function Form(props: FormProps) {
  const { id, action, csrf, intent, submit, primary, danger, aside, inline, hidden = {}, label, children } = props;
  const rejected = rejectedBy(props.submitted, intent);
  return (
    <form method="post" id={id} action={action} aria-label={label} className={inline ? 'form in-row' : 'form'}>
      <input type="hidden" name="csrf" value={csrf} />
      {intent ? <input type="hidden" name="intent" value={intent} /> : null}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {rejected ? <Notice tone="problem">{formatNotice(rejected, children)}</Notice> : null}
      {children}
      <p className="form-end">
        <button type="submit" className={danger ? 'danger' : primary ? 'primary' : undefined}>
          {submit}
        </button>{' '}
        {aside}
      </p>
    </form>
  );
}

/** What no field says for itself: a message stands once, beside its field where the form draws it. */
function formatNotice({ problem }: Submitted, children: ReactNode): string {
  const fields = problem.details?.fields ?? [];
  if (fields.length === 0) return problem.error;
  const besideFields = errorsBeside(children);
  const others = fields.map(({ message }) => message).filter((message) => !besideFields.includes(message));
  const marked = fields.length > others.length ? ['Fix the marked fields.'] : [];
  return [...others, ...marked].join(' ');
}

/** The messages that fields among these elements show; see `error` of a field. */
const errorsBeside = (children: ReactNode): string[] =>
  Children.toArray(children).flatMap((child) => {
    if (!isValidElement<{ error?: string; children?: ReactNode }>(child)) return [];
    const { error, children: inner } = child.props;
    return error === undefined ? errorsBeside(inner) : [error];
  });

/** What was typed and rejected, unless what it was to change has changed since: then the fields show that. */
export const keptInput = <Rejected extends Submitted>(rejected: Rejected | null | undefined): Rejected | null =>
  rejected && rejected.problem.code !== 'edit_conflict' ? rejected : null;

/** The sentence for one field of a rejected form. */
export const getFieldError = (submitted: Submitted | null | undefined, field: string): string | undefined =>
  submitted?.problem.details?.fields?.find((problem) => problem.field === field)?.message;

/** What was typed, or else what is saved. */
export const submittedValue = (
  submitted: Submitted | null | undefined,
  field: string,
  saved?: string | number | null,
) => submitted?.values[field] ?? (saved === null || saved === undefined ? '' : String(saved));

/**
 * What a field of a form that may come again is given: its name, what was typed or else saved, what is wrong, and what
 * the operation requires of it.
 */
export const submittedField = <Name extends string>(
  submitted: Submitted | null | undefined,
  name: Name,
  saved?: string | number | null,
  rules?: Record<string, FieldRules>,
) => ({ name, value: submittedValue(submitted, name, saved), error: getFieldError(submitted, name), ...rules?.[name] });

/** The error, when it is this form's. Without an intent the page has one form only. */
export const rejectedBy = (submitted: Submitted | null | undefined, intent: string | undefined) =>
  submitted && (intent === undefined || submitted.intent === intent) ? submitted : null;
