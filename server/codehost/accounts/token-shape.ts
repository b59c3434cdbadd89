/**
 * Tokens as the platform makes them: with one of its prefixes, at most 255 characters long, or 40 hexadecimal digits
 * as before 2021, which GitHub Enterprise Server may still hold.
 * https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available/
 */
const shape = /^(?:gh[opsu]_\w{20,251}|github_pat_\w{20,244}|[0-9a-f]{40})$/;

/** Whether a text can be a token of the platform, so that it may be sent there. */
export const isTokenShaped = (text: string): boolean => shape.test(text);
