import type { Env } from './env.ts';
import type { Log } from './log.ts';

/** Whether requests come through a proxy that the configuration does not know. */
export interface ForwardedHeaders {
  note(headers: Headers): void;
  /** Such headers arrived, and were not believed: all clients behind that proxy count as one. */
  readonly ignored: boolean;
}

/** Watches for headers of proxies while `TRUST_PROXY_HOPS` is 0; the first is warned of in the log. */
export function forwardedHeaders(
  { TRUST_PROXY_HOPS: hops }: Pick<Env, 'TRUST_PROXY_HOPS'>,
  log: Log,
): ForwardedHeaders {
  let ignored = false;
  return {
    get ignored() {
      return ignored;
    },
    note(headers) {
      if (ignored || hops > 0 || !(headers.has('x-forwarded-for') || headers.has('forwarded'))) return;
      ignored = true;
      log.warn(
        'X-Forwarded-For or Forwarded arrives, but TRUST_PROXY_HOPS is 0: all clients behind a proxy count as one',
      );
    },
  };
}
