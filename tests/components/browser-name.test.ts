import { expect, test } from 'vitest';
import { browserName } from '../../app/routes/browser-name.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0.0.0 Safari/537.36`;

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
  [windows, 'Chrome on Windows'],
  // Stored are the first 120 characters.
  [`${windows} Edg/150.0.0.0`.slice(0, 120), 'Edge on Windows'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/150.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E14',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['Firefox/150.0', 'Firefox'],
  ['curl/8.4.0', 'curl'],
  ['', 'Unknown'],
  [' ', 'Unknown'],
  [null, 'Unknown'],
])('%s is %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
