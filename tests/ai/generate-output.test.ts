import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkOutput } from '../../server/ai/output.ts';

const surface = {
  shape: z.object({ summary: z.string().min(1).max(400), actions: z.array(z.string()).default([]) }),
  texts: ({ summary }: { summary: string }) => [summary],
};

const snapshot = {
  period_days: 30,
  dora: { lead_time_p50_hours: 41.66, change_failure_rate_pct: 0, mttr_mean_hours: null },
  total_runs: 12_345,
  delta: -7.25,
  first_failure_at: '2026-11-20T09:00:00Z',
  repo: 'octo/web-2',
};

const checked = (written: string) => checkOutput(surface, written, snapshot);
const reported = (summary: string, actions: string[] = []) => checked(JSON.stringify({ summary, actions }));

describe('what is written', () => {
  test('is taken with and without a code fence', () => {
    const json = '{"summary":"Fine."}';
    for (const written of [json, ` \n${json}\n`, `\`\`\`json\n${json}\n\`\`\``, `\`\`\`\n${json}\`\`\`\n`])
      expect(checked(written)).toEqual({ content: { summary: 'Fine.', actions: [] }, unverified: false });
  });

  test('is rejected where it has another shape, as a whole', () => {
    for (const written of ['', 'Fine.', '{"summary":', '[]', 'null', '{}', '{"summary":""}', '{"summary":5}'])
      expect(checked(written)).toBeNull();
    expect(reported('x'.repeat(401))).toBeNull();
    expect(checked(`Here you are: {"summary":"Fine."}`)).toBeNull();
    expect(checked(`{"summary":"Fine.","actions":["ok",7]}`)).toBeNull();
  });

  test.each([
    'See https://evil.example/x',
    'See HTTP://EVIL.EXAMPLE',
    'See ftp://files',
    'See ｈｔｔｐｓ：//evil.example',
    'See //evil.example/x',
    'See www.evil.example',
    'See evil.example/login',
    'Open javascript:alert(1)',
    'Open data:text/html;base64,AAAA',
    'Write mailto:a',
    'Ask ann.lee@corp.example',
    '[Click](#x)',
    '<b>bold</b>',
    '<img src=x onerror=alert(1)>',
    '</script',
    '<!-- x',
    'Bell \u0007',
    'Turned \u202etxet',
    'NUL \u0000',
  ])('is rejected for %j, wherever it stands', (text) => {
    expect(reported(text)).toBeNull();
    expect(reported('Fine.', ['ok', text])).toBeNull();
  });

  test.each([
    'The workflow ci.yml in octo/web-2 uses actions/checkout@v4.1 on node.js.',
    'p95 < 5 min and p50 > 2; ratio: 3/4 (see below).',
    'Two lines\nand a\ttab – “quoted” and naïve.',
    'Runs: mostly push, and/or schedule.',
  ])('is taken for %j', (text) => {
    expect(reported(text)?.content.summary).toBe(text);
  });
});

describe('numbers', () => {
  test.each([
    'No numbers at all, p95 and v4 are names.',
    'Lead time is 41.7 hours, or 41.66 to be exact.',
    'In 30 days 12,345 runs, 12345 in all, failure rate 0 %.',
    'It fell by 7.3, from 2026-11-20 on.',
    'octo/web-2 leads.',
  ])('of the snapshot are known: %s', (text) => {
    expect(reported(text)?.unverified).toBe(false);
  });

  test.each(['Lead time is 42 hours.', 'Failures doubled to 17.', 'It took 41.9 h.', '1.2345 runs', '99%'])(
    'that nobody measured are reported: %s',
    (text) => {
      expect(reported(text)).toEqual({ content: { summary: text, actions: [] }, unverified: true });
    },
  );

  test.each([
    ['full-width', '４１．７ hours', '４２．７ hours'],
    ['Arabic-Indic', '٣٠ days', '٣١ days'],
    ['Persian', '۱۲۳۴۵ runs', '۱۲۳۴۶ runs'],
    ['Devanagari', '३० days', '४७११ days'],
    ['bold', '𝟑𝟎 days', '𝟑𝟏 days'],
    ['of both kinds', '3０ days', '3１ days'],
    ['begun with a point', '.00 and -.04 of them', '.4711 of them'],
    ['begun with a point of full width', '．０ of them', '．４７１１ of them'],
    ['of a range', '7.3..30 or 30…', '7.3..4711 or 7.3...4711'],
    ['raised', '30 m²', '30²'],
  ])('are read as people do, %s', (_kind, right, wrong) => {
    const both = checkOutput(surface, JSON.stringify({ summary: right }), { ...snapshot, width: 3 });
    expect(both?.unverified).toBe(false);
    expect(reported(wrong)?.unverified).toBe(true);
  });

  test('every decimal digit of Unicode has the value that its script gives it', () => {
    const scripts = Intl.supportedValuesOf('numberingSystem').map((system) => {
      const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
      return [format.format(4711), format.format(4712)] as const;
    });
    const decimal = scripts.filter(([written]) => /^\p{Nd}{4}$/u.test(written));
    expect(decimal.length).toBeGreaterThan(50);
    for (const [right, wrong] of decimal) {
      const read = (summary: string) => checkOutput(surface, JSON.stringify({ summary }), { runs: 4711 });
      expect(read(right)?.unverified, right).toBe(false);
      expect(read(wrong)?.unverified, wrong).toBe(true);
    }
  });

  test('parts of versions are none, in whatever digits', () => {
    expect(reported('v4.4711, p٤٧١١, node.4711 and web_４７１１')?.unverified).toBe(false);
  });

  test('count where the surface looks for them', () => {
    expect(reported('Fine.', ['Run 99 checks'])?.unverified).toBe(false);
  });
});
