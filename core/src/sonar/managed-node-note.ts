// Notes on managed nodes.
import { defineNotes } from '../resource/note.ts';
import { managedNode } from './managed-node.ts';

export const managedNodeNote = defineNotes(managedNode, {
  screen: '/apps/sonar/networks/:networkId/managed-nodes/:managedNodeId/notes',
});
