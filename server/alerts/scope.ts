import { nameKey } from '../reports/repositories/visibility.ts';
import type { AlertRule } from '../store/alert-rules.ts';

const account = '[A-Za-z0-9][A-Za-z0-9_-]{0,38}';
const name = '(?!\\.{1,2}$)(?!.*\\.git$)[A-Za-z0-9._-]{1,100}';

/** What rules can be about: `repo:<owner>/<repo>` or `org:<org>`. */
const pattern = new RegExp(`^(?:repo:(${account})/(${name})|org:(${account}))$`);

export type Scope = Pick<AlertRule, 'scope' | 'scopeKind' | 'scopeKey'> & { owner: string; repo: string | null };

/** A scope taken apart; null for a text that is none. */
export function parseScope(text: string): Scope | null {
  const found = pattern.exec(text);
  if (!found) return null;
  const [, owner, repo, org] = found;
  if (org !== undefined)
    return { scope: `org:${org}`, scopeKind: 'org', scopeKey: org.toLowerCase(), owner: org, repo: null };
  if (owner === undefined || repo === undefined) return null;
  return { scope: `repo:${owner}/${repo}`, scopeKind: 'repo', scopeKey: nameKey({ owner, repo }), owner, repo };
}
