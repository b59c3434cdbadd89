import type { ReactNode } from 'react';

interface ScrollBoxProps {
  label: string;
  isDrawing?: boolean;
  children: ReactNode;
}

/** A box that is left with what does not fit the page's width, so that the page itself never scrolls sideways. */
export function ScrollBox({ label, isDrawing = false, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className={isDrawing ? 'scroll drawn' : 'scroll'} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
