import type { ReactNode } from 'react';
import type { FeatureKey } from '../../server/access/features.ts';
import { usePageContext } from './page-context.ts';
import { ExcludedPanel } from './panel-failure.tsx';

interface FeatureGateProps {
  flag: FeatureKey;
  /** What the part is called; shown where it is missing. */
  title: string;
  feature: { label: string; shows: string };
  children: ReactNode;
}

/** A part of an answer that has a feature of its own; one line in its place for those who do not have it. */
export function FeatureGate({ flag, title, feature, children }: FeatureGateProps) {
  const { features, hidden } = usePageContext();
  if (hidden.includes(flag)) return <ExcludedPanel title={title} code="hidden" />;
  return features.includes(flag) ? (
    children
  ) : (
    <ExcludedPanel title={title} code="forbidden" flag={flag} feature={feature} />
  );
}
