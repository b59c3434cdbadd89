import { hash } from 'node:crypto';

interface Written {
  text: string;
  /** The weak entity tag of the text. */
  tag: string;
}

const written = new WeakMap<object, Written>();

/** An answer as JSON; of one that is given again it is written once. */
export function writeJson(answer: object): Written {
  const known = written.get(answer);
  if (known) return known;
  const text = JSON.stringify(answer);
  const made = { text, tag: weakTag(text) };
  written.set(answer, made);
  return made;
}

/** By the content, so that it is the same in every process and after a restart. */
export const weakTag = (text: string): string => `W/"${hash('sha1', text, 'base64url')}"`;
