interface CopyableProps {
  /** What the text is, for those who do not see where it stands. */
  label: string;
  children: string;
}

/** Text to be taken along: one click selects it; with scripts a button beside it copies it. */
export const Copyable = ({ label, children }: CopyableProps) => (
  <output aria-label={label} className="select-all" data-copy>
    {children}
  </output>
);
