// Notes on things of any kind: rows of `resource` that know who wrote them.
import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { Queryable } from '../db/database.ts';
import type { Behaviour } from './behaviour.ts';

/** The behaviour of a resource made by `notesOf`; `parent` when the parent's items are not plain rows, or not everybody's. */
export function noteBehaviour(note: AnyResource, parent?: Behaviour): Behaviour {
  return {
    resource: note,
    ...(parent ? { parent } : {}),
    body: ({ principal }, input, before) => ({
      ...input,
      createdBy: before?.createdBy ?? principal.displayName,
      updatedBy: principal.displayName,
    }),
  };
}

/** Removes the notes of a parent that is not a plain row, in the transaction that removes it. */
export async function removeNotes(
  tx: Queryable,
  note: AnyResource,
  spaceId: string,
  parentIds: readonly string[],
): Promise<void> {
  await tx.query('delete from resource where space_id = $1 and kind = $2 and parent_id = any($3::uuid[])', [
    spaceId,
    note.name,
    parentIds,
  ]);
}
