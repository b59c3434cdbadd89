import type { Expression } from './expressions.ts';
import { type Flow, findFlows } from './flows.ts';
import { memoize } from './memoize.ts';
import { findExpressions, type Setting } from './workflow.ts';

/** The secrets whose text an expression passes on, such as `secrets.npm_token`. */
export const secretsIn = (expression: Expression): readonly string[] => secretsAmong(findFlows(expression));

const secretsAmong = memoize((flows: readonly Flow[]) => [
  ...new Set(flows.flatMap(({ path }) => (/^secrets(\.|$)/.test(path) ? [path] : []))),
]);

/**
 * The secrets in what a variable is set to by the first of several environments that sets it. To shells but PowerShell a
 * name in other letters (`isExact`) is another variable.
 */
export function secretsInVariable(
  envs: readonly (readonly Setting[])[],
  name: string,
  isExact: boolean,
): readonly string[] {
  const key = isExact ? name : name.toLowerCase();
  for (const env of envs) {
    const found = (isExact ? secretsByName : secretsByFoldedName)(env).get(key);
    if (found) return found;
  }
  return [];
}

const secretsByName = memoize(
  (env: readonly Setting[]) =>
    new Map(env.map(({ key, text }) => [key.value, text ? findExpressions(text).flatMap(secretsIn) : []])),
);

const secretsByFoldedName = memoize(
  (env: readonly Setting[]) => new Map([...secretsByName(env)].map(([name, found]) => [name.toLowerCase(), found])),
);

/** The token that the platform makes for each job and withdraws after it. */
export const isJobToken = (path: string): boolean => path === 'secrets.github_token';

/** Whether a secret is worth stealing: not the token of the job, nor what its name calls a name or an address. */
export const isCredential = (path: string): boolean => !isJobToken(path) && !plainValue.test(path);

/** What is called a service account, without more, is often the key of one. */
const plainValue =
  /[._](user|username|name|email|account(?=_)|(?<!service_)account|org|organization|team|project|tenant|subscription|region|bucket|registry|host|hostname|endpoint|domain)(_(name|id))?$|[._](app|client|sub)_id$/;
