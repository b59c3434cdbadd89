/**
 * An answer before it is bytes. A `Response` is one too; making one costs more than the rest of a small answer, so the
 * JSON adapter does without until somebody wants one.
 */
export interface Outgoing {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | ReadableStream<Uint8Array> | null;
}

export const toResponse = (outgoing: Outgoing): Response =>
  outgoing instanceof Response
    ? outgoing
    : new Response(outgoing.body, { status: outgoing.status, headers: outgoing.headers });
