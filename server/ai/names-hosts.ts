import { isIPv4, isIPv6 } from 'node:net';

/** What the name of a host ends in, though it has one dot alone. */
const hostEndings = new Set(['internal', 'local', 'lan', 'corp', 'com', 'net', 'org', 'io', 'dev', 'cloud']);

/** What end so and are no hosts. */
const noHosts = new Set(['ado.net', 'asp.net', 'vb.net', 'dockerfile.dev', 'dockerfile.local', 'env.dev', 'env.local']);

/** What the names of files end in. */
const fileEndings = new Set([
  'cfg',
  'cjs',
  'conf',
  'csproj',
  'css',
  'gradle',
  'html',
  'ini',
  'jar',
  'java',
  'js',
  'json',
  'jsx',
  'kt',
  'kts',
  'lock',
  'md',
  'mjs',
  'mk',
  'php',
  'py',
  'rb',
  'rs',
  'sh',
  'sln',
  'sql',
  'swift',
  'tf',
  'toml',
  'ts',
  'tsx',
  'txt',
  'vue',
  'xml',
  'yaml',
  'yml',
  'zip',
]);

/** Letters of scripts that part no words may stand on both sides; a name may hold what was already taken out. */
const likeIpv6 = /(?<![a-z0-9])[0-9a-f]{0,4}:[0-9a-f:.]*(?:%[\w-]+)?(?![a-z0-9])/gi;
const likeIpv4 = /(?<![a-z0-9]|\d\.)(?:\d{1,3}\.){3}\d{1,3}(?![a-z0-9]|\.\d)(?::\d+)?/gi;
const dotted = /((?:\[(?:branch|token|host)\]|[\p{L}\p{M}\p{N}_.-])+)(?::\d+)?/gu;

/** A complete IPv6 address, whatever other groups of such letters stand before or behind it. */
const eightGroups = /(?:[0-9a-f]{1,4}:){7}[0-9a-f]/i;

/** Takes names and IP addresses of hosts out of a text, with their ports; versions and names of files stay. */
export const withoutHosts = (text: string): string =>
  text
    .replace(likeIpv6, (run) => {
      const address = run.replace(/(?<!\.)\.+$|(?<!:):$/, '');
      const isAddress = (isIPv6(address) && address !== '::') || eightGroups.test(address);
      return isAddress ? `[host]${run.slice(address.length)}` : run;
    })
    .replace(likeIpv4, (run) => (isIPv4(run.replace(/:.*/, '')) ? '[host]' : run))
    .replace(dotted, (run, name: string) => (isHost(name) ? `[host]${/(?<![._-])[._-]*$/.exec(name)}` : run));

function isHost(name: string): boolean {
  const parts = name.split('.').filter((label) => /[^_-]/.test(label));
  const labels = parts.slice(0, parts.findLastIndex((label) => /^[a-z]/i.test(label)) + 1);
  const [ending = ''] = /^[a-z]{2,}(?![a-z0-9])/i.exec(labels.at(-1) ?? '') ?? [];
  if (labels.length < 2 || noHosts.has(labels.join('.').toLowerCase())) return false;
  if (hostEndings.has(ending.toLowerCase())) return true;
  if (fileEndings.has(ending)) return false;
  // The next sentence may follow without a space.
  if (labels.slice(2).some((label) => hostEndings.has(label))) return true;
  // With a number by itself it is a version, and `Acme.Billing.Tests` a part of a program.
  const isVersion = labels.some((label) => /^\d+$/.test(label));
  return labels.length > 2 && !isVersion && /^(?:[a-z]+|[A-Z]+)$/.test(ending);
}
