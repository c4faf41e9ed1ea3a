// The server's half of every resource, in the order of core's list.
import { muteScheduleBehaviour } from './alerthub/mute-behaviour.ts';
import { actionRecordBehaviour, eventBehaviour, messageBehaviour } from './alerthub/record-behaviour.ts';
import {
  actionBehaviour,
  receiveSlotBehaviour,
  ruleBehaviour,
  ruleOperatorBehaviour,
  triggerBehaviour,
  triggerConditionBehaviour,
} from './alerthub/rule-behaviour.ts';
import { attributeBehaviour, scopeBehaviour, severityBehaviour } from './alerthub/scope-behaviour.ts';
import type { Behaviour } from './resource/behaviour.ts';
import { invitationBehaviour } from './space/invitation-behaviour.ts';
import { mailBehaviour } from './space/mail-behaviour.ts';
import { apiTokenBehaviour, profileBehaviour, spaceBehaviour } from './space/space-behaviour.ts';
import { taskBehaviour, taskScheduleBehaviour } from './work/task-behaviour.ts';

/** A resource of core's list without a line here is served from its descriptor alone. */
export const behaviours: readonly Behaviour[] = [
  messageBehaviour,
  scopeBehaviour,
  severityBehaviour,
  attributeBehaviour,
  eventBehaviour,
  muteScheduleBehaviour,
  triggerBehaviour,
  triggerConditionBehaviour,
  ruleBehaviour,
  ruleOperatorBehaviour,
  receiveSlotBehaviour,
  actionBehaviour,
  actionRecordBehaviour,
  spaceBehaviour,
  profileBehaviour,
  apiTokenBehaviour,
  taskBehaviour,
  taskScheduleBehaviour,
  invitationBehaviour,
  mailBehaviour,
];
