import type { PageLink } from '../../components/page.tsx';
import type { Chapter } from './blocks.ts';
import { parseChapter } from './markdown.ts';

export interface Section extends Chapter {
  /** The last part of its address, and the name of its file. */
  key: string;
}

/** The chapters in the order of the side list. */
const groups = [
  { label: 'Get started', keys: ['start', 'organization'] },
  { label: 'Read the numbers', keys: ['numbers', 'runs', 'delivery', 'people', 'planning'] },
  {
    label: 'Operate',
    keys: ['configuration', 'container', 'jobs', 'alerts', 'processes', 'retention', 'backup', 'scaling'],
  },
  { label: 'Develop', keys: ['scripts', 'architecture', 'development'] },
];

const files = import.meta.glob<string>('./content/*.md', { query: '?raw', import: 'default', eager: true });

function readSection(key: string): Section {
  const { title, lead, blocks } = parseChapter(files[`./content/${key}.md`] ?? '');
  return { key, title, lead, blocks };
}

/** Groups of chapters with a heading each. */
export const sectionGroups = groups.map(({ label, keys }) => ({ label, sections: keys.map(readSection) }));

/** Every chapter of the documentation. */
export const sections: readonly Section[] = sectionGroups.flatMap((group) => group.sections);

/** A group of links in the side list. */
export interface NavigationGroup {
  label: string;
  links: PageLink[];
}

/** The side list of the documentation, the page at this address marked. */
export function docsNavigation(here: string): NavigationGroup[] {
  const linkTo = (label: string, href: string): PageLink => ({ label, href, current: href === here });
  const all = sectionGroups.map(({ label, sections: chapters }) => ({
    label,
    links: chapters.map(({ key, title }) => linkTo(title, `/docs/${key}`)),
  }));
  all.at(0)?.links.unshift(linkTo('Overview', '/docs'));
  all.at(-1)?.links.unshift(linkTo('API reference', '/docs/api'));
  return all;
}
