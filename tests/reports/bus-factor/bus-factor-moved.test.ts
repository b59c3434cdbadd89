import { expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';
import { aCommit, aFile, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { asking, hour } from '../workload/workload-world.ts';

const visit = freshService();

test('work in a directory that was moved since counts for the whole alone, which is said', async () => {
  const { double } = visit.service;
  double.addRepository({ name: 'octo/moved', facts: { id: 90_009 }, commits: [], workflows: [], workflowFiles: [] });
  const commit = (author: string, hours: number, files: ReturnType<typeof aFile>[]) =>
    double.addCommit('octo/moved', aCommit(namedNow - hours * hour, anActor(author), 'Change', { files }));
  for (let hours = 41; hours <= 45; hours++) commit('ana', hours, [aFile('old/a.ts')]);
  for (let hours = 31; hours <= 35; hours++) commit('bob', hours, [aFile('app/a.ts')]);
  commit('bob', 30, [aFile('package-lock.json')]);
  commit('bob', 1, [{ ...aFile('old/a.ts', 0, 4), removed: true }, aFile('new/a.ts', 4, 0)]);
  const { body } = await asking(visit.service, '/api/codehost/bus-factor?owner=octo&repo=moved');
  expect(body).toMatchObject({ total_commits: 12, total_contributors: 2, outside_modules: 5, partial: true });
  expect(body.outside_commits).toEqual(Array(5).fill({ sha: expect.any(String), reason: 'unknown_directories' }));
  expect(body.coverage).toMatchObject({ complete: false, reasons: ['upstream_truncated'] });
  expect(body.covers_from).toBe(new Date(namedNow - 45 * hour).toISOString());
  expect(body.modules.map(({ module }: { module: string }) => module).sort()).toEqual(['app', 'new']);
});
