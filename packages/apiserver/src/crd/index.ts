/** CustomResourceDefinitions: checked, named, and turned into kinds. Pure. */
export {
  type ConversionCall,
  ConversionError,
  type ConversionReview,
  type Converter,
  conversionReview,
  convertedObjects,
  relabel,
  webhookConverter,
} from './conversion.ts';
export { crdStrategy, defaultCrd } from './crd-strategy.ts';
export { kindDefinitions } from './kinds.ts';
export { type CrdSurroundings, crdStatus } from './status.ts';
export type { CustomResourceDefinition, PrinterColumn } from './types.ts';
export { validateCrd, validateCrdUpdate } from './validate.ts';
