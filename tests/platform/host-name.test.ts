import { expect, test } from 'vitest';
import { hostName, nameHost } from '../../server/platform/host-name.ts';

const at = (CODEHOST_WEB_URL: string) => ({ CODEHOST_WEB_URL });
const elsewhere = at('https://ghe.acme.example');

test.each([
  ['https://github.com', 'GitHub'],
  ['https://ghe.acme.example', 'ghe.acme.example'],
  ['https://acme.example:8443/git', 'acme.example:8443'],
])('%s is called %s', (address, name) => {
  expect(hostName(at(address))).toBe(name);
});

test.each([
  ['GitHub rejected the token.', 'ghe.acme.example rejected the token.'],
  ['Account not found on GitHub.', 'Account not found on ghe.acme.example.'],
  ['GitHub’s own count.', 'ghe.acme.example’s own count.'],
  ['Minutes of GitHub Actions.', 'Minutes of GitHub Actions.'],
  ['A GitHub App with its own permissions.', 'A GitHub App with its own permissions.'],
  ['A GitHub-hosted runner.', 'A GitHub-hosted runner.'],
  ['Signed as X-GitHub-Event says.', 'Signed as X-GitHub-Event says.'],
])('“%s” becomes “%s”', (sentence, named) => {
  expect(nameHost(sentence, elsewhere)).toBe(named);
  expect(nameHost(sentence, at('https://github.com'))).toBe(sentence);
});
