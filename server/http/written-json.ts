import { hash } from 'node:crypto';

/** A text that is sent, and its weak entity tag. */
export interface Written {
  text: string;
  /** By the content, so that it is the same in every process and after a restart. */
  tag(): string;
}

const written = new WeakMap<object, Written>();

/** An answer as JSON; of one that is given again it is written once. */
export function writeJson(answer: unknown): Written {
  if (typeof answer !== 'object' || answer === null) return tagged(JSON.stringify(answer));
  const known = written.get(answer);
  if (known) return known;
  const made = tagged(JSON.stringify(answer));
  written.set(answer, made);
  return made;
}

/** The tag is computed when it is first wanted. */
export function tagged(text: string): Written {
  let tag: string | undefined;
  return { text, tag: () => (tag ??= `W/"${hash('sha1', text, 'base64url')}"`) };
}
