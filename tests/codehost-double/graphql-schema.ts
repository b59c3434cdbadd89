import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, type GraphQLSchema } from 'graphql';

let built: GraphQLSchema | undefined;

/** The platform's published schema; it repeats a field here and there, which only a strict reading minds. */
export function graphqlSchema(): GraphQLSchema {
  built ??= buildSchema(
    readFileSync(
      fileURLToPath(new URL('../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url)),
      'utf8',
    ),
    { assumeValidSDL: true, assumeValid: true, noLocation: true },
  );
  return built;
}
