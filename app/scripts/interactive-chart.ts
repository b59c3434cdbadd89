// Runs by itself beside charts that can be explored: offers the interactive drawing, which is loaded when it is wanted.

for (const figure of document.querySelectorAll<HTMLElement>('[data-interactive-chart]')) offerInteraction(figure);

function offerInteraction(figure: HTMLElement) {
  const data = figure.querySelector('script[type="application/json"]')?.textContent;
  const drawing = figure.querySelector('.readable') ?? figure.querySelector('.plot');
  if (!data || !drawing) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain';
  button.textContent = 'Interactive chart';
  button.setAttribute('aria-expanded', 'false');
  const place = document.createElement('div');
  place.hidden = true;
  drawing.after(place);
  figure.querySelector('.chart-notes')?.prepend(button);
  let isDrawn = false;
  // The static chart stays: its band, threshold and marks are on no other.
  button.addEventListener('click', async () => {
    place.hidden = !place.hidden;
    button.textContent = place.hidden ? 'Interactive chart' : 'Hide interactive chart';
    button.setAttribute('aria-expanded', String(!place.hidden));
    if (isDrawn) return;
    isDrawn = true;
    place.style.minHeight = `${figure.dataset.height ?? 200}px`;
    const { drawChart } = await import('./interactive-lines.tsx');
    drawChart(place, JSON.parse(data));
  });
}
