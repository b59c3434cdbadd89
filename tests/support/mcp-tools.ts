import { readFileSync, writeFileSync } from 'node:fs';
import { features } from '../../server/access/features.ts';
import type { Access } from '../../server/access/rules.ts';
import type { Tool } from '../../server/mcp/tool.ts';
import { tools } from '../../server/mcp/tools/all.ts';

const page = new URL('../../app/routes/docs/content/open/mcp.md', import.meta.url);
const begin = '<!-- tools: made by `node tests/support/mcp-tools.ts` -->\n';
const end = '<!-- end -->';

/** The table of all tools, as the documentation has it. */
export function toolTable(): string {
  const rows = tools.map((tool) => `| \`${tool.name}\` | ${tool.question} | ${tool.description} | ${needsOf(tool)} |`);
  return ['| Tool | A question | What it answers | Needs |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function needsOf({ needs, operations }: Tool): string {
  if (needs) return needs;
  const labels = new Set(operations.map(({ access }) => labelOf(access)));
  return labels.has(null) ? '–' : [...labels].join(' or ');
}

/** The feature that an operation needs; null where every member may ask. */
function labelOf({ required }: Access): string | null {
  const requirement = required({ url: new URL('http://localhost/') });
  return typeof requirement === 'object' ? features[requirement.feature].label : null;
}

export const documentedTable = (): string => {
  const text = readFileSync(page, 'utf8');
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(end));
};

if (import.meta.main) {
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, text.replace(`${begin}${documentedTable()}`, `${begin}${toolTable()}`));
}
