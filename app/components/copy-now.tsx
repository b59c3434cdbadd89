import type { ReactNode } from 'react';

interface CopyNowProps {
  /** What the text is, in a word. */
  what: 'address' | 'line' | 'link' | 'secret' | 'token';
  /** What it is called, for those who do not see where it stands. */
  label: string;
  text: string;
  /** What else is worth knowing now. */
  note?: ReactNode;
  children?: ReactNode;
}

/** A text that stands in this answer alone. */
export const CopyNow = ({ what, label, text, note, children }: CopyNowProps) => (
  <div className="notice done" role="status">
    <p>
      <strong>Copy this {what} now.</strong> It is not shown again.{note ? <> {note}</> : null}
    </p>
    <p>
      <Copyable label={label}>{text}</Copyable>
    </p>
    {children ? <p>{children}</p> : null}
  </div>
);

interface CopyableProps {
  /** What the text is, for those who do not see where it stands. */
  label: string;
  children: string;
}

/** Text to be taken along: one click selects it; with scripts a button beside it copies it. */
const Copyable = ({ label, children }: CopyableProps) => (
  <output aria-label={label} className="select-all" data-copy>
    {children}
  </output>
);
