import type { ReactNode } from 'react';

interface ClauseProps {
  /** What stands before the field: `over`, `reaches`. */
  word: string;
  children?: ReactNode;
}

/** A part of a sentence that stays on one line: its words, and the field after them. */
export const Clause = ({ word, children }: ClauseProps) => (
  <div className="clause">
    <span>{word}</span>
    {children}
  </div>
);
