// Notes on managed nodes.
import { managedNodeNote } from '@yagura/core/sonar/managed-node-note';
import { noteBehaviour } from '../../resource/note-behaviour.ts';
import { managedNodeBehaviour } from './managed-node-behaviour.ts';

export const managedNodeNoteBehaviour = noteBehaviour(managedNodeNote, managedNodeBehaviour);
