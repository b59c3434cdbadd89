/** The packages that a command installs for its own use without a version; none for any other command. */
export function unversionedIn(words: readonly string[]): string[] {
  const line = words.join(' ');
  const installer = installers.find(({ start }) => start.test(line));
  if (!installer) return [];
  const command = installer.start.exec(line)?.[0].trim().split(' ') ?? [];
  const options = words.slice(command.length);
  const settles = (word: string) => installer.settled.includes(word.replace(/=.*/, ''));
  if (options.some(settles) || options.includes('--dry-run') || !installer.isMeant(options)) return [];
  return namesIn(options).filter((word) => !isElsewhere(word) && !installer.versioned.test(word));
}

interface Installer {
  start: RegExp;
  /** Options that set, or may set, the version of everything. */
  settled: readonly string[];
  /** How a package names its version, or needs none. */
  versioned: RegExp;
  /** Whether the options install a tool, not what the project depends on. */
  isMeant(options: readonly string[]): boolean;
}

const list = (words: string) => words.split(' ');
const always = () => true;

const ofNode = {
  settled: [],
  versioned: /^.+@(?!(latest|next)$)/,
};

const installers: readonly Installer[] = [
  {
    start: /^(npm|pnpm|bun) (install|i|add) /,
    ...ofNode,
    isMeant: (options) => options.some((word) => /^(-g|--global|--location=global)$/.test(word)),
  },
  { start: /^yarn global add /, ...ofNode, isMeant: always },
  {
    start: /^(python[\d.]* -m )?pip[\d.]* install |^uv pip install /,
    settled: list('-c --constraint --require-hashes --no-index'),
    versioned: /[=<>~!]|@|^(pip|setuptools|wheel)$/,
    isMeant: always,
  },
  {
    start: /^pipx install |^uv tool install /,
    settled: ['--from'],
    versioned: /[=<>~!]|@(?!latest$)/,
    isMeant: always,
  },
  {
    start: /^go install /,
    settled: [],
    versioned: /^[^@]*$|@(?!(latest|main|master|head)$)/i,
    isMeant: always,
  },
  {
    start: /^gem install /,
    settled: list('-v --version -g --file -l --local'),
    versioned: /:\d/,
    isMeant: always,
  },
  {
    start: /^cargo (\+\S+ )?install /,
    settled: list('--version --vers --path --git --list'),
    versioned: /@/,
    isMeant: always,
  },
  {
    start: /^dotnet tool (install|update) /,
    settled: list('--version --local --tool-manifest'),
    versioned: /@/,
    isMeant: always,
  },
];

/** The words that are no options, and no values of options as far as these are known to take none. */
function namesIn(words: readonly string[]): string[] {
  return words.filter(
    (word, index) => /^[^-]/.test(word) && (index === 0 || !mayTakeValue(words[index - 1] as string)),
  );
}

const mayTakeValue = (word: string) => word.startsWith('-') && !word.includes('=') && !plainOption.test(word);
const plainFlags = 'upgrade|quiet|user|pre|system|locked|frozen|global|verbose|silent|yes|all|debug|force|isolated';
const plainOption = new RegExp(
  `^(-[UqvgySDsEf]+|--(${plainFlags})|--(no|force|ignore|allow|break|include|save)-[a-z-]+)$`,
);

/** A path, an address, an archive, a value of an option, or something computed elsewhere. */
const isElsewhere = (word: string) =>
  word.length > 200 ||
  /^[./~\\%]|[$`*<>(){}|]|:\/\/|^\w+\+|\.(whl|tgz|gz|zip|gem|txt)(\[.*\])?$|^(true|false|[\d.]+)$/.test(word);
