/** How the credentials of one issuer look. */
interface Shape {
  /** With its article. */
  kind: string;
  /** How every one of them begins. */
  prefix: string;
  /** The exact pattern of the rest; null for those that are no finding by themselves. */
  rest: string | null;
  /** From where a value is drawn by lot; null when the shape alone is enough. */
  isRandomFrom: number | null;
  /** What is masked behind the prefix; taking one too many does no harm. */
  hidden: string;
}

const long = String.raw`[\w-]{16,}`;

const shapes: readonly Shape[] = [
  {
    kind: 'an access key id of a cloud',
    prefix: String.raw`\b(?:AKIA|ASIA)`,
    rest: String.raw`[A-Z0-9]{16}\b`,
    isRandomFrom: 4,
    hidden: '[A-Z0-9]{12,}',
  },
  {
    kind: 'a GitHub token',
    prefix: String.raw`\bgh[pousr]_`,
    rest: String.raw`[A-Za-z0-9]{36,}\b`,
    isRandomFrom: 4,
    hidden: long,
  },
  {
    kind: 'a GitHub token',
    prefix: String.raw`\bgithub_pat_`,
    rest: String.raw`[A-Za-z0-9_]{70,}\b`,
    isRandomFrom: 11,
    hidden: long,
  },
  {
    kind: 'a token of a code host',
    prefix: String.raw`\bglpat-`,
    rest: '[A-Za-z0-9_-]{20,}',
    isRandomFrom: 6,
    hidden: long,
  },
  {
    kind: 'a token of a chat',
    prefix: String.raw`\bxox[a-z]-`,
    rest: '[A-Za-z0-9-]{20,}',
    isRandomFrom: 5,
    hidden: long,
  },
  {
    kind: 'the address of a chat hook',
    prefix: String.raw`https://hooks\.slack\.com/services/`,
    rest: String.raw`T\w{8,}/B\w{8,}/\w{20,}`,
    isRandomFrom: 34,
    hidden: String.raw`\S+`,
  },
  {
    kind: 'a key of a payment service',
    prefix: String.raw`\b[rs]k_live_`,
    rest: String.raw`[A-Za-z0-9]{20,}\b`,
    isRandomFrom: 8,
    hidden: long,
  },
  {
    kind: 'a test key of a payment service',
    prefix: String.raw`\b[rs]k_test_`,
    rest: null,
    isRandomFrom: null,
    hidden: long,
  },
  {
    kind: 'a token of a package registry',
    prefix: String.raw`\bnpm_`,
    rest: String.raw`[A-Za-z0-9]{36}\b`,
    isRandomFrom: 4,
    hidden: long,
  },
  {
    kind: 'a token of a package registry',
    prefix: String.raw`\bpypi-`,
    rest: 'AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}',
    isRandomFrom: 5,
    hidden: long,
  },
  {
    kind: 'a token of an image registry',
    prefix: String.raw`\bdckr_pat_`,
    rest: '[A-Za-z0-9_-]{24,}',
    isRandomFrom: 9,
    hidden: long,
  },
  {
    kind: 'a key of a cloud',
    prefix: String.raw`\bAIza`,
    rest: String.raw`[A-Za-z0-9_-]{35}\b`,
    isRandomFrom: 4,
    hidden: String.raw`[\w-]{20,}`,
  },
  {
    kind: 'a key of a mail service',
    prefix: String.raw`\bSG\.`,
    rest: String.raw`[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b`,
    isRandomFrom: 3,
    hidden: String.raw`[\w-]{8,}\.[\w-]*`,
  },
  {
    kind: 'a key of a model service',
    prefix: String.raw`\bsk-`,
    rest: '(?:ant|proj)-[A-Za-z0-9_-]{40,}',
    isRandomFrom: 8,
    hidden: long,
  },
  {
    kind: 'a signed token',
    prefix: String.raw`\beyJ`,
    rest: null,
    isRandomFrom: null,
    hidden: String.raw`[\w-]{8,}(?:\.[\w-]*){0,2}`,
  },
  {
    kind: 'a private key',
    prefix: '-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----',
    rest: String.raw`(?:\s|\\n){1,20}[A-Za-z0-9+/=\s\\]{64,}`,
    isRandomFrom: null,
    hidden: '.*',
  },
];

/** Credentials that are a finding, each by the shape its issuer gives it. */
export const credentialShapes = shapes.flatMap(({ kind, prefix, rest, isRandomFrom }) =>
  rest === null ? [] : [{ kind, shape: new RegExp(prefix + rest, 'g'), isRandomFrom }],
);

/** How one of them begins: most texts have nothing of the kind. */
export const credentialBeginning = new RegExp(
  shapes.flatMap(({ prefix, rest }) => (rest === null ? [] : prefix.replace(String.raw`\b`, ''))).join('|'),
);

/** Whatever begins as a credential does. */
export const likeCredentials = new RegExp(shapes.map(({ prefix, hidden }) => prefix + hidden).join('|'), 'g');
