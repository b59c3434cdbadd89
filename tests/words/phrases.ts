/** Phrases that were replaced, each by the term of the field: none is left in pages, emails, API texts or documents. */
export const replaced: [found: RegExp, then: string][] = [
  [/\bby need of attention\b/i, 'Needs attention'],
  [/\bthe middle (one|time|values?)\b|\bin the middle\b/i, 'median'],
  [/\bwait for (a reviewer|their author|their merge)\b/i, 'Awaiting review, Changes requested, Ready to merge'],
  [/\bit is a draft\b/i, 'Draft'],
  [/\bbots[’'] own included\b|\bbots included\b/i, 'including bots'],
  [/\bkind of (a |the )?repositor/i, 'Visibility'],
  [/\bon the platform\b|\bthe platform\b/i, 'the name of the host, or GitHub'],
  [/\bwhat has been read\b/i, 'Data coverage'],
  [/\btold\b|\bhow it tells\b|\bthe (browser|rules?) tells?\b/i, 'Notify via, Notified, threshold'],
  [/\bof seven runs after the other\b/i, 'Success rate, 7-run rolling'],
  [/\b(runs|minutes|deployments|commits|requests|hours|releases) an? (day|week|month|hour|minute)\b/i, 'per day'],
  [/\b(is|are) not over\b|\bnot over yet\b/i, 'Partial day, Partial week'],
  [/\btime to pass again\b/i, 'Time to recovery'],
  [/\bfor nothing\b/i, 'Wasted spend'],
  [/\bdearest\b/i, 'most expensive first'],
  [/\bthat decided when\b/i, 'Critical-path jobs'],
  [/\bwaited in all\b/i, 'Total wait'],
  [/\bunder way\b|\bleft out\b/i, 'in-progress runs excluded'],
  [/\bfor good\b/i, 'lasting change'],
  [/\bno end so far\b|\bwithout an end so far\b/i, 'In progress'],
  [/\breplaced since\b/i, 'Superseded'],
  [/\bthat no success ended\b/i, 'Failing since'],
  [/\bkept runs?\b|\bruns? (that )?(are|is) kept\b/i, 'Stored runs'],
  [/\bhow it comes\b/i, 'Source'],
  [/\bmore to read\b|\bnot yet to an end\b|\bto an end\b/i, 'Incomplete, Still syncing'],
  [/\bexplore by pointer\b/i, 'Interactive chart'],
  [/\bwhat is watched\b/i, 'Metric'],
  [/\bleast sample\b/i, 'Minimum sample'],
  [/\btry it on\b/i, 'Back-test'],
  [/\bwhen rules fired\b/i, 'Alert history'],
  [/\bletters? (of the day|behind|whose|taken|not taken|yet)\b|\b(a|the|this|test|last|three|no) letters?\b/i, 'email'],
  [/\bmail goes out\b|\bthrough nothing\b/i, 'No email provider configured'],
  [/\bby nobody\b/i, 'AI is off'],
  [/\bstored sealed\b/i, 'encrypted'],
  [/\bsave what I see\b/i, 'Save preferences'],
  [/\brests? on few\b|\bmodules of one person\b/i, 'concentration risk, Single-owner modules'],
  [/\bfor a talk\b/i, 'conversation starter'],
  [/\bfrom a part of what happened\b/i, 'partial data'],
  [/\bis run unseen\b/i, 'Unverified remote script'],
  [/\brules? broken\b/i, 'violations'],
  [/\bthat are gone\b/i, 'including deleted files'],
  [/\btake away\b|\btaken away\b/i, 'Revoke'],
  [/\blast refused\b/i, 'Last denied'],
  [/\bthese are the oldest\b/i, 'End of log'],
  [/\bnothing stands out\b|\bwhat stands out\b/i, 'No anomalies'],
  [/\bmeasured from deployments\b/i, '30 days, from deployments to production'],
  [/\be-mail/i, 'email'],
  [/\b(shelf|shelves|standings?)\b|\bthe ledgers?\b/i, 'cache, sync state, status'],
  [/\bthere is more than is read\b|\bno end yet\b/i, 'Incomplete, and what was loaded'],
  [/\bstand-ins?\b/i, 'fallback'],
  [/\b(no|not) (moment|value) could be judged\b|\btoo few to (say|judge)\b/i, 'sample too small'],
  [/\d%(?![ \d]*\d%)/, 'a space before the sign'],
];

/** What of a text is one of these phrases, with what stands around it and the term to use. */
export function oldPhrases(text: string): string[] {
  const plain = text.replace(/[\s\u00a0]+/g, ' ');
  return replaced.flatMap(([found, then]) => {
    const at = found.exec(plain);
    if (!at) return [];
    const around = plain.slice(Math.max(0, at.index - 60), at.index + at[0].length + 40);
    return [`“${at[0]}” in “…${around}…”: ${then}`];
  });
}
