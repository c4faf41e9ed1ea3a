// Notes on items of any resource: rows of `resource` with their author.
import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { Queryable } from '../db/database.ts';
import type { Behaviour } from './behaviour.ts';

/**
 * Behavior of a resource defined by `notesOf`; `parent` is needed when the parent's items are not plain rows
 * or have row-level conditions.
 */
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

/** Deletes the notes of a parent that is not a plain row, in the transaction that deletes the parent. */
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
