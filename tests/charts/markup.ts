import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** The HTML of a chart as a page would hold it, ready to be requested. */
export function drawn(chart: ReactElement): HTMLElement {
  const holder = document.createElement('div');
  holder.innerHTML = renderToStaticMarkup(chart);
  return holder;
}

/** The drawing itself, one element a line. */
export function drawing(chart: ReactElement): string {
  const svg = drawn(chart).querySelector('svg[role="img"]');
  if (!svg) throw new Error('no drawing');
  return `${svg.outerHTML.replaceAll('><', '>\n<')}\n`;
}

/** The rows of the table twin, heading first. */
export const tableRows = (chart: HTMLElement): string[][] =>
  [...chart.querySelectorAll('details table tr')].map((row) => [...row.children].map((cell) => cell.textContent ?? ''));

/** What is reported on pointing, one text for each mark. */
export const marks = (chart: HTMLElement): string[] =>
  [...chart.querySelectorAll('svg[role="img"] :is(rect, circle) > title')].map((title) => title.textContent ?? '');
