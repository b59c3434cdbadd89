import type { ReactNode } from 'react';
import { useKeptChoices } from './kept-choices.ts';

/** A link to another page that takes the shared choices of this one along. */
export function KeptLink({ href, children }: { href: string; children: ReactNode }) {
  const keep = useKeptChoices();
  return <a href={keep(href)}>{children}</a>;
}
