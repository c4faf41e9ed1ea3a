// Notes that people leave on a thing of any kind (spec sections 3 and 7): `{parent}/notes` and `{parent}/notes/{noteId}`.
//
// A room mounts them in three lines, as Sonar does on its managed nodes:
// 1. core: `export const managedNodeNote = notesOf(managedNode, { screen: '…/:managedNodeId/notes' });` and its line in all.ts;
// 2. server: `noteBehaviour(managedNodeNote, managedNodeBehaviour)` in behaviours.ts; the parent may be left out when its
//    items are plain rows that everybody sees;
// 3. web, when it has a screen: the lines of a list and of its forms in routes.ts.
// Who may read the parent may read its notes, and so on: the permissions are the parent's.
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
      title: field.requiredText(100),
      body: field.longText(10_000),
      /** Who wrote it first and who changed it last, as they were called then. */
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
