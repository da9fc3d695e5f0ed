/** Charts, values, rendering and releases. */
export * from './releases.ts';
