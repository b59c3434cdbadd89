import { ProgressBar } from '@tremor/react';

/** A share of all, in percent, as a bar; its number stands beside it. */
export const ShareBar = ({ percent }: { percent: number }) => <ProgressBar aria-hidden="true" value={percent} />;
