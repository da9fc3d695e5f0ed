#!/usr/bin/env node
// `capstan`, from the bundle where there is one that fits the sources, else from the sources themselves: an edit needs no build
// step, and a start that nothing was edited before is fast.
import { enableCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { freshBundle } from './sources.mjs';

enableCompileCache();
const bundle = freshBundle();
await import(bundle === undefined ? '../src/capstan.ts' : pathToFileURL(bundle).href);
