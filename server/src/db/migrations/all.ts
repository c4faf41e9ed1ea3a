// All migrations in order. A released migration never changes.
import type { Migration } from '../migrate.ts';
import { foundation } from './0001-foundation.ts';
import { identity } from './0002-identity.ts';
import { alerthub } from './0003-alerthub.ts';
import { work } from './0004-work.ts';
import { waitingTrigger } from './0005-waiting-trigger.ts';
import { mailAndInvitation } from './0006-mail-and-invitation.ts';
import { greac } from './0007-greac.ts';
import { sonar } from './0008-sonar.ts';
import { administration } from './0009-administration.ts';
import { factor } from './0010-factor.ts';
import { deliveryExtras } from './0011-delivery-extras.ts';
import { runbook } from './0012-runbook.ts';
import { bulk } from './0013-bulk.ts';
import { audit } from './0014-audit.ts';
import { pigeon } from './0015-pigeon.ts';
import { bulkRequester } from './0016-bulk-requester.ts';
import { externalAccount } from './0017-external-account.ts';
import { mailIn } from './0018-mail-in.ts';
import { diagram } from './0019-diagram.ts';
import { messageCount } from './0020-message-count.ts';
import { delayedTrigger } from './0021-delayed-trigger.ts';
import { relatedMessage } from './0022-related-message.ts';
import { spaceEnd } from './0023-space-end.ts';
import { agentRequest } from './0024-agent-request.ts';
import { slotWatch } from './0025-slot-watch.ts';
import { retention } from './0026-retention.ts';
import { spaceHost } from './0027-space-host.ts';
import { externalSignOut } from './0028-external-sign-out.ts';
import { messageSearch } from './0029-message-search.ts';
import { actionSigning } from './0030-action-signing.ts';
import { intakeMark } from './0031-intake-mark.ts';
import { freshSignIn } from './0032-fresh-sign-in.ts';
import { lighterStore } from './0033-lighter-store.ts';
import { journalVersion } from './0034-journal-version.ts';
import { trouble } from './0038-trouble.ts';
import { signInBudget } from './0042-sign-in-budget.ts';
import { secondStepProof } from './0043-second-step-proof.ts';
import { auditSeal } from './0044-audit-seal.ts';
import { oneJobTable } from './0045-one-job-table.ts';
import { bootstrapToken } from './0046-bootstrap-token.ts';
import { ruleElements } from './0047-rule-elements.ts';
import { severityFingerprint } from './0048-severity-fingerprint.ts';
import { slotOptions } from './0049-slot-options.ts';
import { createdScope } from './0051-created-scope.ts';
import { agentProtocol } from './0052-agent-protocol.ts';
import { eventCause } from './0054-event-cause.ts';
import { journalPositions } from './0055-journal-positions.ts';
import { searchNetworks } from './0057-search-networks.ts';
import { nodeDecision } from './0058-node-decision.ts';
import { gateway } from './0059-gateway.ts';
import { sessionStream } from './0060-session-stream.ts';
import { sessionLog } from './0061-session-log.ts';
import { callScript } from './0062-call-script.ts';
import { voice } from './0063-voice.ts';
import { logRetention } from './0064-log-retention.ts';
import { eventAcknowledgements } from './0066-event-acknowledgements.ts';
import { quietHours } from './0067-quiet-hours.ts';
import { afterFailedTransfer } from './0068-after-failed-transfer.ts';
import { aggregation } from './0069-aggregation.ts';
import { sessionLogEnd } from './0070-session-log-end.ts';
import { sessionMessage } from './0071-session-message.ts';
import { messageBodyPart } from './0072-message-body-part.ts';
import { unindexedBatches } from './0073-unindexed-batches.ts';
import { settingsVersion } from './0074-settings-version.ts';
import { clonedSignatureAge } from './0075-cloned-signature-age.ts';
import { spaceErasure } from './0076-space-erasure.ts';
import { orphanedReferences } from './0077-orphaned-references.ts';
import { snapshotAndResultRetention } from './0078-snapshot-and-result-retention.ts';
import { auditTokenName } from './0079-audit-token-name.ts';
import { naturalOrder } from './0080-natural-order.ts';
import { personLanguage } from './0081-person-language.ts';
import { lastReport } from './0082-last-report.ts';
import { messageRepeat } from './0083-message-repeat.ts';
import { scopeAcknowledgement } from './0084-scope-acknowledgement.ts';
import { agentConflict } from './0085-agent-conflict.ts';
import { jobSpaces } from './0086-job-spaces.ts';
import { passkeyUses } from './0087-passkey-uses.ts';

export const migrations: readonly Migration[] = [
  foundation,
  identity,
  alerthub,
  work,
  waitingTrigger,
  mailAndInvitation,
  greac,
  sonar,
  administration,
  factor,
  deliveryExtras,
  runbook,
  bulk,
  audit,
  pigeon,
  bulkRequester,
  externalAccount,
  mailIn,
  diagram,
  messageCount,
  delayedTrigger,
  relatedMessage,
  spaceEnd,
  agentRequest,
  slotWatch,
  retention,
  spaceHost,
  externalSignOut,
  messageSearch,
  actionSigning,
  intakeMark,
  freshSignIn,
  lighterStore,
  journalVersion,
  trouble,
  signInBudget,
  secondStepProof,
  auditSeal,
  oneJobTable,
  bootstrapToken,
  ruleElements,
  severityFingerprint,
  slotOptions,
  createdScope,
  agentProtocol,
  eventCause,
  journalPositions,
  searchNetworks,
  nodeDecision,
  gateway,
  sessionStream,
  sessionLog,
  callScript,
  voice,
  logRetention,
  eventAcknowledgements,
  quietHours,
  afterFailedTransfer,
  aggregation,
  sessionLogEnd,
  sessionMessage,
  messageBodyPart,
  unindexedBatches,
  settingsVersion,
  clonedSignatureAge,
  spaceErasure,
  orphanedReferences,
  snapshotAndResultRetention,
  auditTokenName,
  naturalOrder,
  personLanguage,
  lastReport,
  messageRepeat,
  scopeAcknowledgement,
  agentConflict,
  jobSpaces,
  passkeyUses,
];
