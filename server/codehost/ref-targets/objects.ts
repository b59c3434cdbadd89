import { z } from 'zod';

/** An annotated tag may be of another one: so many are followed. */
const maxTags = 4;

/** The fields of an object, and of those that it is a tag of. */
const fieldsOf = (tags: number): string =>
  tags === 0 ? '__typename oid' : `__typename oid ... on Tag { target { ${fieldsOf(tags - 1)} } }`;

/** The fields of an object in GraphQL requests. */
export const objectFields = fieldsOf(maxTags);

/** What a tag is of in the end; every other object itself. */
export const peel = (object: WireObject): WireObject => (object.target ? peel(object.target) : object);

export const wireObject = z.object({
  __typename: z.string(),
  oid: z.string(),
  get target() {
    return wireObject.nullish();
  },
});
type WireObject = z.output<typeof wireObject>;
