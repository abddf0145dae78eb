// Runs in a worker or a child process of a test and calls the engine of whoever started it.
import { parentPort } from 'node:worker_threads';
import { connectIpc } from '../connect-ipc.js';

const port = parentPort ?? process;
const client = connectIpc(port);
const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };
const answer = await client.call('agents:assemble', turn);
const refusal = await client
  .call('agents:assemble', { ...turn, maxBytes: -1 })
  .catch((error: unknown) => error);
client.close();

const said = { answer, refusal: JSON.parse(JSON.stringify(refusal)) as unknown };
if (parentPort === null) process.send?.(said, () => process.disconnect());
else parentPort.postMessage(said);
