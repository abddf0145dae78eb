// Runs a bundle in a realm that has JavaScript and what browsers and workers share of the web, and nothing of Node.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const [bundle, input] = process.argv.slice(2);
const context = vm.createContext({ TextEncoder, TextDecoder, atob }, { codeGeneration: { strings: false } });
const module = new vm.SourceTextModule(readFileSync(bundle, 'utf8'), { context });
await module.link((name) => {
  throw new Error(`the bundle imports ${name}`);
});
await module.evaluate();
process.stdout.write(await module.namespace.run(readFileSync(input, 'utf8')));
