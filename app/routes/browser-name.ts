/** What a browser calls itself, in words: `Firefox on Linux`; its own first word where it is no browser. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown';
  const browser = browsers.find(([mark]) => mark.test(userAgent))?.[1];
  const system = systems.find(([mark]) => mark.test(userAgent))?.[1];
  if (!browser) return userAgent.split(/[\s/]/)[0] || 'Unknown';
  return system ? `${browser} on ${system}` : browser;
}

/** Each names itself after those it resembles, so the order counts. */
const browsers = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bHeadlessChrome\//, 'Chrome'],
  [/\bVersion\/[\d.]+/, 'Safari'],
] as const;

const systems = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;
