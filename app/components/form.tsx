import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';

/** What a refused form gets back: which button, why, and what was typed. */
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

/** A plain form that posts; refused values and sentences come back in place. */
export function Form(props: FormProps) {
  const { action, csrf, intent, submit, danger, aside, inline, hidden = {}, label, children } = props;
  const refused = refusedHere(props.submitted, intent);
  return (
    <form method="post" action={action} aria-label={label} className={inline ? 'form inline' : 'form'}>
      <input type="hidden" name="csrf" value={csrf} />
      {intent ? <input type="hidden" name="intent" value={intent} /> : null}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {refused ? <Notice tone="problem">{refused.problem.error}</Notice> : null}
      {children}
      <p className="form-end">
        <button type="submit" className={danger ? 'danger' : undefined}>
          {submit}
        </button>{' '}
        {aside}
      </p>
    </form>
  );
}

/** The sentence for one field of a refused form. */
export const errorOf = (submitted: Submitted | null | undefined, field: string): string | undefined =>
  submitted?.problem.details?.fields?.find((problem) => problem.field === field)?.message;

/** What was typed, or else what is saved. */
export const keptValue = (submitted: Submitted | null | undefined, field: string, saved?: string | number | null) =>
  submitted?.values[field] ?? (saved === null || saved === undefined ? '' : String(saved));

/** The refusal, when it is this form's. Without an intent the page has one form only. */
export const refusedHere = (submitted: Submitted | null | undefined, intent: string | undefined) =>
  submitted && (intent === undefined || submitted.intent === intent) ? submitted : null;
