/** The default branch whatever its name, in the word of rulesets: no ref may begin so. */
export const defaultBranchOnly = '~DEFAULT_BRANCH';
