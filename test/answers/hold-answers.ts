// While tests run, every answer that passes the one way in is held against the schema its operation publishes.
import { vi } from 'vitest';
import type * as way from '../../src/operations/call.js';

vi.mock('../../src/operations/call.js', async (load) => {
  const { call } = await load<typeof way>();
  return {
    call: async (...[id, request, context]: Parameters<typeof call>) => {
      const answer = await call(id, request, context);
      const { findOperation } = await import('../../src/operations/table.js');
      const held = (await findOperation(id))?.output.safeParse(answer);
      if (held?.success !== true) {
        const [issue] = held?.error.issues ?? [];
        throw new TypeError(`${id} answered what it does not declare: ${JSON.stringify(issue)}`);
      }
      return answer;
    },
  };
});
