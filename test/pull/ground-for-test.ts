// The ground of a test, gone with it.
import { onTestFinished } from 'vitest';
import { type GroundOptions, openPullGround, type PullGround } from './pull-ground.js';

export async function pullGround(options?: GroundOptions): Promise<PullGround> {
  const ground = await openPullGround(options);
  onTestFinished(() => ground.close());
  return ground;
}
