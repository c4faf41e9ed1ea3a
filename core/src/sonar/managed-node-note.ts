// What people write down about a managed node.
import { notesOf } from '../resource/note.ts';
import { managedNode } from './managed-node.ts';

export const managedNodeNote = notesOf(managedNode, {
  screen: '/apps/sonar/networks/:networkId/managed-nodes/:managedNodeId/notes',
});
