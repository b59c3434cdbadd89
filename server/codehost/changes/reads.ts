import type { FactKind, FactOf } from '../../facts/fact-repository.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { noItems } from '../client/graphql-pages.ts';
import type { DeliveryContext } from '../delivery/context.ts';
import type { Change, ChangeReads } from './client.ts';
import { createParts, type Parts } from './parts.ts';
import { type Answers, type ChangesRequest, kindsIn, pagesAlone, requestTogether } from './request.ts';

/** Reads what changed in a repository; see `ChangeReads`. */
export function createChanges(context: DeliveryContext): ChangeReads {
  // Made when they are first needed: most clients serve one request that is answered from copies.
  let parts: Parts | undefined;
  return {
    async changes(name, wanted) {
      const kinds = kindsIn(wanted);
      if (kinds.length === 0) return {};
      const asOf = context.clock.now();
      parts ??= createParts(context.toActor);
      const request = { context, parts, name, wanted };
      const answers = await requestTogether(request);
      const changes = await Promise.all(kinds.map((kind) => readChange(request, kind, answers, asOf)));
      return Object.fromEntries(kinds.flatMap((kind, index) => (changes[index] ? [[kind, changes[index]]] : [])));
    },
  };
}

const maxPages = 10;

/** Reads on until everything of a kind since then is read; null when the token may not read the kind. */
async function readChange<Kind extends FactKind>(
  request: ChangesRequest,
  kind: Kind,
  answers: Answers,
  asOf: Instant,
): Promise<Change<FactOf[Kind]> | null> {
  const answered = answers[kind];
  if (!answered) return null;
  const more = pagesAlone(request, kind);
  // The platform's times have no fraction of a second.
  const since = Math.floor((request.wanted[kind]?.since ?? 0) / 1000) * 1000;
  const found = new Map<string | number, FactOf[Kind]>();
  let page = answered.page ?? noItems;
  let { complete } = answered;
  for (let pages = 1; ; pages++) {
    for (const { key, fact, changedAt } of page.items) if (fact && changedAt >= since) found.set(key, fact);
    const hasEnded = page.next === null || (page.items.at(-1)?.listedAt ?? Infinity) < since;
    if (hasEnded || pages === maxPages) {
      const { totals, added } = answered;
      return { ...totals, items: [...found.values()], reached: complete && hasEnded, added, asOf };
    }
    const next = await more(page.next);
    complete &&= !next.partial && next.excluded === null;
    page = next;
  }
}
