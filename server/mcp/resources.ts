import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { Context } from '../access/context.ts';
import { toProblem } from '../http/error-body.ts';
import { describeCoverage } from './coverage-resource.ts';
import { docsSections, readDocs } from './docs-resource.ts';
import { describeFeatures } from './features-resource.ts';
import { describeGlossary, describeTerm } from './glossary.ts';

const markdown = 'text/markdown';
const hourMs = 3_600_000;
const minuteMs = 60_000;

interface Found {
  text: string;
  mimeType: typeof markdown | 'application/json';
  isPublic: boolean;
}

/** The resources that stand at one address each. */
export const listResources = (): readonly Resource[] => [
  {
    uri: 'das://glossary',
    name: 'glossary',
    title: 'Metrics',
    description: 'All metrics by name.',
    mimeType: markdown,
  },
  ...docsSections().map((section) => ({
    uri: `das://docs/${section}`,
    name: `docs/${section}`,
    title: `Documentation: ${section}`,
    mimeType: markdown,
  })),
  {
    uri: 'das://features',
    name: 'features',
    title: 'Features',
    description: 'What each feature opens, and which of them this access token has.',
    mimeType: 'application/json',
  },
  {
    uri: 'das://coverage',
    name: 'coverage',
    title: 'Data coverage',
    description: 'Which data types of the repositories that the caller sees are stored, and through when.',
    mimeType: 'application/json',
  },
];

export const listResourceTemplates = (): readonly ResourceTemplateType[] => [
  {
    uriTemplate: 'das://glossary/{metric}',
    name: 'metric',
    title: 'Metric',
    description: 'Definition, levels and unit of one metric.',
    mimeType: markdown,
  },
  { uriTemplate: 'das://docs/{+section}', name: 'docs', title: 'Documentation', mimeType: markdown },
];

export async function readResource(uri: string, context: Context): Promise<ReadResourceResult> {
  const found = await findResource(uri, context).catch((error: unknown) => {
    const problem = toProblem(error, context);
    const { code, details } = problem;
    const data = { code, retry_after_s: details?.retry_after_s, request_id: context.requestId };
    throw new ProtocolError(ProtocolErrorCode.InternalError, problem.message, data);
  });
  if (!found) throw new ResourceNotFoundError(uri);
  const { text, mimeType, isPublic } = found;
  return {
    contents: [{ uri, mimeType, text }],
    ttlMs: isPublic ? hourMs : minuteMs,
    cacheScope: isPublic ? 'public' : 'private',
  };
}

async function findResource(uri: string, context: Context): Promise<Found | null> {
  const { groups } = /^das:\/\/(?<kind>[a-z]+)(\/(?<name>[\w/-]+))?$/.exec(uri) ?? {};
  const name = groups?.name;
  switch (groups?.kind) {
    case 'glossary':
      return toPublic(name === undefined ? await describeGlossary(context) : await describeTerm(name, context));
    case 'docs':
      return toPublic(name === undefined ? null : readDocs(name, context));
    case 'features':
      return name === undefined ? toPrivate(await describeFeatures(context)) : null;
    case 'coverage':
      return name === undefined ? toPrivate(await describeCoverage(context)) : null;
    default:
      return null;
  }
}

const toPublic = (text: string | null): Found | null =>
  text === null ? null : { text, mimeType: markdown, isPublic: true };

const toPrivate = (value: object): Found => ({
  text: JSON.stringify(value),
  mimeType: 'application/json',
  isPublic: false,
});
