import { describe, expect, test } from 'vitest';
import {
  commandAt,
  endsInLog,
  isInComment,
  isPrinter,
  listArguments,
  readRun,
  type Shell,
  writesTo,
} from '../../server/scan/shell.ts';

const namesIn = (text: string, shell: Shell = 'posix') =>
  readRun(text, shell).commands.map((command) => listArguments(command).join(' '));
const printedIn = (text: string, shell: Shell = 'posix') =>
  readRun(text, shell).commands.flatMap((one) =>
    isPrinter(one) && endsInLog(one) ? listArguments(one).join(' ') : [],
  );
const writingIn = (text: string, shell: Shell = 'posix') =>
  readRun(text, shell).commands.flatMap((one) => (writesTo(one, ['GITHUB_ENV']) ? listArguments(one)[0] : []));

describe('commands of a POSIX shell', () => {
  test.each([
    ['one per line, and between operators', 'a 1\nb && c || d; e & f', ['a 1', 'b', 'c', 'd', 'e', 'f']],
    ['over several lines', 'tool --x \\\n  --y z', ['tool --x --y z']],
    ['inside others', 'a "$(b "$(c)")" `d`', ['a $(b $(c)) `d`', 'b $(c)', 'c', 'd']],
    ['of blocks', 'if a; then b; else c; fi\nfor x in 1 2; do d; done', ['a', 'b', 'c', 'for x in 1 2', 'd']],
    ['of a case', 'case "$x" in a) b ;; *) c ;; esac; d', ['case $x in a', 'b', '*', 'c', 'd']],
    ['of a function and a subshell', 'f() { a; }\n(b; c)', ['f', 'a', 'b', 'c']],
    ['without what is set in front', 'A=1 B="x y" tool', ['tool']],
    ['past sudo', 'sudo env tool x', ['tool x']],
    ['not from text that is read', "cat <<'END'\nrm -rf\nEND\nls", ['cat', 'ls']],
    ['with an expression as one word', `tool \${{ a.b || 'c; d' }} e`, [`tool \${{ a.b || c; d }} e`]],
    ['with a bracket that never closes', 'a "$(b', ['a $(b', 'b']],
  ])('are read %s', (_name, text, expected) => {
    expect(namesIn(text)).toEqual(expected);
  });

  test('leave out comments, and only these', () => {
    const text = 'a # b; c\nd#e "# f" $#';
    expect(namesIn(text)).toEqual(['a', 'd#e # f $#']);
    expect(isInComment(readRun(text, 'posix'), text.indexOf('c'))).toBe(true);
    expect(isInComment(readRun(text, 'posix'), text.indexOf('f'))).toBe(false);
  });

  test('are found by a place, the innermost first', () => {
    const text = 'a "$(b here)" <<E\nthere\nE\n';
    const at = (word: string) => commandAt(readRun(text, 'posix'), text.indexOf(word))?.words[0]?.text;
    expect([at('here'), at('there'), at('a')]).toEqual(['b', 'a', 'a']);
  });
});

describe('what a command prints', () => {
  test.each([
    ['to the log', 'echo a', ['echo a']],
    ['to the errors', 'echo a >&2', ['echo a']],
    ['while another stream goes away', 'echo a 2>/dev/null', ['echo a']],
    ['through a filter', 'echo a | base64 | rev', ['echo a']],
    ['a text that is handed over', 'cat <<E\na\nE', ['cat']],
    ['not to a file', 'echo a > f; echo b &> f; echo c | tee f > /dev/null', []],
    ['not to another tool', 'echo a | docker login', []],
    ['not into a variable', 'X=$(echo a) Y=`echo b`', []],
    ['not into the file of its block', '{ echo a; echo b; } > f\nfor x in 1; do echo c; done >> f', []],
    ['not into the tool behind its block', '(echo a; echo b) | tool', []],
  ])('%s', (_name, text, expected) => {
    expect(printedIn(text)).toEqual(expected);
  });
});

test.each([
  ['a redirect', 'echo A=1 >> "$GITHUB_ENV"', 'posix' as const, ['echo']],
  ['the redirect of its block', `{ echo A=1; cat f; } >> \${GITHUB_ENV}`, 'posix' as const, ['echo', 'cat']],
  ['a pipe', 'echo A=1 | tee -a $GITHUB_ENV', 'posix' as const, ['echo', 'tee']],
  ['nothing when it reads', 'grep A "$GITHUB_ENV" < $GITHUB_ENV', 'posix' as const, []],
  ['a redirect of PowerShell', 'echo "A=1" >> $env:GITHUB_ENV', 'powershell' as const, ['echo']],
  ['a pipe of PowerShell', '"A=1" | Out-File -Append $env:GITHUB_ENV', 'powershell' as const, ['a=1', 'out-file']],
  ['a cmdlet', 'if ($x) { Add-Content -Path $env:GITHUB_ENV -Value $y }', 'powershell' as const, ['add-content']],
])('a command writes to a file of the runner by %s', (_name, text, shell, expected) => {
  expect(writingIn(text, shell)).toEqual(expected);
});

test('a pipe is followed for fifty commands', () => {
  const piped = (between: number) => `echo A=1 ${'| cat '.repeat(between)}| tee $GITHUB_ENV`;
  expect(writingIn(piped(48))).toContain('echo');
  expect(writingIn(piped(49))).not.toContain('echo');
});

test('PowerShell has its own escapes, comments and texts', () => {
  const text = 'a "b `" c" <# d; e #> ; f # g\n@"\nh; i\n"@ | j';
  expect(namesIn(text, 'powershell')).toEqual(['a b ` c', 'f', '@\nh; i\n@', 'j']);
  expect(printedIn('$x = Write-Output a\nWrite-Host b\n"c"', 'powershell')).toEqual(['write-host b', 'c']);
});

test('a text of another language has no commands', () => {
  expect(readRun('print("a")', 'other').commands).toEqual([]);
});
