#!/usr/bin/env node
import module from 'node:module';

// Compiled code is kept between runs where the runtime can.
module.enableCompileCache?.();
await import('../dist/cli.js');
