// List of all resources. Everything derived starts here; a new resource needs one line.
import { action } from './alerthub/action.ts';
import { actionRecord } from './alerthub/action-record.ts';
import { emailActionSenderSetting } from './alerthub/email-action-sender-setting.ts';
import { event } from './alerthub/event.ts';
import { message } from './alerthub/message.ts';
import { messageCount } from './alerthub/message-count.ts';
import { muteSchedule } from './alerthub/mute-schedule.ts';
import { notificationSettingEmail } from './alerthub/notification-setting-email.ts';
import { receiveSlot } from './alerthub/receive-slot.ts';
import { replay } from './alerthub/replay.ts';
import { retentionSettings } from './alerthub/retention-settings.ts';
import { rule, ruleOperator } from './alerthub/rule.ts';
import { runbook, runbookBranchCondition, runbookOperator } from './alerthub/runbook.ts';
import { runbookRecord, runbookRecordStep } from './alerthub/runbook-record.ts';
import { attribute, scope, severity } from './alerthub/scope.ts';
import {
  trigger,
  triggerCondition,
  triggerOperator,
  triggerRelatedMessageFilter,
} from './alerthub/trigger.ts';
import { pricePlan, subscription, ticket } from './contract/subscription.ts';
import { destination } from './greac/destination.ts';
import { hostKey } from './greac/host-key.ts';
import { logKey } from './greac/log-key.ts';
import { logRetention } from './greac/log-retention.ts';
import { session, sessionLog, sessionStorage } from './greac/session.ts';
import { credential, credentialName, sealedCredential } from './kroker/credential.ts';
import { kroker } from './kroker/kroker.ts';
import { krokerLog } from './kroker/kroker-log.ts';
import { krokerNotification } from './kroker/kroker-notification.ts';
import { krokerSetup } from './kroker/kroker-setup.ts';
import { ksocketSlot } from './ksocket/ksocket-slot.ts';
import { ksocketToken } from './ksocket/ksocket-token.ts';
import { callflow } from './pigeon/callflow.ts';
import { chain } from './pigeon/chain.ts';
import { contact } from './pigeon/contact.ts';
import { guidance } from './pigeon/guidance.ts';
import { mockPhone } from './pigeon/mock-phone.ts';
import { pigeonNotificationSetting } from './pigeon/notification-setting.ts';
import { phoneLine } from './pigeon/phone-line.ts';
import { result } from './pigeon/result.ts';
import { resultRetention } from './pigeon/result-retention.ts';
import type { AnyResource } from './resource/define-resource.ts';
import { diagram, layer2Diagram } from './sonar/diagram/diagram.ts';
import {
  managedNode,
  managedNodePackage,
  managedNodeSnapshot,
  managedNodeTags,
  managedNodeWindowsUpdate,
  nodeDecision,
  tagKey,
  tagValue,
} from './sonar/managed-node.ts';
import { managedNodeNote } from './sonar/managed-node-note.ts';
import { managedNodeSearch, managedNodeSearchPage } from './sonar/managed-node-search.ts';
import { network } from './sonar/network.ts';
import { scanNotification } from './sonar/scan-notification.ts';
import { scanSettings } from './sonar/scan-settings.ts';
import {
  node,
  nodePackage,
  nodeWindowsUpdate,
  scanRefusal,
  snapshot,
  snapshotDifference,
} from './sonar/snapshot.ts';
import { snapshotRetention } from './sonar/snapshot-retention.ts';
import { apiToken } from './space/api-token.ts';
import { auditRecord } from './space/audit-record.ts';
import { cancellation, spaceUsage } from './space/cancellation.ts';
import { settings } from './space/client-settings.ts';
import { invitation } from './space/invitation.ts';
import { ipRestriction, selfIpAddress } from './space/ip-restriction.ts';
import { mail } from './space/mail.ts';
import { mfa } from './space/mfa.ts';
import { passkey } from './space/passkey.ts';
import { profile } from './space/profile.ts';
import { signInSession } from './space/sign-in-session.ts';
import { space } from './space/space.ts';
import { maxUsers, user, userAccess } from './space/user.ts';
import { userGroup } from './space/user-group.ts';
import { task } from './tasks/task.ts';
import { taskSchedule } from './tasks/task-schedule.ts';

export const resources: readonly AnyResource[] = [
  message,
  messageCount,
  scope,
  severity,
  attribute,
  event,
  muteSchedule,
  trigger,
  triggerCondition,
  triggerOperator,
  triggerRelatedMessageFilter,
  rule,
  ruleOperator,
  replay,
  runbook,
  runbookOperator,
  runbookBranchCondition,
  runbookRecord,
  runbookRecordStep,
  receiveSlot,
  action,
  actionRecord,
  destination,
  hostKey,
  session,
  sessionLog,
  sessionStorage,
  logKey,
  logRetention,
  kroker,
  credential,
  sealedCredential,
  credentialName,
  krokerLog,
  krokerNotification,
  krokerSetup,
  network,
  managedNode,
  managedNodePackage,
  managedNodeWindowsUpdate,
  managedNodeNote,
  nodeDecision,
  managedNodeTags,
  snapshot,
  scanRefusal,
  snapshotDifference,
  snapshotRetention,
  managedNodeSnapshot,
  node,
  nodePackage,
  nodeWindowsUpdate,
  diagram,
  layer2Diagram,
  scanSettings,
  scanNotification,
  tagKey,
  tagValue,
  managedNodeSearch,
  managedNodeSearchPage,
  ksocketSlot,
  ksocketToken,
  notificationSettingEmail,
  emailActionSenderSetting,
  retentionSettings,
  contact,
  callflow,
  guidance,
  result,
  resultRetention,
  phoneLine,
  mockPhone,
  chain,
  pigeonNotificationSetting,
  space,
  profile,
  user,
  userAccess,
  cancellation,
  spaceUsage,
  maxUsers,
  userGroup,
  ipRestriction,
  selfIpAddress,
  apiToken,
  subscription,
  pricePlan,
  ticket,
  task,
  taskSchedule,
  settings,
  invitation,
  mail,
  mfa,
  passkey,
  signInSession,
  auditRecord,
];

/** The resource with this name; throws if there is none. */
export function resourceNamed(name: string): AnyResource {
  const found = resources.find((resource) => resource.name === name);
  if (!found) throw new Error(`no resource is named ${name}`);
  return found;
}
