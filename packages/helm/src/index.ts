/** Charts, values, rendering and releases. */
export * from './charts.ts';
export * from './releases.ts';
