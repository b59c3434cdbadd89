/** Files that a build does not read, as filters of paths; contract of the advisor, section 2.6. */
const documentation: readonly (readonly [pattern: string, RegExp])[] = [
  ['**/*.md', /\.md$/],
  ['**/*.mdx', /\.mdx$/],
  ['**/*.rst', /\.rst$/],
  ['**/*.adoc', /\.adoc$/],
  ['docs/**', /^docs\//],
  ['LICENSE*', /^LICENSE[^/]*$/],
  ['.github/*_TEMPLATE*', /^\.github\/[^/]*_TEMPLATE[^/]*$/],
  ['CODEOWNERS', /^CODEOWNERS$/],
];

/** The first pattern of documentation that each path matches, each once in their order; null where one matches none. */
export function documentationPatterns(paths: readonly string[]): string[] | null {
  const matched = paths.map((path) => documentation.find(([, matches]) => matches.test(path))?.[0]);
  const patterns = documentation.flatMap(([pattern]) => (matched.includes(pattern) ? pattern : []));
  return matched.includes(undefined) || paths.length === 0 ? null : patterns;
}
