interface Reading {
  label: string;
  value: string;
}

/** What stands beside every number. */
const signs: readonly Reading[] = [
  { label: '–', value: 'The number cannot be said. The reason is told beside it. It is never shown as zero.' },
  { label: '≈', value: 'Estimated: something else stands in for what is meant, and the card says what.' },
  { label: 'at least', value: 'More exists than could be read, so the true number is this or higher.' },
  {
    label: '95 % between',
    value: 'Where the true value lies with 95 % confidence. A wide span means that few cases stand behind it.',
  },
  {
    label: 'Evidence',
    value: 'The linked name of a number opens what was counted, and what was left out and why.',
  },
  {
    label: 'Decimals',
    value: 'A rate of counts that are known has one from a sample of 200 on; below it would be noise.',
  },
  { label: 'Days', value: 'Cut in the team’s time zone, which every chart names. A hatched day has not been read.' },
];

const ofRuns: readonly Reading[] = [
  { label: 'Passed', value: 'Ended as success.' },
  { label: 'Failed', value: 'Ended as failure, timed out, or failed to start.' },
  { label: 'Left out', value: 'Cancelled, skipped, neutral and stale runs count neither as passed nor as failed.' },
  { label: 'Duration', value: 'From the start to the end of the latest attempt.' },
  {
    label: 'Queue wait',
    value: 'From creation to start, for first attempts only: a re-run keeps the creation time of its run.',
  },
  {
    label: 'Health',
    value:
      '60 % share of passes among the last ten runs, 40 % among the last three, on the default branch. 80 and more is good, 60 and more fair. It needs three runs.',
  },
];

const ofDelivery: readonly Reading[] = [
  {
    label: 'Measured or estimated',
    value:
      'Measured from deployments to production of 30 days where at least five ended. Else estimated from releases, merges and pull requests of 90 days.',
  },
  {
    label: 'Deployment frequency',
    value:
      'Successful deployments a day. Estimated, it counts releases, or merges where nothing was released. The tier goes by workdays.',
  },
  {
    label: 'Lead time to merge',
    value: 'From the first commit of a pull request to its merge, not to production: the median, without bots.',
  },
  {
    label: 'Change failure rate',
    value:
      'Failed deployments of those that ended. Estimated, reverts and hotfixes of all merged pull requests, known by title, label or branch.',
  },
  {
    label: 'Time to restore',
    value:
      'From the first failure to the next success in the same environment. Estimated, how long a revert or hotfix was open.',
  },
  {
    label: 'Tiers',
    value:
      'Elite, high, medium and low are the clusters of the DORA report of 2023, which DORA retired in 2025. Where too little stands behind a number it has none.',
  },
  {
    label: 'Open pull requests',
    value:
      'Each waits for a review, for its author after a review that asks for something, or for its merge when approved. A draft waits for nobody.',
  },
  {
    label: 'Time to first review',
    value:
      'From when a review could begin – creation, the end of drafting or the request, whichever is last – to the first by a person other than the author. Nights and weekends count.',
  },
];

const ofPeople: readonly Reading[] = [
  {
    label: 'Order',
    value: 'By name unless you sort otherwise. Bots stand apart; linked accounts are one person.',
  },
  {
    label: 'Wait before review',
    value: 'The same clock for one reviewer, on average: how long others waited for their first review.',
  },
  {
    label: 'Bus factor',
    value:
      'The fewest people who together wrote 80 % of the commits on the default branch in 90 days. It tells who wrote lately, not who understands.',
  },
  {
    label: 'Workload',
    value:
      'Starting points for a talk, not verdicts: many commits outside the workday or on weekends, many open pull requests, a sudden silence. The page names each limit.',
  },
];

const ofPlanning: readonly Reading[] = [
  { label: 'Backlog', value: 'Issues opened less those closed in the window. Pull requests are no issues.' },
  { label: 'Unanswered', value: 'Open for two weeks or more without a comment.' },
  { label: 'Stale', value: 'Open without an update for 30 days.' },
  {
    label: 'Health score',
    value:
      'Of a repository in its organization: 60 % delivery by its worst known key, 40 % bus factor. From 80 healthy, from 50 worth watching; with a bus factor of one never above 70.',
  },
];

/** The sections that explain numbers, in the order of the tabs; each has an address of its own. */
export const sections: readonly { key: string; title: string; lead: string; readings: readonly Reading[] }[] = [
  { key: 'numbers', title: 'How to read the numbers', lead: 'The signs that stand beside a number.', readings: signs },
  {
    key: 'runs',
    title: 'Workflow runs',
    lead: 'What counts as passed, how long a run takes, and health.',
    readings: ofRuns,
  },
  {
    key: 'delivery',
    title: 'Delivery and pull requests',
    lead: 'The DORA metrics and the waits of pull requests.',
    readings: ofDelivery,
  },
  { key: 'people', title: 'People', lead: 'What is counted per person, and what it does not say.', readings: ofPeople },
  {
    key: 'planning',
    title: 'Issues and organizations',
    lead: 'The backlog of issues, and the health score of a repository.',
    readings: ofPlanning,
  },
];
