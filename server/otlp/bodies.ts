import { type OtlpProtocol, serializeSpans } from './serialize.ts';
import type { AttemptSpans } from './span.ts';

const maxSpans = 2000;
/** Of a body before it is compressed. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The bodies of the requests that send these spans, one where they fit; null where several attempts are too many for
 * one. Only an attempt that is too large by itself is split.
 */
export function toBodies(attempts: readonly AttemptSpans[], protocol: OtlpProtocol): Uint8Array[] | null {
  const [first, ...more] = attempts;
  if (!first) return [];
  if (countSpans(attempts) <= maxSpans) {
    const body = serializeSpans(attempts, protocol);
    if (body.length <= maxBytes) return [body];
  }
  return more.length > 0 ? null : splitAttempt(first, protocol, Math.min(maxSpans, first.spans.length / 2));
}

export const countSpans = (attempts: readonly AttemptSpans[]): number =>
  attempts.reduce((sum, { spans }) => sum + spans.length, 0);

function splitAttempt({ resource, spans }: AttemptSpans, protocol: OtlpProtocol, size: number): Uint8Array[] {
  const length = Math.max(1, Math.ceil(size));
  const bodies: Uint8Array[] = [];
  for (let start = 0; start < spans.length; start += length)
    bodies.push(serializeSpans([{ resource, spans: spans.slice(start, start + length) }], protocol));
  const fits = bodies.every((body) => body.length <= maxBytes);
  return fits || length === 1 ? bodies : splitAttempt({ resource, spans }, protocol, length / 2);
}
