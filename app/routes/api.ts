import { answer, toResponse } from '../../server/http/answer.ts';
import { requestContext } from '../../server/http/router-context.ts';
import type { Route } from './+types/api';

export const loader = async ({ context, request }: Route.LoaderArgs) =>
  toResponse(await answer(context.get(requestContext), request));

export const action = async ({ context, request }: Route.ActionArgs) =>
  toResponse(await answer(context.get(requestContext), request));
