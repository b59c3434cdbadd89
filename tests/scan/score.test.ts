import { expect, test } from 'vitest';
import type { Severity } from '../../server/scan/rule.ts';
import { fileScore, overallScore } from '../../server/scan/score.ts';

const places = (ruleId: string, severity: Severity, count = 1) =>
  Array.from({ length: count }, () => ({ ruleId, severity }));

test('a file without findings has 100', () => {
  expect(fileScore([])).toBe(100);
});

test('each rule takes its weight once, and twice from five places on', () => {
  expect(fileScore(places('SEC-A', 'critical'))).toBe(70);
  expect(fileScore(places('SEC-A', 'high', 4))).toBe(85);
  expect(fileScore(places('SEC-A', 'high', 5))).toBe(70);
  expect(fileScore([...places('SEC-A', 'medium'), ...places('SEC-B', 'info', 9)])).toBe(89);
});

test('a rule counts by its worst place, and so many of these', () => {
  expect(fileScore([...places('SEC-A', 'info', 4), ...places('SEC-A', 'high')])).toBe(85);
});

test('a score is never below 0', () => {
  expect(fileScore(['A', 'B', 'C', 'D'].flatMap((id) => places(`SEC-${id}`, 'critical')))).toBe(0);
});

test('the overall score is the mean of what was read, held down by what is worst', () => {
  const file = (score: number | null, ...severities: Severity[]) => ({
    score,
    findings: severities.map((severity) => ({ ruleId: 'SEC-A', severity })),
  });
  expect(overallScore([])).toBeNull();
  expect(overallScore([file(null, 'info')])).toBeNull();
  expect(overallScore([file(100), file(99)])).toBe(100);
  expect(overallScore([file(100), file(85, 'high')])).toBe(79);
  expect(overallScore([file(100), file(70, 'critical')])).toBe(59);
  expect(overallScore([file(20, 'critical'), file(40, 'high')])).toBe(30);
  expect(overallScore([file(93, 'medium'), file(null, 'info')])).toBe(93);
});
