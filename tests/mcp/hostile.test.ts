import { expect, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { ToolAnswer } from '../../server/mcp/result.ts';
import { type RandomStream, randomStream } from '../../server/metrics/kernel/random-stream.ts';
import { makeToken } from '../access/made-token.ts';
import { type DoubleRepository, repositoryOf } from '../codehost-double/world.ts';
import { logLines } from '../support/log-lines.ts';
import { rounds } from '../support/rounds.ts';
import { anyDatabase, startService } from '../support/service.ts';
import { calls } from './calls.ts';
import { forbidden, hostileText, marker } from './hostile-texts.ts';
import { callTool } from './messages.ts';

/** Fields of the world that strangers write. */
const written = new Set([
  'title',
  'displayTitle',
  'workflowName',
  'headBranch',
  'message',
  'runnerName',
  'runnerGroup',
  'environment',
  'description',
  'packageName',
]);

/** Replaces every text that strangers write, and answers how many. */
function poison(repository: DoubleRepository, random: RandomStream): number {
  let count = 0;
  const text = () => hostileText(random, count++);
  const visit = (value: unknown): void => {
    if (value instanceof Map) for (const part of value.values()) visit(part);
    if (typeof value !== 'object' || value === null) return;
    const fields = value as Record<string, unknown>;
    for (const [name, field] of Object.entries(fields)) {
      if (written.has(name) && typeof field === 'string') fields[name] = text();
      else visit(field);
    }
  };
  for (const part of ['runs', 'jobs', 'pullRequests', 'issues', 'deployments', 'security'] as const)
    visit(repository[part]);
  for (const workflow of repository.workflows) workflow.name = text();
  for (const job of [...repository.jobs.values()].flat()) {
    job.name = text();
    job.labels = [text()];
    for (const step of job.steps) step.name = text();
  }
  for (const { labels } of repository.issues) for (const label of labels) label.name = text();
  return count;
}

/** Where texts of strangers stand in an answer: the names of the fields on the way. */
function findTexts(value: unknown, way: string[] = []): { way: string[]; text: string }[] {
  if (typeof value === 'string') return value.includes(marker) ? [{ way, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    ...(name.includes(marker) ? [{ way, text: name }] : []),
    ...findTexts(part, [...way, name]),
  ]);
}

test('what strangers wrote is data, wherever it stands', async () => {
  const service = await startService({
    DATABASE_URL: anyDatabase,
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
    MCP_RATE_PER_MINUTE: '0',
  });
  const { headers } = await makeToken(service, 'token-ann', tokenFeatures);
  const random = randomStream('hostile');
  let tried = 0;
  let found = 0;
  for (const wanted = rounds('HOSTILE_TEXTS', 100, 5000); tried < wanted; ) {
    service.double.reset();
    tried += poison(repositoryOf(service.double.world, 'octo/web'), random);
    // What was read is forgotten, so that the new texts are.
    service.clock.advance(24 * 3_600_000);
    await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { headers: { authorization: 'Bearer token-ann' } });
    const lines = await logLines(service.app.services, async () => {
      for (const [name, input] of calls) {
        const { status, body } = await callTool(service, headers, name, input);
        expect([name, status]).toEqual([name, 200]);
        const [summary] = body.result.content;
        expect(summary.text).not.toContain(marker);
        if (body.result.isError) {
          expect(findTexts(body)).toEqual([]);
          continue;
        }
        const answer = body.result.structuredContent;
        expect(ToolAnswer.parse(answer)).toEqual(answer);
        for (const { way, text } of findTexts(answer)) {
          found++;
          expect([name, way.join('.'), way.at(-1)]).toEqual([name, way.join('.'), 'untrusted_text']);
          expect(forbidden.test(text), `${name} ${way.join('.')} ${JSON.stringify(text)}`).toBe(false);
          expect([...text].length).toBeLessThanOrEqual(200);
        }
      }
    });
    expect(JSON.stringify(lines)).not.toContain(marker);
  }
  expect(found).toBeGreaterThan(tried / 4);
  await service.close();
});
