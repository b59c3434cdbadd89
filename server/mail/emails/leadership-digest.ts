import { count, figures } from '../../domain/quantity.ts';
import { compose, type EmailContent, links, type Part, paragraph, points, titled } from './layout.ts';

/** A week of an organization, for those who lead it. */
export interface LeadershipEmailData {
  org: string;
  /** The ISO week, as `2026-W47`. */
  week: string;
  /** It should have been sent on Monday. */
  isDelayed: boolean;
  isTest: boolean;
  /** Repositories that need attention. */
  needAttention: number;
  /** What a language model wrote, and which; `unverified` where it holds a number it was not given; null without one. */
  aiSummary: { text: string; provider: string; model: string; unverified: boolean } | null;
  /** The figures in one sentence. */
  summary: string;
  highlights: string[];
  concerns: string[];
  /** How many repositories have a score, of how many there are. */
  scored: number;
  repositories: number;
  /** Path of the rule that sends this. */
  ruleHref: string;
}

/** The weekly email. Where nothing or a part could be scored it states that first, and not that all is well. */
export function leadershipEmail(data: LeadershipEmailData, appUrl: string): EmailContent {
  const { org, week, isDelayed, isTest, needAttention, summary, highlights, concerns, ruleHref } = data;
  const isKnown = data.scored > 0;
  const isPart = isKnown && data.scored < data.repositories;
  const attention = `${count(needAttention, 'repository needs', 'repositories need')} attention`;
  const scored = isPart ? `, ${figures(data.scored, 0)} of ${figures(data.repositories, 0)} scored` : '';
  const found = [
    paragraph(summary),
    ...(concerns.length > 0 ? [titled('Concerns', points(concerns))] : []),
    ...(highlights.length > 0 ? [titled('Highlights', points(highlights))] : []),
  ];
  return compose({
    appUrl,
    isTest,
    subject: `${org}: ${isKnown ? attention + scored : 'no scores'} (${week})`,
    heading: `${org} in ${week}`,
    parts: [
      ...(isDelayed ? [paragraph('This email is late: it was due on Monday.')] : []),
      ...(isPart ? [paragraph(coverage(data))] : []),
      ...written(data.aiSummary),
      ...(isKnown ? found : [paragraph(`No repository of ${org} could be scored this week.`)]),
      ...(isPart ? [] : [paragraph(coverage(data))]),
      paragraph('You get this every Monday because an alert rule sends it to your address.'),
      links(appUrl, [['Manage this rule', ruleHref]]),
    ],
  });
}

const coverage = ({ scored, repositories }: LeadershipEmailData): string =>
  `${figures(scored, 0)} of ${count(repositories, 'repository', 'repositories')} scored.` +
  (repositories === mostRepositories ? ' Covers the ten most recently pushed repositories.' : '');

/** More of an organization are not scored. */
const mostRepositories = 10;

function written(ai: LeadershipEmailData['aiSummary']): Part[] {
  if (ai === null) return [];
  const doubts = ai.unverified ? [doubt, unverified] : [doubt];
  return [titled(`AI summary (${ai.provider}, ${ai.model})`, paragraph(ai.text, ...doubts))];
}

const doubt = 'Based on the figures below. AI can make mistakes.';
const unverified = 'Unverified: it contains a number that is not in those figures.';
