/** The columns of `kubectl get`, as data; printing is not done here. */
import { type AnyCrd, asCrd, type CrdVersion, type PrinterColumn } from './types.ts';

const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
};

/** By version name. The name column, which every table begins with, is not among them. A version without any shows its age. */
export function tableColumns(crd: AnyCrd): Readonly<Record<string, readonly PrinterColumn[]>> {
  return Object.fromEntries(asCrd(crd).spec.versions.map(version => [version.name, columnsOf(version)]));
}

function columnsOf({ additionalPrinterColumns }: CrdVersion): readonly PrinterColumn[] {
  return additionalPrinterColumns?.length ? additionalPrinterColumns : [AGE];
}
