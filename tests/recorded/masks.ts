/** The id that every recorded request carries. */
export const requestId = 'recorded';

/** What differs from one run to the next, and what stands in its place. */
const random: [found: RegExp, mask: string][] = [
  [/http(s?):(\/\/|%2F%2F)127\.0\.0\.1(:|%3A)\d+/g, 'http$1:$2double'],
  // The host of the double as pages name it.
  [/(<!-- -->)?127\.0\.0\.1:\d+(<!-- -->)?/g, 'double'],
  [/\b(das_\w+)=[^;]+/g, '$1=*'],
  [/\b(state|code_challenge|client_state)=[\w-]{20,}/g, '$1=*'],
  // The id of a session, in CSV behind the guard of formulas where it begins with a minus.
  [/(?:'(?=-))?(?<![\w-])[\w-]{43}(?![\w-])/g, '*'],
  // Of an entry of the audit, whose chain of hashes holds the ids of requests that signed in.
  [/\b[0-9a-f]{64}\b/g, '*'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '*'],
  // When the database was made that the tests start from.
  [/("updated_by":"system","updated_at":)"[^"]*"/g, '$1"*"'],
  [/("(?:duration_ms|elapsed_ms)":)\d+/g, '$1"*"'],
];

/** The same for a page: where its scripts and styles lie, and how they are loaded, follows from how files are cut. */
const randomInPages: [found: RegExp, mask: string][] = [
  [/(nonce=|'nonce-)(\\?["']?)[\w-]+/g, '$1$2*'],
  [/(name="csrf" value=)"[^"]*"/g, '$1"*"'],
  [/(name="(?:idempotency_key|key)" value=)"[^"]*"/g, '$1"*"'],
  // The nonce as data.
  [/"[\w-]{22}"/g, '"*"'],
  [/<link rel="modulepreload"[^>]*>/g, ''],
  [/(<script [^>]*type="module"[^>]*>)[\s\S]*?(?=<\/script>)/g, '$1'],
  // How long a synchronization took.
  [/( repositories \()[^)]*(?=\))/g, '$1*'],
  // Route modules are named by their files.
  [/\broutes\/[\w./-]+/g, 'routes/*'],
  [/\/assets\/[\w.-]+\.(js|css)/g, '/assets/*.$1'],
];

export function masked(text: string, contentType: string): string {
  const plain = applied(random, text);
  return /html|x-script/.test(contentType) ? withNumberedIds(applied(randomInPages, plain)) : plain;
}

/** The ids that React makes up follow from how components are nested: they are reported in the order of appearance. */
function withNumberedIds(text: string): string {
  const known = new Map<string, string>();
  return text.replace(/\b_R_\w+?_/g, (id) => {
    if (!known.has(id)) known.set(id, `_R_${known.size + 1}_`);
    return known.get(id) ?? id;
  });
}

const applied = (masks: typeof random, text: string) =>
  masks.reduce((before, [found, mask]) => before.replace(found, mask), text);
