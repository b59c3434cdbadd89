import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const modules = resolve(import.meta.dirname, '../../node_modules');
const installed = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
// Root, as in a container, has no sandbox; and a container's /dev/shm is small. Pages live for a second:
// what runs in them is optimized only where it runs often.
const args = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--js-flags=--single-threaded-gc --min-semi-space-size=16 --invocation-count-for-maglev=2000 --invocation-count-for-turbofan=30000',
];

let shared: Promise<Browser> | undefined;

/** The browser of all files of a worker, which ends with it. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= openBrowser().then((browser) =>
    browser.once('disconnected', () => {
      shared = undefined;
    }),
  );
  return shared;
}

/** Leaves the browser of the worker as it was. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  for (const context of browser?.contexts() ?? []) await context.close();
}

/**
 * A headless browser: the Chromium that comes as a package on Linux x64, with the libraries and the font it needs, so
 * that a bare machine will do; one found in PATH elsewhere. The caller closes it.
 */
export async function openBrowser(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const folder = unpacked();
    const env = {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    };
    return withLongTimeouts(await chromium.launch({ executablePath: join(folder, 'chromium'), args, env }));
  }
  const executablePath = inPath();
  if (!executablePath) throw new Error(`No browser found: install one of ${installed.join(', ')}.`);
  return withLongTimeouts(await chromium.launch({ executablePath, args }));
}

/** Waits long in pages, whatever else the machine does. */
const withLongTimeouts = (browser: Browser): Browser =>
  browser.on('context', (context) => {
    context.setDefaultTimeout(120_000);
  });

/** The folder with everything in it; unpacked once and put in place whole, as several test files may ask at a time. */
function unpacked(): string {
  const { version } = JSON.parse(readFileSync(join(modules, '@sparticuz/chromium/package.json'), 'utf8'));
  const folder = join(modules, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(join(modules, '.cache'), { recursive: true });
  const draft = mkdtempSync(join(modules, '.cache', 'chromium-draft-'));
  unpackInto(draft);
  writeFileSync(join(draft, 'fonts.conf'), fontConfiguration(folder));
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return folder;
}

/** The package unpacks to the temporary folder, and its libraries only where it takes the machine for Amazon Linux. */
function unpackInto(folder: string): void {
  const script = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: modules,
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
}

const fontConfiguration = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;

const inPath = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => installed.map((name) => join(folder, name)))
    .concat('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome')
    .find((path) => existsSync(path));
