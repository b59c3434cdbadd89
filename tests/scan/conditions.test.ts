import { describe, expect, test } from 'vitest';
import { eventsReaching } from '../../server/scan/conditions.ts';
import { withNeeded } from '../../server/scan/privileged.ts';
import { readWorkflow } from '../../server/scan/read-workflow.ts';
import type { Job } from '../../server/scan/workflow.ts';

const named = (count: number, nameOf: (n: number) => string) => Array.from({ length: count }, (_, n) => nameOf(n + 1));

/** A workflow for these events, whose jobs wait each for the one before; the first runs for pushes alone. */
function chain(events: string[], jobs: number) {
  const text = named(
    jobs,
    (n) => `  j${n}:\n    ${n === 1 ? "if: github.event_name == 'push'" : `needs: j${n - 1}`}\n`,
  );
  const workflow = readWorkflow('.github/workflows/ci.yml', `on: [${events}]\njobs:\n${text.join('')}`);
  return { workflow, last: workflow.jobs.at(-1) as Job };
}

describe('the events that reach a job', () => {
  const reaching = (events: string[], jobs: number) => {
    const { workflow, last } = chain(events, jobs);
    return eventsReaching(workflow, last, null);
  };

  test('are those that reach every job before it, as far as forty are requested; beyond, any may', () => {
    expect(reaching(['push', 'issues'], 41)).toEqual(['push']);
    expect(reaching(['push', 'issues'], 42)).toEqual(['push', 'issues']);
  });

  test('are each reported once, unknown ones too, until more are named than the platform has', () => {
    const eventsOf = (unknown: number) => {
      const text = `on: [push, push, ${named(unknown, (n) => `made_up_${n}`)}]\njobs:\n  a: {}\n`;
      const workflow = readWorkflow('.github/workflows/ci.yml', text);
      return eventsReaching(workflow, workflow.jobs[0] as Job, null);
    };
    expect(eventsOf(2)).toEqual(['push', 'made_up_1', 'made_up_2']);
    expect(eventsOf(60)).toEqual(['push']);
  });
});

test('of the jobs that one waits for, the nearest hundred are looked at, itself among them', () => {
  const idsOf = (jobs: number) => {
    const { workflow, last } = chain(['push'], jobs);
    return withNeeded(workflow, last).map(({ id }) => id);
  };
  expect(idsOf(100)).toContain('j1');
  expect(idsOf(101)).toEqual(named(100, (n) => `j${102 - n}`));
});
