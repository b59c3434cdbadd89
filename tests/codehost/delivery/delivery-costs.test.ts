import { describe, expect, it } from 'vitest';
import type { Codehost } from '../../../server/codehost/client/client.ts';
import type { DeliveryReads } from '../../../server/codehost/delivery/client.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { withDouble } from '../double.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const api = { owner: 'octo', repo: 'api' };
const day = 86_400_000;
const quarter = namedNow - 90 * day;
const month = { since: namedNow - 30 * day, now: namedNow };

type Client = Codehost & DeliveryReads;

describe('costs', () => {
  const weeks = Array.from({ length: 13 }, (_, week) => ({
    from: quarter + week * 7 * day,
    to: quarter + (week + 1) * 7 * day,
  }));
  const reads: {
    name: string;
    cold: number;
    minutes: number;
    read: (codehost: Client, now: number) => Promise<unknown>;
  }[] = [
    { name: 'merged', cold: 1, minutes: 15, read: (c) => c.pullRequests.merged(web, quarter, namedNow) },
    { name: 'last closed', cold: 1, minutes: 5, read: (c) => c.pullRequests.lastClosed(api, 60) },
    { name: 'closed', cold: 1, minutes: 5, read: (c) => c.pullRequests.closed(web, quarter) },
    { name: 'open', cold: 1, minutes: 5, read: (c) => c.pullRequests.open(api) },
    { name: '13 merged counts', cold: 1, minutes: 15, read: (c) => c.pullRequests.mergedCounts(web, 'main', weeks) },
    { name: 'authored', cold: 1, minutes: 15, read: (c) => c.pullRequests.authoredBy('octo', 'ana', quarter) },
    { name: 'reviewed', cold: 1, minutes: 15, read: (c) => c.pullRequests.reviewedBy('octo', 'bob', quarter) },
    { name: 'history', cold: 1, minutes: 15, read: (c) => c.commits.history(web, quarter, 300) },
    { name: 'histories', cold: 1, minutes: 15, read: (c) => c.commits.historiesBy([web, api], 'U_1', quarter) },
    { name: 'releases', cold: 1, minutes: 15, read: (c) => c.releases.since(web, quarter) },
    { name: 'deployments', cold: 1, minutes: 10, read: (c) => c.deployments.since(web, month.since) },
    { name: 'issue counts', cold: 1, minutes: 5, read: (c) => c.issues.counts(web, month) },
    { name: 'open issues', cold: 1, minutes: 5, read: (c) => c.issues.open(web) },
    { name: 'closed issues', cold: 1, minutes: 5, read: (c) => c.issues.closed(web, month.since) },
    { name: 'contributions', cold: 2, minutes: 15, read: (c) => c.people.contributions('ann', 'octo', namedNow) },
    { name: 'directories', cold: 3, minutes: 360, read: (c) => c.commits.directories(web, quarter, 300) },
  ];

  it.each(reads)('$name: $cold cold, none for $minutes minutes', async ({ cold, minutes, read }) => {
    const { codehost, clock } = platform.as();
    const again = () => read(codehost, clock.now());
    const [first, second] = await Promise.all([again(), again()]);
    expect(second).toEqual(first);
    expect(platform.double.requests.map(({ path, status }) => [path, status])).toEqual(
      Array(cold).fill(['/graphql', 200]),
    );
    for (const { graphql } of platform.double.requests)
      expect(graphql?.query).toContain('rateLimit { cost limit remaining resetAt }');
    platform.advance(minutes * 60_000 - 1);
    expect(await again()).toEqual(first);
    expect(platform.double.requests).toHaveLength(cold);
    platform.advance(1);
    await again();
    expect(platform.double.requests.length).toBeGreaterThan(cold);
  });

  it('a rolling window shares its copy, and names are compared without case', async () => {
    const { codehost } = platform.as();
    await codehost.pullRequests.merged(web, quarter, namedNow);
    await codehost.issues.counts(web, month);
    platform.advance(200_000);
    const [since, now] = [month.since + 200_000, month.now + 200_000];
    await codehost.pullRequests.merged({ owner: 'Octo', repo: 'WEB' }, quarter + 200_000, now);
    await codehost.issues.counts(web, { since, now });
    expect(platform.double.requests).toHaveLength(2);
    await codehost.issues.counts(web, { since: since + day, now });
    expect(platform.double.requests).toHaveLength(3);
  });

  it('tokens do not share copies', async () => {
    const { codehost, shared } = platform.as();
    await codehost.issues.open(web);
    expect(shared).toBeDefined();
    await platform.as('token-bo').codehost.issues.open(web);
    expect(platform.double.requests).toHaveLength(2);
  });
});
