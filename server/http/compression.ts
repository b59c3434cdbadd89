import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

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

const threshold = 1024;

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** The better one first. */
const codings = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => zip(bytes),
} as const;

type Coding = keyof typeof codings;

/** Of the codings that `Accept-Encoding` gives a weight (RFC 9110 §12.5.3) the one with the highest. */
function preferred(acceptEncoding: string): Coding | null {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(weighed));
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = (Object.keys(codings) as Coding[]).sort((one, other) => weightOf(other) - weightOf(one));
  return best && weightOf(best) > 0 ? best : null;
}

function weighed(offer: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = offer.split(';').map((part) => part.trim());
  const weight = parameters.find((one) => one.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
}
