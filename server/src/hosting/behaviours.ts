// Registers the server-side behavior of each resource.

import type { Resource } from '@yagura/core/resource/define-resource';
import { actionBehaviour } from '../alerthub/actions/action-behaviour.ts';
import { actionRecordBehaviour } from '../alerthub/actions/action-record-behaviour.ts';
import { emailSenderBehaviour } from '../alerthub/actions/email-sender-behaviour.ts';
import { messageBehaviour } from '../alerthub/messages/message-behaviour.ts';
import { messageCountBehaviour } from '../alerthub/messages/message-count-behaviour.ts';
import { replayBehaviour } from '../alerthub/replay/replay-behaviour.ts';
import { retentionBehaviour } from '../alerthub/retention/retention-behaviour.ts';
import { catalogBehaviours } from '../alerthub/rules/catalog-behaviours.ts';
import { ruleBehaviour } from '../alerthub/rules/rule-behaviour.ts';
import { triggerBehaviour } from '../alerthub/rules/trigger-behaviour.ts';
import { runbookBehaviour } from '../alerthub/runbooks/runbook-behaviour.ts';
import { runbookRecordBehaviour } from '../alerthub/runbooks/runbook-record-behaviour.ts';
import { runbookRecordStepBehaviour } from '../alerthub/runbooks/runbook-record-step-behaviour.ts';
import { attributeBehaviour } from '../alerthub/scopes/attribute-behaviour.ts';
import { eventBehaviour } from '../alerthub/scopes/event-behaviour.ts';
import { muteScheduleBehaviour } from '../alerthub/scopes/mute-schedule-behaviour.ts';
import { scopeBehaviour } from '../alerthub/scopes/scope-behaviour.ts';
import { severityBehaviour } from '../alerthub/scopes/severity-behaviour.ts';
import { receiveSlotBehaviour } from '../alerthub/slots/receive-slot-behaviour.ts';
import {
  pricePlanBehaviour,
  subscriptionBehaviour,
  ticketBehaviour,
} from '../contract/contract-behaviour.ts';
import { settingsBehaviour } from '../devtool/settings-behaviour.ts';
import { destinationBehaviour } from '../greac/destination-behaviour.ts';
import { hostKeyBehaviour } from '../greac/host-key-behaviour.ts';
import { logKeyBehaviour } from '../greac/log-key-behaviour.ts';
import { logRetentionBehaviour } from '../greac/log-retention.ts';
import { sessionBehaviour } from '../greac/session-behaviour.ts';
import { sessionLogBehaviour } from '../greac/session-log-behaviour.ts';
import { sessionStorageBehaviour } from '../greac/session-storage-behaviour.ts';
import { credentialBehaviour } from '../kroker/credential-behaviour.ts';
import { credentialNameBehaviour } from '../kroker/credential-name-behaviour.ts';
import { krokerBehaviour } from '../kroker/kroker-behaviour.ts';
import { krokerLogBehaviour } from '../kroker/kroker-log.ts';
import { sealedCredentialBehaviour } from '../kroker/sealed-credential-behaviour.ts';
import { krokerSetupBehaviour } from '../kroker/setup-behaviour.ts';
import { ksocketSlotBehaviour } from '../ksocket/ksocket-slot-behaviour.ts';
import { ksocketTokenBehaviour } from '../ksocket/ksocket-token-behaviour.ts';
import { callflowBehaviour } from '../pigeon/behaviours/callflow-behaviour.ts';
import { chainBehaviour } from '../pigeon/behaviours/chain-behaviour.ts';
import { contactBehaviour } from '../pigeon/behaviours/contact-behaviour.ts';
import { guidanceBehaviour } from '../pigeon/behaviours/guidance-behaviour.ts';
import { lineBehaviour } from '../pigeon/behaviours/line-behaviour.ts';
import { mockPhoneBehaviour } from '../pigeon/behaviours/mock-phone-behaviour.ts';
import { resultBehaviour } from '../pigeon/behaviours/result-behaviour.ts';
import { resultRetentionBehaviour } from '../pigeon/behaviours/result-retention.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { diagramBehaviour, layer2DiagramBehaviour } from '../sonar/behaviours/diagram-behaviour.ts';
import {
  managedNodeBehaviour,
  managedNodeSnapshotBehaviour,
} from '../sonar/behaviours/managed-node-behaviour.ts';
import { managedNodeNoteBehaviour } from '../sonar/behaviours/managed-node-note-behaviour.ts';
import { managedNodePackageBehaviour } from '../sonar/behaviours/managed-node-package-behaviour.ts';
import {
  managedNodeSearchBehaviour,
  managedNodeSearchPageBehaviour,
} from '../sonar/behaviours/managed-node-search-behaviour.ts';
import { managedNodeTagsBehaviour } from '../sonar/behaviours/managed-node-tags-behaviour.ts';
import { managedNodeWindowsUpdateBehaviour } from '../sonar/behaviours/managed-node-windows-update-behaviour.ts';
import { networkBehaviour } from '../sonar/behaviours/network-behaviour.ts';
import { nodeBehaviour } from '../sonar/behaviours/node-behaviour.ts';
import { nodeDecisionBehaviour } from '../sonar/behaviours/node-decision-behaviour.ts';
import { nodePackageBehaviour } from '../sonar/behaviours/node-package-behaviour.ts';
import { nodeWindowsUpdateBehaviour } from '../sonar/behaviours/node-windows-update-behaviour.ts';
import { scanNotificationBehaviour } from '../sonar/behaviours/scan-notification-behaviour.ts';
import { scanRefusalBehaviour } from '../sonar/behaviours/scan-refusal-behaviour.ts';
import { scanSettingsBehaviour } from '../sonar/behaviours/scan-settings-behaviour.ts';
import { snapshotBehaviour } from '../sonar/behaviours/snapshot-behaviour.ts';
import { snapshotDifferenceBehaviour } from '../sonar/behaviours/snapshot-difference-behaviour.ts';
import { tagKeyBehaviour, tagValueBehaviour } from '../sonar/behaviours/tag-key-behaviour.ts';
import { snapshotRetentionBehaviour } from '../sonar/snapshot-retention.ts';
import { apiTokenBehaviour } from '../space/behaviours/api-token-behaviour.ts';
import { auditRecordBehaviour } from '../space/behaviours/audit-behaviour.ts';
import { cancellationBehaviour } from '../space/behaviours/cancellation-behaviour.ts';
import { invitationBehaviour } from '../space/behaviours/invitation-behaviour.ts';
import {
  ipRestrictionBehaviour,
  selfIpAddressBehaviour,
} from '../space/behaviours/ip-restriction-behaviour.ts';
import { mailBehaviour } from '../space/behaviours/mail-behaviour.ts';
import { maxUsersBehaviour } from '../space/behaviours/max-users-behaviour.ts';
import { mfaBehaviour } from '../space/behaviours/mfa-behaviour.ts';
import { passkeyBehaviour } from '../space/behaviours/passkey-behaviour.ts';
import { profileBehaviour } from '../space/behaviours/profile-behaviour.ts';
import { signInSessionBehaviour } from '../space/behaviours/sign-in-session-behaviour.ts';
import { spaceBehaviour } from '../space/behaviours/space-behaviour.ts';
import { spaceUsageBehaviour } from '../space/behaviours/space-usage-behaviour.ts';
import { userAccessBehaviour } from '../space/behaviours/user-access-behaviour.ts';
import { userBehaviour } from '../space/behaviours/user-behaviour.ts';
import { userGroupBehaviour } from '../space/behaviours/user-group-behaviour.ts';
import { taskBehaviour } from '../tasks/task-behaviour.ts';
import { taskScheduleBehaviour } from '../tasks/task-schedule-behaviour.ts';
import type { Services } from './services.ts';

/** Resources without an entry are served from their descriptor alone. */
export const behaviours: readonly Behaviour<Resource, Services>[] = [
  messageBehaviour,
  messageCountBehaviour,
  scopeBehaviour,
  severityBehaviour,
  attributeBehaviour,
  eventBehaviour,
  muteScheduleBehaviour,
  triggerBehaviour,
  ruleBehaviour,
  ...catalogBehaviours,
  replayBehaviour,
  runbookBehaviour,
  runbookRecordBehaviour,
  runbookRecordStepBehaviour,
  receiveSlotBehaviour,
  retentionBehaviour,
  actionBehaviour,
  actionRecordBehaviour,
  destinationBehaviour,
  hostKeyBehaviour,
  sessionBehaviour,
  sessionLogBehaviour,
  sessionStorageBehaviour,
  logKeyBehaviour,
  logRetentionBehaviour,
  krokerBehaviour,
  credentialBehaviour,
  sealedCredentialBehaviour,
  credentialNameBehaviour,
  krokerLogBehaviour,
  krokerSetupBehaviour,
  networkBehaviour,
  managedNodeBehaviour,
  managedNodePackageBehaviour,
  managedNodeWindowsUpdateBehaviour,
  managedNodeNoteBehaviour,
  managedNodeTagsBehaviour,
  snapshotBehaviour,
  snapshotRetentionBehaviour,
  scanRefusalBehaviour,
  snapshotDifferenceBehaviour,
  nodeDecisionBehaviour,
  managedNodeSnapshotBehaviour,
  nodeBehaviour,
  nodePackageBehaviour,
  nodeWindowsUpdateBehaviour,
  diagramBehaviour,
  layer2DiagramBehaviour,
  scanSettingsBehaviour,
  scanNotificationBehaviour,
  tagKeyBehaviour,
  tagValueBehaviour,
  managedNodeSearchBehaviour,
  managedNodeSearchPageBehaviour,
  ksocketSlotBehaviour,
  ksocketTokenBehaviour,
  emailSenderBehaviour,
  contactBehaviour,
  callflowBehaviour,
  guidanceBehaviour,
  resultBehaviour,
  resultRetentionBehaviour,
  lineBehaviour,
  mockPhoneBehaviour,
  chainBehaviour,
  spaceBehaviour,
  profileBehaviour,
  userBehaviour,
  userAccessBehaviour,
  maxUsersBehaviour,
  userGroupBehaviour,
  ipRestrictionBehaviour,
  selfIpAddressBehaviour,
  subscriptionBehaviour,
  pricePlanBehaviour,
  ticketBehaviour,
  apiTokenBehaviour,
  taskBehaviour,
  taskScheduleBehaviour,
  settingsBehaviour,
  invitationBehaviour,
  mailBehaviour,
  mfaBehaviour,
  passkeyBehaviour,
  signInSessionBehaviour,
  auditRecordBehaviour,
  cancellationBehaviour,
  spaceUsageBehaviour,
];
