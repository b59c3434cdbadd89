// What it costs to live in this house, counted over the tracked files.  node tests/bench/size.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { entities } from '../../server/store/entities/all.ts';

const root = resolve(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const isSource = (file) => /^(app|server|jobs|migrations)\/.*\.(ts|tsx|mjs)$/.test(file);
const sources = tracked.filter(isSource).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const linesOf = (text) => text.split('\n').length - 1;

/** Words that only this project used: names and comments must not hold them. */
const privateWords = [
  ...'shelf standing standings letter dearest chrome wayOut refusal perform brought mattersAt joinsUp'.split(' '),
  ...'coldReaders heardOf believedMs inbox announced clockwork beginAt courseOf patienceMs isAside'.split(' '),
  ...'giveBackToken presentsIdentity sight fedBy isOfNow unsentBecause ofNone leftOut underItsName'.split(' '),
  ...'learnName priceField whyNothing told asked kept typedIn wordsOf mayGoOn doors'.split(' '),
];

/** Rooms where one of these words is a term of a contract: `kept` is a verdict on a change, `refusal` why a patch is denied. */
const terms = [['advisor', ['kept', 'refusal']]];

/** Where one of these words is the right one, and why. Exactly these phrases are not counted. */
const rightUses = [
  ['letter or digit', 'of the alphabet'],
  ['Chrome', 'the browser'],
  ['the inbox', 'of whoever receives an email'],
  ['`kept`', 'a value of `runs_source` in the API'],
  ["'kept'", 'the same'],
  ['history is kept', 'not deleted'],
  ['events are kept', 'not deleted'],
  ['stored before is kept', 'not deleted'],
  ['stored data is kept', 'not deleted'],
  ['is kept as a secret', 'a secret is kept'],
  ['be kept to the branches', 'limited to'],
  ['announced its end', 'GitHub announced it'],
  ['only when asked to', 'of a setting of an action'],
  ['unless it is asked', 'of a setting of an action'],
  ['leftOut', '`left_out` of the API, in the program'],
  ['isOfNow', '`is_of_now` of the API, in the program'],
];

const counts = { spreads: 0, sql: 0, words: 0 };
for (const { file, text } of sources) countIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), file);

function countIn(node, file) {
  if (isFolded(node)) counts.spreads++;
  if (isSql(node) && !file.startsWith('migrations/')) counts.sql++;
  ts.forEachChild(node, (child) => countIn(child, file));
}

function isFolded(node) {
  if (ts.isSpreadElement(node)) return ts.isArrayLiteralExpression(node.expression);
  if (ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node))
    return ts.isObjectLiteralExpression(node.expression);
  return false;
}

function isSql(node) {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  return isText && /\b(select\b[\s\S]+\bfrom|insert into|update \w+ (\w+ )?set|delete from)\b/i.test(node.getText());
}

const sentence = new RegExp(`\\b(${privateWords.join('|')})\\b`, 'gi');
const partOfName = new RegExp(`(?<![a-z])(${privateWords.join('|')})(?![a-z])`, 'gi');
for (const { file, text: complete } of sources) {
  const isPrivate = (word) => !terms.some(([room, words]) => file.includes(room) && words.includes(word.toLowerCase()));
  const text = rightUses.reduce((rest, [phrase]) => rest.replaceAll(phrase, ''), complete);
  const names = text.match(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g) ?? [];
  const parts = names.flatMap((name) => name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`));
  counts.words += [...(text.match(sentence) ?? []), ...(parts.join('\n').match(partOfName) ?? [])].filter(
    isPrivate,
  ).length;
}

const isInReports = ({ file }) => dirname(file) === 'server/reports';
const short = sources.filter(({ text }) => linesOf(text) < 15);
const readme = readFileSync(join(root, 'README.md'), 'utf8');
console.table([
  { what: 'tables with an entity', now: entities.length, goal: 'all (a test compares)' },
  { what: 'SQL in strings outside store/sql', now: counts.sql, goal: '0' },
  { what: 'spreads of literals', now: counts.spreads, goal: '0' },
  { what: 'files directly in server/reports', now: sources.filter(isInReports).length, goal: '0' },
  { what: 'source lines', now: sources.reduce((sum, { text }) => sum + linesOf(text), 0), goal: '58,000' },
  { what: 'source files', now: sources.length, goal: '' },
  { what: 'files under 15 lines', now: short.length, goal: '15' },
  { what: 'lines of README', now: linesOf(readme), goal: '150' },
  { what: 'private words in names, comments and texts', now: counts.words, goal: '0' },
]);
if (process.argv.includes('--short'))
  console.log(short.map(({ file }) => `${file} (${basename(dirname(file))})`).join('\n'));
