/** The wide columns of whatever has a template for Pods. */
import type { KubeObject, PodTemplate, Sparse } from '@capstan/kube';
import type { Column } from './printer.ts';

/** `Containers` and `Images`, of the template that `templateOf` finds in the object. */
export function containerColumns<T extends KubeObject>(
  templateOf: (object: Sparse<T>) => Sparse<PodTemplate> | undefined,
): readonly Column<T>[] {
  const joined = (object: Sparse<T>, field: 'name' | 'image'): string =>
    (templateOf(object)?.spec?.containers ?? []).map(container => container[field] ?? '').join(',');
  return [
    {
      name: 'Containers',
      wide: true,
      description: 'Names of each container in the template.',
      cell: object => joined(object, 'name'),
    },
    {
      name: 'Images',
      wide: true,
      description: 'Images referenced by each container in the template.',
      cell: object => joined(object, 'image'),
    },
  ];
}
