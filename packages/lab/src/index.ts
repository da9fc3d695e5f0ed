/**
 * `@capstan/lab` breaks things on purpose: an in-process cluster on a stepped clock, faults, and an explorer that runs every crash
 * there can be. For tests only; no package of the product imports it.
 */
export { type Exploration, type ExploreOptions, explore, type Failure, replay, report } from './explore.ts';
export { describeFault, type Fault } from './fault.ts';
export { LabProcess, type RunState } from './process.ts';
export { describeFaults, type ObservedChange, type RunResult, type Scenario, type World } from './run.ts';
export { seededRandom } from './seeded-random.ts';
export { BEGINNING, drained, SteppedClock } from './stepped-clock.ts';
