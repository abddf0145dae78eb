// Properties are checked on the same cases everywhere; GALLEY_SEED tries others.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.GALLEY_SEED ?? 20_261_115) });
