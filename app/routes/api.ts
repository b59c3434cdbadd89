import { answer } from '../../server/http/answer.ts';
import { requestContext } from '../../server/http/router-context.ts';
import type { Route } from './+types/api';

export const loader = ({ context, request }: Route.LoaderArgs) => answer(context.get(requestContext), request);

export const action = ({ context, request }: Route.ActionArgs) => answer(context.get(requestContext), request);
