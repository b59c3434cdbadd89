import { createRoot } from 'react-dom/client';
import { ExplorableLines } from '../components/tremor-charts.tsx';

type Lines = Parameters<typeof ExplorableLines>[0];

/** Draws a trend with which somebody can point and compare; the numbers are those of the drawing from the server. */
export function drawChart(place: HTMLElement, data: Lines): void {
  createRoot(place).render(<ExplorableLines {...data} />);
}
