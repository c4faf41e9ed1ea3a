// Notes of users on any resource: `{parent}/notes` and `{parent}/notes/{noteId}`.
// To add notes to a resource, as Sonar does for its managed nodes:
// 1. core: `export const managedNodeNote = notesOf(managedNode, { screen: '…/:managedNodeId/notes' });` and
// its line in all.ts;
// 2. server: `noteBehaviour(managedNodeNote, managedNodeBehaviour)` in behaviours.ts; omit the parent if its
// items are plain rows visible to everyone;
// 3. web, if it has a screen: the list and form lines in routes.ts.
// Permissions are those of the parent: a user who can read the parent can read its notes.
import { z } from 'zod';
import { type AnyResource, defineResource } from './define-resource.ts';
import * as field from './field.ts';

/** The notes of the items of a resource. */
export function defineNotes(parent: AnyResource, { screen }: { screen?: string } = {}) {
  return defineResource({
    app: parent.app,
    name: `${parent.name}-note`,
    noun: { en: ['note', 'notes'], ja: 'メモ' },
    path: `${parent.itemPath}/notes`,
    ...(screen ? { screen } : {}),
    id: 'noteId',
    title: 'title',
    parent: parent.name,
    shape: z.object({
      noteId: field.uuid(),
      // Id of the item that the note is about; its name is not known to the types.
      ...({ [parent.id]: field.uuid() } as Record<never, never>),
      title: field.requiredText(100),
      body: field.longText(10_000),
      /** Names of the author and of the last editor at that time. */
      createdBy: field.text(100),
      updatedBy: field.text(100),
      createdAt: field.dateTime(),
      updatedAt: field.dateTime(),
    }),
    input: z.object({ title: field.requiredText(100), body: field.longText(10_000).default('') }),
    verbs: ['list', 'create', 'edit', 'remove'],
    columns: ['title', 'body', 'createdBy', 'updatedBy', 'createdAt', 'updatedAt'],
    filterable: ['noteId', 'title', 'createdBy', 'createdAt', 'updatedAt'],
    sortable: ['title', 'createdBy', 'createdAt', 'updatedAt'],
    permission: parent.permission,
  });
}
