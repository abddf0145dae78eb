// Colour where a person looks, and nowhere else: a pipe, a file and a build's log get plain text.
import pc from 'picocolors';

interface Screen {
  readonly isTTY?: boolean;
}

/** NO_COLOR wins, FORCE_COLOR comes next, then whether anybody is looking. A build server is not a person. */
export function colourWanted(env: NodeJS.ProcessEnv, screen: Screen): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return screen.isTTY === true && env.TERM !== 'dumb';
}

export const colours = pc.createColors(colourWanted(process.env, process.stdout));
