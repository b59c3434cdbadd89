import { answerDemo, toResponse } from '../../server/http/answer.ts';
import { requestContext } from '../../server/http/router-context.ts';
import type { Route } from './+types/demo-api';

export const loader = async ({ context, request }: Route.LoaderArgs) =>
  toResponse(await answerDemo(context.get(requestContext), request));
