import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** A text as it is sent to one caller. */
export interface Encoded {
  /** null when it is sent as it is. */
  encoding: string | null;
  bytes: Buffer;
}

/** Compresses a text of a kilobyte or more in the coding that the caller likes best; the bounds are those of pages. */
export async function compressed(text: string, acceptEncoding: string | undefined): Promise<Encoded> {
  const bytes = Buffer.from(text);
  const encoding = bytes.length < threshold ? null : preferred(acceptEncoding ?? '');
  return { encoding, bytes: encoding ? await codings[encoding](bytes) : bytes };
}

/** The stream that compresses what is made while it is sent; null where the caller takes it as it is. */
export function compressing(acceptEncoding: string | undefined): { encoding: string; stream: Transform } | null {
  const encoding = preferred(acceptEncoding ?? '');
  return encoding && { encoding, stream: streams[encoding]() };
}

const threshold = 1024;

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

const codings = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => zip(bytes),
} as const;

const streams = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip(),
} as const;

/** Of what the caller takes (RFC 9110 §12.5.3), as `compression` negotiates it for pages; null for a text as it is. */
function preferred(acceptEncoding: string): keyof typeof codings | null {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const coding = negotiator.encoding(['br', 'gzip', 'identity'], ['br', 'gzip']);
  return coding === 'identity' ? null : (coding ?? null);
}
