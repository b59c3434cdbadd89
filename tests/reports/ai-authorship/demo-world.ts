import type { OpenedPullRequests } from '../../../server/reports/ai-authorship/demo-opened.ts';

/** Repositories as the sample organization has them: four busy ones, three quiet ones and an empty one. */
export const openedInSample: OpenedPullRequests = new Map(
  [139, 98, 100, 125, 3, 4, 10, 0].map((count, index) => {
    const byMachines = Math.round(count / 10);
    return [610_000 + index, () => ({ byPeople: count - byMachines, byMachines })];
  }),
);
