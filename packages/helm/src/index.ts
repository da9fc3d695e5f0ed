/** Charts, values, rendering and releases. */
export {};
