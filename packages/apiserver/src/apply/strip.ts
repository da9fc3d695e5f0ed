/** Fields that the server sets for every object and that therefore nobody manages. */
import { difference, type FieldSet, setOf } from './fieldset.ts';
import { fieldElement } from './path-element.ts';

const metadata = (name: string): string[] => [fieldElement('metadata'), fieldElement(name)];

const NOBODYS: FieldSet = setOf(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  metadata('name'),
  metadata('namespace'),
  metadata('creationTimestamp'),
  metadata('selfLink'),
  metadata('uid'),
  metadata('clusterName'),
  metadata('generation'),
  metadata('managedFields'),
  metadata('resourceVersion'),
);

export function stripNobodys(set: FieldSet): FieldSet {
  return difference(set, NOBODYS);
}
