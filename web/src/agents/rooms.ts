// The rooms of this folder as the page knows them, and the turns under way in them. A turn goes on when one looks elsewhere.
import { signal } from '@preact/signals';
import type { AgentEvent } from '../../../src/models/contract/agent-event.js';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call, stream } from '../shell/call.js';
import { project } from '../shell/start.js';
import { begun, heard, type Turn } from './turn.js';

export type Room = AnswerOf<'agents:rooms:list'>['rooms'][number];
export type Message = AnswerOf<'agents:rooms:get'>['messages'][number];

export const rooms = signal<readonly Room[] | undefined>(undefined);
export const turns = signal<Readonly<Record<string, Turn>>>({});
const endings = new Map<string, AbortController>();

/** Asking a store that is not there would make one. */
export async function lookForRooms(): Promise<void> {
  const { projectId, hasStore } = project.value;
  rooms.value = hasStore ? (await call('agents:rooms:list', { projectId })).rooms : [];
}

/** One of them as it is now. */
export function noteRoom(room: Room): void {
  rooms.value = rooms.value?.map((other) => (other.room === room.room ? room : other));
}

export interface NewAgent {
  readonly name: string;
  readonly agentType: string;
  readonly permission: string;
  /** Empty for the usual one. */
  readonly model?: string;
}

export async function openRoom(room: string, task: string, agents: readonly NewAgent[]): Promise<void> {
  const { projectId } = project.value;
  await call('agents:rooms:create', {
    ...{ projectId, room },
    agents: agents.map(({ model, ...agent }) => {
      // A CLI has a usual model of its own; without one it is that of the project.
      const usual = agent.agentType === 'model' ? project.value.model : undefined;
      return { ...agent, ...(model || usual ? { model: model || usual } : {}) };
    }),
    ...(task.trim() === '' ? {} : { task }),
  });
  project.value = { ...project.value, hasStore: true };
  await lookForRooms();
}

interface TurnRequest {
  readonly agent?: string;
  /** A summary in place of an answer. */
  readonly summary?: { readonly keep: number; readonly text?: string; readonly from?: string };
}

/** Resolves when the turn is over, however it ended. */
export async function takeTurn(room: string, { agent, summary }: TurnRequest): Promise<void> {
  const ending = new AbortController();
  endings.set(room, ending);
  let turn = begun({ ...(agent === undefined ? {} : { agent }), sums: summary !== undefined });
  const tell = (next: Turn) => {
    turn = next;
    turns.value = { ...turns.value, [room]: turn };
  };
  tell(turn);
  const request = {
    ...{ projectId: project.value.projectId, room, ...summary },
    ...(agent === undefined ? {} : { agent }),
  };
  try {
    await stream(summary === undefined ? 'agents:rooms:run' : 'agents:rooms:compact', request, {
      signal: ending.signal,
      onText: (text) => tell({ ...turn, text: turn.text + text }),
      onAgent: (event) => tell(heard(turn, event as AgentEvent)),
    });
    tell({ ...turn, standing: 'ended' });
  } catch (error) {
    tell(ending.signal.aborted ? { ...turn, standing: 'cancelled' } : { ...turn, standing: 'failed', error });
  }
}

export function cancelTurn(room: string): void {
  endings.get(room)?.abort();
}
