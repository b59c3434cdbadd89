import type { Overview } from './overview-panels.tsx';

interface RunDay {
  date: string;
  /** Runs that passed or failed; null where those of a repository were not read. */
  total: number | null;
  /** In percent. */
  successRate: number | null;
  partial: boolean;
}

/** Runs of all listed repositories together, by day, oldest first; none where a repository could not be read. */
export function sumRunDays({ repos, repos_failed: failed }: Overview): RunDay[] {
  if (failed.length > 0) return [];
  const days = repos.flatMap(({ summary }) =>
    summary.trend_30d.map((day, index) => ({ ...day, isLast: index === summary.trend_30d.length - 1 })),
  );
  return [...Map.groupBy(days, ({ date }) => date)]
    .map(([date, own]) => {
      const isRead = own.every(({ covered }) => covered);
      const total = own.reduce((sum, day) => sum + day.total, 0);
      const passed = own.reduce((sum, day) => sum + day.success, 0);
      return {
        date,
        total: isRead ? total : null,
        successRate: isRead && total > 0 ? Math.round((100 * passed) / total) : null,
        partial: own.some(({ isLast }) => isLast),
      };
    })
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}
