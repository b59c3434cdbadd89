/** Milliseconds of processor time that work takes in this thread: the same on a busy machine. */
export function processorMs(work: () => unknown): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}
