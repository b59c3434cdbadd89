// Runs by itself beside charts that can be explored: offers the interactive drawing, which is loaded when it is wanted.

for (const figure of document.querySelectorAll<HTMLElement>('[data-interactive-chart]')) offerInteraction(figure);

function offerInteraction(figure: HTMLElement) {
  const data = figure.querySelector('script[type="application/json"]')?.textContent;
  const drawing = figure.querySelector<HTMLElement>('.plot');
  if (!data || !drawing) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain';
  button.textContent = 'Interactive chart';
  const place = document.createElement('div');
  place.hidden = true;
  drawing.after(place, button);
  let isDrawn = false;
  button.addEventListener('click', async () => {
    const isOpening = place.hidden;
    place.hidden = !isOpening;
    drawing.style.display = isOpening ? 'none' : '';
    button.textContent = isOpening ? 'Static chart' : 'Interactive chart';
    if (!isOpening || isDrawn) return;
    isDrawn = true;
    place.style.minHeight = `${figure.dataset.height ?? 200}px`;
    const { drawChart } = await import('./interactive-lines.tsx');
    drawChart(place, JSON.parse(data));
  });
}
