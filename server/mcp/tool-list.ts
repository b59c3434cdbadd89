import type { Tool as McpTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Context } from '../access/context.ts';
import { offers } from '../access/decision.ts';
import { ToolAnswer } from './result.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools/all.ts';

/** The tools of which the caller may use a part, in their fixed order. */
export async function offeredTools(context: Context): Promise<readonly Tool[]> {
  const actor = await context.actor();
  return tools.filter(({ operations }) => operations.some(({ access }) => offers(access, context, actor)));
}

/** JSON Schema 2020-12 without references, as the descriptions of the API have it. */
const schemaOf = (schema: z.ZodObject, io: 'input' | 'output') =>
  z.toJSONSchema(z.strictObject(schema.shape), {
    target: 'draft-2020-12',
    io,
    override: simplify,
  }) as McpTool['inputSchema'];

function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema & { override?: object } }): void {
  const { override } = jsonSchema;
  delete jsonSchema.override;
  Object.assign(jsonSchema, override);
  // The format says it, in a hundredth of the length.
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
}

const outputSchema = schemaOf(ToolAnswer, 'output') as McpTool['outputSchema'];

const described = new Map<Tool, McpTool>(
  tools.map((tool) => [
    tool,
    {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: schemaOf(tool.input, 'input'),
      outputSchema,
      annotations: {
        title: tool.title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        // The texts of third parties come in.
        openWorldHint: true,
      },
    },
  ]),
);

export const describeTool = (tool: Tool): McpTool => described.get(tool) as McpTool;
