// What a form cannot be sent without, and of which there is nothing yet.
import { resources } from '@yagura/core/all';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { inputFields } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import type { ReferenceOptions } from '../../ui/references.ts';
import type { MissingReference } from './form-screen.tsx';

/** Resources that required fields refer to, of which there are no items, and which the user may create. */
export function missingReferences(
  resource: AnyResource,
  options: ReferenceOptions,
  mayCreate: (resource: AnyResource) => boolean,
): MissingReference[] {
  const isEmpty = (name: string) => options[name] && Object.keys(options[name]).length === 0;
  return requiredResources(inputFields(resource)).flatMap(([name, ...others]) => {
    const target = resources.find((known) => known.name === name);
    const isMissing = [name, ...others].every(isEmpty);
    if (!target?.screen || target.path.includes('{') || !isMissing || !mayCreate(target)) return [];
    return [{ noun: target.noun, href: `${target.screen}/new` }];
  });
}

/** For each required reference the names of the resources of which one item will do, the usual one first. */
function requiredResources(
  fields: Record<string, FieldMeta>,
  found = new Map<string, [string, ...string[]]>(),
): [string, ...string[]][] {
  for (const field of Object.values(fields).filter(({ required }) => required)) {
    // With `resourceBy`, a field beside it names the resource.
    const others = field.resourceBy ? (fields[field.resourceBy]?.options ?? []) : [];
    const names: [string, ...string[]] = [field.resource!, ...others];
    if (field.resource) found.set(names.join(' '), names);
    if (field.item) requiredResources({ item: field.item }, found);
    if (field.fields) requiredResources(field.fields, found);
  }
  return [...found.values()];
}
