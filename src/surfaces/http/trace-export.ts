// Sends the spans of a server to a collector when the environment asks for it and the official SDK is installed. What cannot be
// sent is dropped: no call waits for a collector, and none fails by it.
import { type ProxyTracerProvider, type TracerProvider, trace } from '@opentelemetry/api';
import { GalleyError } from '../../core/model/error.js';
import { galleyVersion } from '../../core/model/version.js';

export interface TraceExport {
  /** Sends what is left; false when that takes longer than a few seconds, and is given up. */
  close(): Promise<boolean>;
}

/** The few members in use; the packages are there only where somebody installed them. */
interface Sdk {
  NodeTracerProvider: new (
    options: object,
  ) => TracerProvider & { register(): void; shutdown(): Promise<void> };
  BatchSpanProcessor: new (exporter: object) => object;
  OTLPTraceExporter: new () => object;
  resourceFromAttributes(attributes: object): { merge(other: object): object };
  detectResources(options: object): object;
  envDetector: object;
}

/** By protocol; one and the same port of a collector takes both that go over HTTP. */
const exporters: Readonly<Record<string, string>> = {
  'http/json': '@opentelemetry/exporter-trace-otlp-http',
  'http/protobuf': '@opentelemetry/exporter-trace-otlp-proto',
  grpc: '@opentelemetry/exporter-trace-otlp-grpc',
};
/** Versions that belong together, run on Node 20 and are tested here. */
const versions = { sdk: '2.12.0', exporter: '0.223.0' };
const sdkPackages = ['@opentelemetry/sdk-trace-node', '@opentelemetry/resources'];
const lastMs = 3000;

export async function startTraceExport(
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<TraceExport | undefined> {
  const wish = wishIn(environment);
  if (wish === undefined || registered().getDelegateTracer?.('galley') !== undefined) return undefined;
  const exporter = exporters[wish.protocol];
  if (wish.exporter !== 'otlp' || exporter === undefined) {
    say(
      'OTEL_TRACES_EXPORTER can be otlp or none, its protocol http/json, http/protobuf or grpc; no traces are sent.',
    );
    return undefined;
  }
  const packages = [
    ...sdkPackages.map((name) => `${name}@${versions.sdk}`),
    `${exporter}@${versions.exporter}`,
  ];
  try {
    return begin(await loadSdk([...sdkPackages, exporter]));
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    const why = isAbsent ? 'what sends them is not installed' : 'what sends them does not start';
    say(
      `OTEL_* asks for traces, but ${why}; npm install ${packages.join(' ')} beside Galley. No traces are sent.`,
    );
    return undefined;
  }
}

/** Undefined where nobody asked: an address of a collector, or the word otlp, is asking. */
function wishIn(environment: NodeJS.ProcessEnv): { exporter: string; protocol: string } | undefined {
  const setting = (...names: string[]) =>
    names.map((name) => environment[name]?.trim() ?? '').find((value) => value !== '');
  if (setting('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const named = setting('OTEL_TRACES_EXPORTER');
  if (named === 'none') return undefined;
  const address = setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT');
  if (named === undefined && address === undefined) return undefined;
  const protocol = setting('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL');
  return { exporter: named ?? 'otlp', protocol: protocol ?? 'http/json' };
}

/** Found beside Galley only, never in the folder it works in: whoever wrote that must not run code here. */
async function loadSdk(names: readonly string[]): Promise<Sdk> {
  const loaded = await Promise.all(names.map((name) => import(name) as Promise<object>));
  return Object.assign({}, ...loaded) as Sdk;
}

function begin(sdk: Sdk): TraceExport {
  const own = sdk.resourceFromAttributes({ 'service.name': 'galley', 'service.version': galleyVersion });
  // Detectors of processes and hosts would tell paths and names of this machine.
  const resource = own.merge(sdk.detectResources({ detectors: [sdk.envDetector] }));
  const spanProcessors = [new sdk.BatchSpanProcessor(new sdk.OTLPTraceExporter())];
  const provider = new sdk.NodeTracerProvider({ resource, spanProcessors });
  provider.register();
  if (registered().getDelegate?.() !== provider)
    throw new GalleyError('CONFIG_INVALID', 'The SDK speaks an older version of the API of OpenTelemetry.');
  return {
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), lastMs);
      });
      const ended = provider.shutdown().then(
        () => true,
        () => true,
      );
      const isSent = await Promise.race([ended, enough]);
      clearTimeout(timer);
      return isSent;
    },
  };
}

/** Whoever started Node with a provider of their own keeps it. */
function registered(): Partial<ProxyTracerProvider> {
  return trace.getTracerProvider() as Partial<ProxyTracerProvider>;
}
