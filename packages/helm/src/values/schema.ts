import type { Chart } from '../chart/chart.ts';
import type { Values } from './values.ts';

/** placeholder */
export function validateValues(_chart: Chart, _values: Values, _warn: (message: string) => void): void {}
