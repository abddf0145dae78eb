// How the provider's count of a text stands to ours, learned from what it reported; an estimate gets better with each run.

export interface Calibration {
  factor(): number;
  learn(counted: number, reported: number): void;
}

const remembered = 8;
const widest = 4;

export function createCalibration(): Calibration {
  const runs: { counted: number; reported: number }[] = [];
  return {
    factor() {
      const counted = runs.reduce((sum, run) => sum + run.counted, 0);
      const reported = runs.reduce((sum, run) => sum + run.reported, 0);
      return counted === 0 ? 1 : reported / counted;
    },
    learn(counted, reported) {
      const factor = reported / counted;
      // A count that is far off was not a count of this text.
      if (!(factor >= 1 / widest && factor <= widest)) return;
      runs.push({ counted, reported });
      if (runs.length > remembered) runs.shift();
    },
  };
}
