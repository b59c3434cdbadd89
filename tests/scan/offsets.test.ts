import { describe, expect, test } from 'vitest';
import { splitLines } from '../../server/scan/lines.ts';
import { readWorkflow } from '../../server/scan/read-workflow.ts';
import { findExpressions, placeIn } from '../../server/scan/workflow.ts';

/** What stands in the file at the places of the expressions, written as `<a>`, that its steps run. */
function placesIn(steps: string) {
  const text = `on: push\njobs:\n  build:\n    steps:\n${steps.replaceAll(/<(\w)>/g, `\${{ $1 }}`)}`;
  const workflow = readWorkflow('ci.yml', text);
  return workflow.jobs.flatMap((job) =>
    job.steps.flatMap(({ run }) =>
      (run ? findExpressions(run) : []).map(({ at, source }) => {
        const place = run ? placeIn(workflow, run, at) : -1;
        return [source, text.slice(place, place + 3), splitLines(text).of(place)];
      }),
    ),
  );
}

const opening = `\${{`;

describe('the place of an expression', () => {
  const cases: [title: string, steps: string, lines: number[]][] = [
    ['in a plain text', '      - run: echo <a> <a>\n', [5, 5]],
    ['in quotes', '      - run: "echo <a>"\n', [5]],
    ['in quotes with escapes', '      - run: "\\u0065cho \\"<a>\\" <a>"\n', [5, 5]],
    ['in quotes over lines', '      - run: "echo <a>\n          and <a>"\n', [5, 6]],
    ['in a literal block', '      - run: |\n          one\n\n            <a>\n          <a> <b>\n', [8, 9, 9]],
    ['in a literal block that begins with an empty line', '      - run: |\n\n          <a>\n', [7]],
    ['in a literal block after a comment', '      - run: |- # why\n          <a>\n', [6]],
    ['in a literal block whose indentation is said', '      - run: |2\n          <a>\n', [6]],
    ['in a folded block', '      - run: >\n          <a>\n          <a>\n\n          <a>\n', [6, 7, 9]],
    ['in a plain text over lines', '      - run: echo\n          <a>\n          <a>\n', [6, 7]],
  ];
  test.each(cases)('%s', (_title, steps, lines) => {
    const found = placesIn(steps);
    expect(found.map(([, start]) => start)).toEqual(lines.map(() => opening));
    expect(found.map(([, , line]) => line)).toEqual(lines);
  });

  test.each(cases)('%s, with CR LF', (_title, steps, lines) => {
    expect(placesIn(steps.replaceAll('\n', '\r\n')).map(([, , line]) => line)).toEqual(lines);
  });
});

describe('the lines of a text', () => {
  test('are found by any offset, whatever ends them', () => {
    const text = 'one\ntwo\r\n\r\nfour\rfive';
    const lines = splitLines(text);
    expect([1, 2, 3, 4, 5].map(lines.text)).toEqual(['one', 'two', '', 'four', 'five']);
    const first = ['one', 'two', 'four', 'five'].map((word) => lines.of(text.indexOf(word)));
    expect(first).toEqual([1, 2, 4, 5]);
    expect([lines.of(0), lines.of(3), lines.of(text.length), lines.of(9999)]).toEqual([1, 1, 5, 5]);
  });

  test('an empty text has one', () => {
    expect([splitLines('').of(0), splitLines('').text(1)]).toEqual([1, '']);
  });
});
