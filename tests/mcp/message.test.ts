import { expect, test } from 'vitest';
import { readCall } from '../../server/mcp/message.ts';

test('a call without arguments is read', () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delivery_metrics' } });
  expect(readCall(message)).toMatchObject({ method: 'tools/call', tool: 'delivery_metrics', isBatch: false });
});

test('a message with other parameters is read', () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'docs://x' } });
  expect(readCall(message)).toMatchObject({ method: 'resources/read', tool: null });
});
