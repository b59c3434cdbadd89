import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createRoutesStub } from 'react-router';

/** Draws a part of a page inside the root, from which it knows what holds for the whole page. */
export function drawInRoot(
  part: ReactNode,
  pageContext: {
    now: number;
    zone: string;
    base: string;
    webUrl?: string;
    sharing?: object;
    features?: readonly string[];
  },
  at = '/',
) {
  const known = {
    pages: ['reports'],
    features: ['dataSync'],
    hidden: [],
    ...pageContext,
    hasDatabase: true,
    hostName: 'codehost.example',
  };
  const Root = createRoutesStub([{ id: 'root', path: '*', Component: () => part, loader: () => known }]);
  return render(<Root initialEntries={[at]} hydrationData={{ loaderData: { root: known } }} />);
}
