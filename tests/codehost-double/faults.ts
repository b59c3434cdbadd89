/** Something that goes wrong on purpose. */
export type Fault =
  /** Answers later, otherwise as usual. */
  | { kind: 'latency'; ms: number }
  /** Answers when this is settled, otherwise as usual. */
  | { kind: 'held'; until: Promise<unknown> }
  /** Answers with a bare status, e.g. 500, 502, 451, 410, 404, 403. */
  | { kind: 'status'; status: number; message?: string; headers?: Record<string, string> }
  /** Finds what was sent not to be valid in these fields. */
  | { kind: 'invalid'; fields: string[] }
  /** Never answers; with `lost` the request takes no effect either. */
  | { kind: 'hang'; lost?: true }
  /** Breaks the connection before any answer, or when this is settled; with `lost` the request takes no effect either. */
  | { kind: 'reset'; lost?: true; until?: Promise<unknown> }
  /** Sends the first half of the body and breaks the connection. */
  | { kind: 'cut_body' }
  /** Sends text that is no JSON with status 200. */
  | { kind: 'malformed_json' }
  /** Says that the hour's budget is gone; as 403, or 429 when requested. */
  | { kind: 'primary_limit'; status?: 403 | 429 }
  /** The limit against bursts; `retryAfter` in seconds. */
  | { kind: 'secondary_limit'; status?: 403 | 429; retryAfter?: number }
  /** GraphQL only: one field of the answer is null and carries an error. */
  | { kind: 'partial_graphql'; field: string; type: string; message?: string }
  /** GraphQL only: the objects of this name inside the answer are null, each with an error of its own if that has a type. */
  | { kind: 'nested_graphql'; field: string; type: string | null }
  /** GraphQL only: one repository of several in a request is null and carries an error, without a type if that is null. */
  | { kind: 'lost_repository'; repo: string; type: string | null; message?: string }
  /** GraphQL only: the resolver of a field, named as `Type.field`, fails wherever it is requested. */
  | { kind: 'failing_field'; field: string; type: string; message?: string }
  /** GraphQL only: no data, an error of this type, status 200. */
  | { kind: 'graphql_error'; type: string; message?: string };

/** Which requests a fault is for. Without `path` any; a path ending in `*` is a prefix. */
export interface FaultTarget {
  path?: string | RegExp;
  method?: string;
  /** Found in the body, as the name of a GraphQL operation. */
  sends?: RegExp;
  /** How often it happens; once when not said. */
  times?: number;
  /** How many matching requests pass before it happens. */
  after?: number;
}

/** The faults that are switched on, used up in the order of adding. */
export class Faults {
  #waiting: { fault: Fault; target: FaultTarget; left: number; skip: number }[] = [];

  add(target: FaultTarget, fault: Fault) {
    this.#waiting.push({ fault, target, left: target.times ?? 1, skip: target.after ?? 0 });
  }

  clear() {
    this.#waiting = [];
  }

  /** Takes the next fault for a request; null when nothing is to go wrong. */
  take(method: string, path: string, body = ''): Fault | null {
    for (const one of this.#waiting) {
      if (one.left <= 0 || !fits(one.target, method, path)) continue;
      if (one.target.sends && !one.target.sends.test(body)) continue;
      if (one.skip-- > 0) continue;
      one.left -= 1;
      return one.fault;
    }
    return null;
  }
}

function fits({ method, path }: FaultTarget, requestMethod: string, requestPath: string): boolean {
  if (method && method !== requestMethod) return false;
  if (path === undefined) return true;
  if (path instanceof RegExp) return path.test(requestPath);
  return path.endsWith('*') ? requestPath.startsWith(path.slice(0, -1)) : path === requestPath;
}
