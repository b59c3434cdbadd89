import type { PageLink } from '../../components/page.tsx';
import { type Chapter, mapExamples, mapText } from './blocks.ts';
import { parseChapter } from './markdown.ts';

export interface Section extends Chapter {
  /** Its address below `/docs`, and the name of its file. */
  key: string;
}

/** The chapters in the order of the side list. */
const groups = [
  {
    label: 'Get started',
    lead: 'Run it alone with a token, or for an organization.',
    keys: ['start', 'organization'],
  },
  {
    label: 'Read the numbers',
    lead: 'Symbols, definitions and limits of every metric.',
    keys: ['numbers', 'runs', 'delivery', 'people', 'planning', 'exposure', 'ai-authorship'],
  },
  {
    label: 'Operate',
    lead: 'Configuration, jobs, alerts, backup and scaling.',
    keys: ['configuration', 'container', 'jobs', 'alerts', 'processes', 'retention', 'backup', 'scaling'],
  },
  {
    label: 'Open interfaces',
    lead: 'The same numbers in scripts, agents and dashboards.',
    keys: [
      'open/tokens',
      'open/mcp',
      'open/metrics',
      'open/traces',
      'open/badges',
      'open/sharing',
      'open/webhooks',
      'open/feeds',
      'open/portals',
      'scripts',
    ],
  },
  {
    label: 'Develop',
    lead: 'The JSON API, the architecture and the tests.',
    keys: ['architecture', 'development'],
  },
];

const files = import.meta.glob<string>('./content/**/*.md', { query: '?raw', import: 'default', eager: true });

function readSection(key: string): Section {
  const { title, lead, blocks } = parseChapter(files[`./content/${key}.md`] ?? '');
  return { key, title, lead, blocks };
}

const readGroups = () => groups.map(({ label, lead, keys }) => ({ label, lead, sections: keys.map(readSection) }));

let groupsRead: ReturnType<typeof readGroups> | undefined;

/** Groups of chapters with a heading each, read by the first page that shows one: a start does not wait for them. */
function sectionGroups() {
  groupsRead ??= readGroups();
  return groupsRead;
}

/** Every chapter of the documentation. */
export const sections = (): readonly Section[] => sectionGroups().flatMap((group) => group.sections);

/** Chapters about the source code, where GitHub is the product that it is written for. */
const aboutSource = new Set(['architecture', 'development']);

/** What the documentation says of the service that it is read in. */
interface Names {
  /** Puts the name of its host in place of GitHub's. */
  nameHost(text: string): string;
  /** Puts its own address into an example. */
  nameService(example: string): string;
}

/** A chapter for readers of this service. */
export function forReaders(section: Section, { nameHost, nameService }: Names): Section {
  const { key, title, lead, blocks } = section;
  if (aboutSource.has(key)) return section;
  return { key, title, lead: nameHost(lead), blocks: mapExamples(mapText(blocks, nameHost), nameService) };
}

/** A group of links in the side list. */
export interface NavigationGroup {
  label: string;
  /** What its chapters are about. */
  lead: string;
  links: PageLink[];
}

/** The side list of the documentation, the page at this address marked. */
export function docsNavigation(here: string): NavigationGroup[] {
  const linkTo = (label: string, href: string): PageLink => ({ label, href, current: href === here });
  const all = sectionGroups().map(({ label, lead, sections: chapters }) => ({
    label,
    lead,
    links: chapters.map(({ key, title }) => linkTo(title, `/docs/${key}`)),
  }));
  all.at(0)?.links.unshift(linkTo('Overview', '/docs'));
  all.at(1)?.links.splice(1, 0, linkTo('Metrics', '/docs/metrics'));
  all.at(-1)?.links.unshift(linkTo('API reference', '/docs/api'));
  return all;
}
