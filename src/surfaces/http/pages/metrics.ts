// What the server counts, as Prometheus text. Labels are operations and codes of the tables: no text, no ids, bounded in number.

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** A number, or one for each state. */
export type Gauges = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

export interface Metrics {
  record(operation: string, code: string, seconds: number): void;
  text(gauges: Gauges): string;
}

interface Histogram {
  readonly buckets: number[];
  count: number;
  sum: number;
}

export function createMetrics(): Metrics {
  const requests = new Map<string, number>();
  const durations = new Map<string, Histogram>();
  return {
    record(operation, code, seconds) {
      const labels = `operation="${operation}",code="${code}"`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
      const histogram = durations.get(operation) ?? { buckets: bounds.map(() => 0), count: 0, sum: 0 };
      durations.set(operation, histogram);
      histogram.count += 1;
      histogram.sum += seconds;
      bounds.forEach((bound, index) => {
        if (seconds <= bound) histogram.buckets[index] = (histogram.buckets[index] ?? 0) + 1;
      });
    },
    text(gauges) {
      const lines = ['# TYPE galley_requests_total counter'];
      for (const [labels, count] of requests) lines.push(`galley_requests_total{${labels}} ${count}`);
      lines.push('# TYPE galley_request_duration_seconds histogram');
      for (const [operation, histogram] of durations) lines.push(...histogramLines(operation, histogram));
      for (const [name, value] of Object.entries(gauges)) {
        lines.push(`# TYPE ${name} gauge`);
        if (typeof value === 'number') lines.push(`${name} ${value}`);
        else
          for (const [state, count] of Object.entries(value))
            lines.push(`${name}{state="${state}"} ${count}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

function histogramLines(operation: string, { buckets, count, sum }: Histogram): string[] {
  const name = 'galley_request_duration_seconds';
  const label = `operation="${operation}"`;
  return [
    ...bounds.map((bound, index) => `${name}_bucket{${label},le="${bound}"} ${buckets[index]}`),
    `${name}_bucket{${label},le="+Inf"} ${count}`,
    `${name}_sum{${label}} ${sum}`,
    `${name}_count{${label}} ${count}`,
  ];
}
