// Which providers could be used from here, for a look at the state of things. Says whether a key is there, never the key.
import { firstSet } from './http/connection.js';
import { endpoints } from './http/endpoint.js';

export interface ModelFamily {
  readonly name: string;
  readonly title: string;
  /** The variable that holds the key, or the first that could. */
  readonly keyVariable: string;
  readonly needsKey: boolean;
  /** Whether that variable is set. */
  readonly present: boolean;
  /** The variable that moves the address, where it is set. */
  readonly addressVariable?: string;
}

export function modelFamilies(environment: NodeJS.ProcessEnv): readonly ModelFamily[] {
  return endpoints.map(({ name, title, keyVariables, keyOptional, baseUrlVariables }) => {
    const key = firstSet(keyVariables, environment);
    const address = firstSet(baseUrlVariables, environment);
    return {
      name,
      title,
      keyVariable: key?.name ?? keyVariables[0] ?? '',
      needsKey: keyOptional !== true,
      present: key !== undefined,
      ...(address === undefined ? {} : { addressVariable: address.name }),
    };
  });
}
