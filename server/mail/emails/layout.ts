import { html, type Markup } from '../html.ts';

/**
 * A text that stays within its line: no control characters, no line ends of any script, no marks that change the
 * direction of writing.
 */
export const oneLine = (text: string): string => text.replace(breaking, ' ').replace(/ {2,}/g, ' ').trim();

const breaking = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The content of an email, in both of its parts. */
export interface EmailContent {
  subject: string;
  text: string;
  html: string;
}

/** A part of an email, once in plain text and once in HTML. */
export interface Part {
  text: string;
  html: Markup;
}

interface Composed {
  subject: string;
  heading: string;
  parts: readonly Part[];
  /** The public address of the service: the only place that links lead to. */
  appUrl: string;
  /** A test email: it states that in its subject and before anything else. */
  isTest?: boolean;
}

export const productName = 'Delivery Analytics';

/** Builds an email: one column of at most 640 pixels, nothing that is loaded from anywhere. */
export function compose({ subject, heading, parts, appUrl, isTest = false }: Composed): EmailContent {
  const title = oneLine(isTest ? `Test: ${subject}` : subject);
  const all = isTest ? [testNote, ...parts] : parts;
  const sender = `Sent by ${productName} at ${appUrl}`;
  return {
    subject: title,
    text: `${[oneLine(heading), ...all.map(({ text }) => text), `-- \n${sender}`].join('\n\n')}\n`,
    html: page(title, oneLine(heading), all, sender).markup,
  };
}

const page = (title: string, heading: string, parts: readonly Part[], sender: string): Markup =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background-color: #14181d !important; }
  .sheet { background-color: #1d2229 !important; border-color: #39414c !important; }
  .ink { color: #e8ebef !important; }
  .quiet { color: #a9b3c0 !important; }
  .line { border-color: #39414c !important; }
  .link { color: #8fc1ff !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f5f7;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background-color:#f3f5f7;">
<tr><td align="center" style="padding:16px 8px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="sheet" style="max-width:640px;background-color:#ffffff;border:1px solid #d6dbe1;">
<tr><td style="padding:20px 16px 4px;"><p class="quiet" style="${base}margin:0 0 4px;font-size:13px;color:#55606e;">${productName}</p>
<h1 class="ink" style="${base}margin:0;font-size:20px;line-height:1.3;font-weight:600;color:#1b2430;">${heading}</h1></td></tr>
${parts.map((part) => html`<tr><td style="padding:10px 16px;">${part.html}</td></tr>\n`)}
<tr><td class="line" style="padding:12px 16px 16px;border-top:1px solid #d6dbe1;"><p class="quiet" style="${base}margin:0;font-size:12px;color:#55606e;">${sender}</p></td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;

const base = 'font-family:Helvetica,Arial,sans-serif;line-height:1.45;overflow-wrap:anywhere;';
const wrap = 'overflow-wrap:break-word;';
const ink = `${base}font-size:15px;color:#1b2430;`;

/** Running text; several lines stay apart. */
export const paragraph = (...lines: readonly string[]): Part => {
  const [first = '', ...others] = lines.map(oneLine);
  return {
    text: [first, ...others].join('\n'),
    html: html`<p class="ink" style="${ink}margin:0;">${first}${others.map((line) => html`<br>${line}`)}</p>`,
  };
};

/** What was found, side by side with what it is. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): Part {
  const items = rows.map(([name, value]) => [name, oneLine(value)] as const);
  return {
    text: items.map(([name, value]) => `${name}: ${value}`).join('\n'),
    html: html`<table cellpadding="0" cellspacing="0" border="0" width="100%">${items.map(
      ([name, value]) =>
        html`<tr><th class="quiet" scope="row" align="left" valign="top" style="${base}width:34%;padding:5px 8px 5px 0;font-size:14px;font-weight:400;color:#55606e;">${name}</th><td class="ink" valign="top" style="${ink}padding:5px 0;">${value}</td></tr>`,
    )}</table>`,
  };
}

/** A part under a heading of its own. */
export const titled = (heading: string, part: Part): Part => ({
  text: `${oneLine(heading)}\n${part.text}`,
  html: html`<h2 class="ink" style="${ink}margin:0 0 4px;font-size:16px;font-weight:600;">${oneLine(heading)}</h2>${part.html}`,
});

export function points(lines: readonly string[]): Part {
  const items = lines.map(oneLine);
  return {
    text: items.map((line) => `- ${line}`).join('\n'),
    html: html`<ul style="margin:0;padding:0 0 0 20px;">${items.map(
      (line) => html`<li class="ink" style="${ink}padding:2px 0;">${line}</li>`,
    )}</ul>`,
  };
}

/** Rows under headings, the first a name of any length that may break anywhere; in plain text each row is one line. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): Part {
  const cell = (text: string, index: number) =>
    html`<td class="ink line" valign="top" style="${ink}${index === 0 ? null : wrap}font-size:14px;padding:6px 8px 6px 0;border-top:1px solid #d6dbe1;">${text}</td>`;
  const lines = rows.map((row) => row.map(oneLine));
  return {
    text: [headings.join(' · '), ...lines.map((row) => row.join(' · '))].join('\n'),
    html: html`<table cellpadding="0" cellspacing="0" border="0" width="100%"><tr>${headings.map(
      (heading) =>
        html`<th class="quiet" scope="col" align="left" valign="bottom" style="${base}${wrap}padding:0 8px 6px 0;font-size:13px;font-weight:400;color:#55606e;">${heading}</th>`,
    )}</tr>${lines.map((row) => html`<tr>${row.map(cell)}</tr>`)}</table>`,
  };
}

/** Where to go on, by paths of the service: whatever leads elsewhere leads to its start page instead. */
export function links(appUrl: string, targets: readonly (readonly [label: string, href: string])[]): Part {
  const items = targets.map(([label, href]) => [label, within(appUrl, href)] as const);
  return {
    text: items.map(([label, url]) => `${label}: ${url}`).join('\n'),
    html: html`<p style="${base}margin:0;font-size:15px;">${items.map(
      ([label, url], index) =>
        html`${index === 0 ? null : html`<br>`}<a class="link" href="${url}" style="color:#0b57b8;text-decoration:underline;">${label}</a>`,
    )}</p>`,
  };
}

function within(appUrl: string, href: string): string {
  const url = URL.parse(href, appUrl);
  return url?.origin === new URL(appUrl).origin ? url.href : appUrl;
}

const testNote = paragraph('This is a test with sample values.');
