import type { Method, Operation } from '../api/operation.ts';

export interface Match {
  operation: Operation | null;
  params: Record<string, string>;
  /** The methods this path knows; empty when the path is unknown. */
  allowed: string[];
}

/** Finds the operation of a method and a path. A path part in brackets, as in `[codehostId]`, is a parameter. */
export function matcher(operations: readonly Operation[]): (method: string, path: string) => Match {
  const paths = Map.groupBy(operations, (one) => one.path);
  const patterns = [...paths.keys()]
    .filter((path) => path.includes('['))
    .map((path) => ({ path, regex: pattern(path) }));
  return (method, path) => {
    const found = patterns.find(({ regex }) => regex.test(path));
    const declared = paths.get((found?.path ?? path) as Operation['path']) ?? [];
    const wanted = (method === 'HEAD' && declared.every(hasHead) ? 'GET' : method) as Method;
    return {
      operation: declared.find((one) => one.method === wanted) ?? null,
      params: { ...found?.regex.exec(path)?.groups },
      allowed: declared.flatMap((one) => (one.method === 'GET' && hasHead(one) ? ['GET', 'HEAD'] : [one.method])),
    };
  };
}

/** What the scheduler requests has an effect, so it has no HEAD. */
const hasHead = ({ access }: Operation) => access.name !== 'bearer';

const pattern = (path: string) => new RegExp(`^${path.replace(/\[(\w+)\]/g, '(?<$1>[^/]+)')}$`);
