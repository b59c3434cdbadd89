import {
  execute,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { between, hexDigits, pickOne } from '../../server/demo/random.ts';
import { type RandomStream, randomStream } from '../../server/metrics/kernel/random-stream.ts';
import { graphqlSchema } from './graphql-schema.ts';
import {
  chance,
  listOf,
  randomAddress,
  randomDate,
  randomInstant,
  randomInteger,
  randomText,
} from './random-values.ts';

/** A random answer that the platform's schema allows for a query; throws for a query that it does not. */
export async function randomData(
  query: string,
  variables: Record<string, unknown>,
  seed: string,
): Promise<{ data: Record<string, unknown> }> {
  const schema = graphqlSchema();
  const document = parse(query);
  const [fault] = validate(schema, document);
  if (fault) throw fault;
  const random = randomStream(seed);
  const { data, errors } = await execute({
    schema,
    document,
    variableValues: variables,
    rootValue: {},
    fieldResolver: (_source, _given, _context, { returnType, fieldName, path }) =>
      made(random, returnType, fieldName, path.prev === undefined ? 0.03 : 0.12),
    typeResolver: (value) => (value as { __typename: string }).__typename,
  });
  if (errors?.[0]) throw errors[0];
  return { data: { ...data } };
}

function made(random: RandomStream, type: GraphQLOutputType, field: string, nulls: number): unknown {
  if (isNonNullType(type)) return made(random, type.ofType, field, 0);
  if (chance(random, nulls)) return null;
  if (isListType(type)) return listOf(random, 4, () => made(random, type.ofType, field, 0.05));
  if (isObjectType(type)) return { __typename: type.name };
  if (isAbstractType(type)) return { __typename: pickOne(random, graphqlSchema().getPossibleTypes(type)).name };
  if (isEnumType(type)) return pickOne(random, type.getValues()).value;
  return scalarOf(random, type, field);
}

function scalarOf(random: RandomStream, { name }: GraphQLNamedType, field: string): unknown {
  if (field === 'hasNextPage') return chance(random, 0.2);
  if (name === 'Boolean') return chance(random, 0.5);
  if (name === 'Int') return randomInteger(random, field, -(2 ** 31), 2 ** 31 - 1);
  if (name === 'Float') return between(random, 0, 400) / 4;
  if (name === 'DateTime' || name === 'PreciseDateTime' || name === 'GitTimestamp') return randomInstant(random);
  if (name === 'Date') return randomDate(random);
  if (name === 'URI') return randomAddress(random);
  if (name === 'GitObjectID') return hexDigits(String(random()), 40);
  if (name === 'BigInt') return String(randomInteger(random, field, 0, Number.MAX_SAFE_INTEGER));
  return randomText(random, field);
}
