// Text that is to be taken along gets a button that copies it. A browser allows that on https and on localhost alone.
if (navigator.clipboard) for (const text of document.querySelectorAll<HTMLElement>('[data-copy]')) addButton(text);

function addButton(text: HTMLElement) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  status.className = 'muted';
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(text.textContent ?? '').then(
      () => true,
      () => false,
    );
    status.textContent = isCopied ? 'Copied.' : 'Not copied: select it instead.';
  });
  text.after(' ', button, ' ', status);
}
