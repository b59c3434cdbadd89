import { z } from 'zod';
import type { Operation } from '../../server/api/operation.ts';
import { searched } from '../../server/api/parameters.ts';
import { findRejected, type Panel, type PanelRequest, panel } from '../../server/http/adapters.ts';

/** All rows of an operation, whose filter by name the page applies to its table; a name that is none is refused. */
export async function panelOfAllNames<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  request: PanelRequest,
): Promise<Panel<z.output<Out>>> {
  return (
    findRejected(request, nameChoice) ?? panel(operation, { ...request, extra: { ...request.extra, q: undefined } })
  );
}

const nameChoice = z.object({ q: searched.optional() });
