import { expect, test } from 'vitest';
import type { Ci, CiWorkflow } from '../../app/routes/ci/views.ts';
import type { BesideAnswers } from '../../app/routes/repo/workflow/operations.ts';
import { chooseSample } from '../../app/routes/repo/workflow/sample.ts';

/** What CI answers of the repository, where runs are stored from then on. */
const beside = (syncedFrom: string | null) => {
  const workflow = { workflow_id: 7001 } as CiWorkflow;
  const data = { synced_from: syncedFrom, synced_through: null, workflows: [workflow] } as unknown as Ci;
  return { figures: { ok: true, data } } as unknown as Partial<BesideAnswers>;
};

const choose = (query: string, syncedFrom: string | null, id = '7001') =>
  chooseSample(new URLSearchParams(query), beside(syncedFrom), id);

test('a range governs a workflow as soon as runs are stored, though the first sync has not ended', () => {
  expect(choose('', '2026-09-10T00:00:00Z')).toMatchObject({ by: 'range', workflow: { workflow_id: 7001 } });
  expect(choose('range=30', '2026-09-10T00:00:00Z', '1')).toMatchObject({ by: 'range', workflow: null });
  expect(choose('per_page=20', '2026-09-10T00:00:00Z')).toEqual({ by: 'runs', hasRange: true });
});

test('without stored runs the latest ones are shown, and no range can be chosen', () => {
  expect(choose('range=30', null)).toEqual({ by: 'runs', hasRange: false });
});
