// Route map of the console: URL, module and layout of each page that has a screen of its own. The pages of a
// resource that are missing here get the generic screens in `resource/`.
import type { UNSAFE_RouteConfig, UNSAFE_RouteConfigEntry } from '@remix-run/dev';
import { resources } from '@yagura/core/all';
import { genericRoutes } from './resource/resource-routes.ts';

type Entry = UNSAFE_RouteConfigEntry;

const route = (path: string, file: string, children?: Entry[]): Entry => ({ id: path, path, file, children });
const routeWithId = (id: string, path: string, file: string, children: Entry[]): Entry => ({
  id,
  path,
  file,
  children,
});
const indexRoute = (id: string, file: string): Entry => ({ id, index: true, file });
const alerthubScreen = (file: string) => `alerthub/screens/${file}`;
const pigeonScreen = (file: string) => `pigeon/screens/${file}`;
const retentionScreen = 'resource/retention/retention.tsx';
const retentionEdit = 'resource/retention/retention-edit.tsx';
const layoutRoute = (file: string, children: Entry[]): Entry => ({ id: file, file, children });

/**
 * Route that only redirects, as listed in `shell/navigation/redirect-target.ts`; a disabled parent is not
 * listed there and returns 404.
 */
const redirectRoute = (path: string) => route(path, 'shell/navigation/redirect.ts');

/** A list inside its parent item's page. */
const nestedListRoute = (id: string, path: string): Entry => ({
  id,
  path,
  file: 'sonar/screens/nested-list.tsx',
});

/** Pages that a verb has elsewhere; no generic page is added there. */
export const pagesElsewhere = new Set([
  // A tab of the scope.
  'apps/alerthub/scopes/:scopeId/edit',
  // A dialog of the scope.
  'apps/alerthub/events/new',
  // The form is the page itself.
  'preference/ip-restriction/edit',
]);

/** Pages with screens of their own; the generic ones follow from the descriptors. */
const customRoutes: Entry[] = [
  indexRoute('home', 'home/home.tsx'),

  redirectRoute('preference'),
  route('preference/profile', 'space/screens/profile.tsx'),
  route('apps/devtool/tasks/:taskId', 'tasks/screens/task.tsx'),

  route('preference/ip-restriction', 'space/screens/ip-restriction.tsx'),
  route('preference/cancel-space', 'space/screens/cancel-space.tsx'),
  route('preference/cancel-space/export', 'space/screens/space-export.ts'),
  route('preference/users/new', 'space/screens/user-create.tsx'),
  routeWithId('user', 'preference/users/:userId', 'space/screens/user.tsx', [
    indexRoute('user overview', 'space/screens/user-overview.tsx'),
    route('powers', 'space/screens/user-permissions.tsx'),
  ]),
  route('preference/user-groups/:userGroupId', 'space/screens/user-group.tsx'),
  route('preference/invitations', 'space/screens/invitations.tsx'),
  route('preference/invitations/new', 'space/screens/invitation-create.tsx'),
  route('preference/api-token/new', 'space/screens/api-token-create.tsx'),

  route('preference/audit-records', 'space/screens/audit-records.tsx'),
  route('preference/audit-records/:auditRecordId', 'space/screens/audit-record.tsx'),
  route('preference/audit-records/export', 'space/screens/audit-export.ts'),
  redirectRoute('preference/kroker'),
  route('preference/kroker/list/:krokerId', 'kroker/screens/kroker.tsx'),
  route('preference/kroker/list/:krokerId/credentials/new', 'kroker/screens/credential-create.tsx'),
  route('preference/kroker/list/:krokerId/credentials/:credentialId', 'kroker/screens/credential.tsx'),
  route(
    'preference/kroker/list/:krokerId/credentials/:credentialId/edit',
    'kroker/screens/credential-edit.tsx',
  ),

  route('preference/tool/credential', 'ksocket/screens/credential-tool.tsx'),
  route('preference/ksocket/:ksocketSlotId/tokens/new', 'ksocket/screens/token-create.tsx'),
  routeWithId('ksocket', 'preference/ksocket/:ksocketSlotId', 'ksocket/screens/slot.tsx', [
    indexRoute('ksocket overview', 'sonar/screens/overview.tsx'),
    nestedListRoute('ksocket tokens', 'tokens'),
  ]),

  redirectRoute('apps/sonar'),
  routeWithId('network', 'apps/sonar/networks/:networkId', 'sonar/screens/network.tsx', [
    indexRoute('network overview', 'sonar/screens/overview.tsx'),
    nestedListRoute('network nodes', 'managed-nodes'),
    nestedListRoute('network snapshots', 'snapshots'),
    route('diagram', 'sonar/screens/diagram.tsx'),
    route('l2-diagram', 'sonar/screens/l2-diagram.tsx'),
    routeWithId('network scan', 'scan', 'sonar/screens/scan.tsx', []),
    route('scan/schedules', 'sonar/screens/schedules.tsx'),
    nestedListRoute('network notifications', 'scan/notifications'),
  ]),
  route(
    'apps/sonar/networks/:networkId/scan/notifications/:notificationSettingId',
    'sonar/screens/notification.tsx',
  ),
  route('apps/sonar/networks/:networkId/scan/schedules/new', 'sonar/screens/schedule-create.tsx'),
  route('apps/sonar/networks/:networkId/scan/schedules/:taskScheduleId', 'sonar/screens/schedule.tsx'),
  route('apps/sonar/search/managed-nodes', 'sonar/screens/search.tsx'),
  route('apps/sonar/snapshot-retention', retentionScreen),
  route('apps/sonar/snapshot-retention/edit', retentionEdit),
  route(
    'apps/sonar/networks/:networkId/managed-nodes/:managedNodeId/notes/:noteId/edit',
    'sonar/screens/note-edit.tsx',
  ),
  routeWithId(
    'managed node',
    'apps/sonar/networks/:networkId/managed-nodes/:managedNodeId',
    'sonar/screens/managed-node.tsx',
    [
      indexRoute('managed node detail', 'sonar/screens/node-overview.tsx'),
      nestedListRoute('managed node snapshots', 'snapshots'),
      nestedListRoute('managed node packages', 'packages'),
      nestedListRoute('managed node updates', 'windows-updates'),
      route('notes', 'sonar/screens/notes.tsx'),
      route('decisions', 'sonar/screens/decisions.tsx'),
      routeWithId('managed node tags', 'tags', 'sonar/screens/tags.tsx', []),
    ],
  ),
  routeWithId(
    'snapshot',
    'apps/sonar/networks/:networkId/snapshots/:snapshotId',
    'sonar/screens/snapshot.tsx',
    [
      indexRoute('snapshot overview', 'sonar/screens/snapshot-overview.tsx'),
      nestedListRoute('snapshot nodes', 'nodes'),
      nestedListRoute('snapshot refusals', 'refusals'),
      route('differences', 'sonar/screens/differences.tsx'),
    ],
  ),
  routeWithId(
    'node',
    'apps/sonar/networks/:networkId/snapshots/:snapshotId/nodes/:nodeId',
    'sonar/screens/node.tsx',
    [
      indexRoute('node detail', 'sonar/screens/node-overview.tsx'),
      nestedListRoute('node packages', 'packages'),
      nestedListRoute('node updates', 'windows-updates'),
    ],
  ),

  redirectRoute('apps/greac'),
  route('apps/greac/destinations/new', 'greac/screens/destination-create.tsx'),
  route('apps/greac/destinations/:destinationId', 'greac/screens/destination.tsx'),
  route('apps/greac/destinations/:destinationId/edit', 'greac/screens/destination-edit.tsx'),
  route('apps/greac/sessions/:sessionId', 'greac/screens/session.tsx'),
  route('apps/greac/sessions/:sessionId/logs', 'greac/screens/session-logs.tsx'),
  route('apps/greac/session-logs', 'greac/screens/find-session-logs.tsx'),
  route('apps/greac/connect', 'greac/screens/open-session.ts'),
  route('apps/greac/key-management', 'greac/screens/log-keys.tsx'),
  redirectRoute('apps/greac/log-retention'),
  route('apps/greac/log-retention/edit', retentionEdit),
  route('apps/greac/key-management/:keyId', 'greac/screens/log-key.tsx'),

  redirectRoute('apps/alerthub'),
  route('apps/alerthub/receive-slots', alerthubScreen('messages/receive-slots.tsx')),
  route('apps/alerthub/receive-slots/recipes', alerthubScreen('recipes/recipes.tsx')),
  route('apps/alerthub/receive-slots/recipes/:recipe', alerthubScreen('recipes/recipe.tsx')),
  route('apps/alerthub/receive-slots/:receiveSlotId/setup', alerthubScreen('recipes/slot-setup.tsx')),
  route('apps/alerthub/receive-slots/:receiveSlotId', alerthubScreen('messages/receive-slot.tsx')),

  route('apps/alerthub/rules/new', alerthubScreen('rules/rule-create.tsx')),
  route('apps/alerthub/rules/:ruleId', alerthubScreen('rules/rule.tsx')),
  route('apps/alerthub/rules/:ruleId/edit', alerthubScreen('rules/rule-edit.tsx')),

  route('apps/alerthub/actions/new', alerthubScreen('actions/action-create.tsx')),
  route('apps/alerthub/actions/:actionId', alerthubScreen('actions/action.tsx')),
  route('apps/alerthub/actions/:actionId/edit', alerthubScreen('actions/action-edit.tsx')),

  route('apps/alerthub/runbooks/new', alerthubScreen('runbooks/runbook-create.tsx')),
  route('apps/alerthub/runbooks/:runbookId/edit', alerthubScreen('runbooks/runbook-edit.tsx')),
  routeWithId('runbook', 'apps/alerthub/runbooks/:runbookId', alerthubScreen('runbooks/runbook.tsx'), [
    indexRoute('runbook overview', alerthubScreen('runbooks/runbook-overview.tsx')),
    route('flow', alerthubScreen('runbooks/runbook-flow.tsx')),
    route('test-run', alerthubScreen('runbooks/runbook-test-run.tsx')),
    routeWithId('runbook records', 'runbook-records', alerthubScreen('runbooks/runbook-records.tsx'), []),
  ]),
  route(
    'apps/alerthub/runbooks/:runbookId/runbook-records/:runbookRecordId',
    alerthubScreen('runbooks/runbook-record.tsx'),
  ),
  route(
    'apps/alerthub/runbooks/:runbookId/runbook-records/:runbookRecordId/steps',
    'shell/navigation/redirect.ts',
  ),
  route(
    'apps/alerthub/runbooks/:runbookId/runbook-records/:runbookRecordId/steps/:stepId',
    alerthubScreen('runbooks/runbook-record-step.tsx'),
  ),

  routeWithId('message', 'apps/alerthub/messages/:messageId', alerthubScreen('messages/message.tsx'), [
    indexRoute('message overview', alerthubScreen('messages/message-overview.tsx')),
    route('rule-records', alerthubScreen('messages/message-rule-records.tsx')),
    route('events', alerthubScreen('messages/message-events.tsx')),
    routeWithId(
      'message runbook records',
      'runbook-records',
      alerthubScreen('messages/message-runbook-records.tsx'),
      [],
    ),
    route('why', alerthubScreen('messages/message-decision-log.tsx')),
  ]),

  route('apps/alerthub/scopes', alerthubScreen('scopes/scopes.tsx')),
  routeWithId('scope', 'apps/alerthub/scopes/:scopeId', alerthubScreen('scopes/scope.tsx'), [
    indexRoute('scope overview', alerthubScreen('scopes/scope-overview.tsx')),
    route('rules', alerthubScreen('scopes/scope-rules.tsx')),
    route('triggers', alerthubScreen('scopes/scope-triggers.tsx')),
    route('mute-schedules', alerthubScreen('scopes/scope-mutes.tsx')),
    route('settings', alerthubScreen('scopes/scope-settings.tsx')),
  ]),
  route('apps/alerthub/scopes/:scopeId/mute-schedules/new', alerthubScreen('scopes/mute-create.tsx')),
  route(
    'apps/alerthub/scopes/:scopeId/mute-schedules/:muteScheduleId/edit',
    alerthubScreen('scopes/mute-edit.tsx'),
  ),
  route('apps/alerthub/scopes/:scopeId/triggers/new', alerthubScreen('triggers/trigger-create.tsx')),
  route('apps/alerthub/scopes/:scopeId/triggers/:triggerId', alerthubScreen('triggers/trigger.tsx')),
  route(
    'apps/alerthub/scopes/:scopeId/triggers/:triggerId/edit',
    alerthubScreen('triggers/trigger-edit.tsx'),
  ),

  route('apps/alerthub/settings', alerthubScreen('settings/settings.tsx')),
  redirectRoute('apps/alerthub/settings/retention'),
  route('apps/alerthub/settings/retention/edit', retentionEdit),
  redirectRoute('apps/alerthub/settings/notification-settings'),
  redirectRoute('apps/alerthub/settings/email-action-senders'),

  route('apps/alerthub/tools', alerthubScreen('bulk/tools.tsx')),
  routeWithId(
    'bulk histories',
    'apps/alerthub/tools/:kind/histories',
    alerthubScreen('bulk/bulk-histories.tsx'),
    [
      indexRoute('bulk first history', alerthubScreen('bulk/bulk-default-history.ts')),
      route('imports', alerthubScreen('bulk/bulk-imports.tsx')),
      route('exports', alerthubScreen('bulk/bulk-exports.tsx')),
    ],
  ),
  route('apps/alerthub/tools/:kind/imports/:importId', alerthubScreen('bulk/bulk-import.tsx')),
  route('apps/alerthub/tools/:kind/exports/:exportId', alerthubScreen('bulk/bulk-export.tsx')),

  redirectRoute('apps/devtool'),
  route('apps/devtool/gallery', 'gallery/gallery.tsx'),
  route('apps/devtool/phone', pigeonScreen('mock-phone.tsx')),
  route('apps/devtool/phone/heard', pigeonScreen('mock-phone-heard.ts')),

  redirectRoute('apps/alerthub/events'),
  route('apps/alerthub/events/:eventId', alerthubScreen('messages/event.tsx')),
  redirectRoute('apps/alerthub/action-records'),
  route('apps/alerthub/action-records/:actionRecordId', alerthubScreen('actions/action-record.tsx')),

  redirectRoute('apps/pigeon'),
  route('apps/pigeon/contacts/:contactId', pigeonScreen('contact.tsx')),
  route('apps/pigeon/callflows/new', pigeonScreen('callflow-create.tsx')),
  route('apps/pigeon/callflows/:callflowId', pigeonScreen('callflow.tsx')),
  route('apps/pigeon/callflows/:callflowId/edit', pigeonScreen('callflow-edit.tsx')),
  route('apps/pigeon/guidances/new', pigeonScreen('guidance-create.tsx')),
  route('apps/pigeon/guidances/:guidanceId', pigeonScreen('guidance.tsx')),
  route('apps/pigeon/guidances/:guidanceId/recording', pigeonScreen('guidance-recording.ts')),
  route('apps/pigeon/speech', pigeonScreen('speech.ts')),
  route('apps/pigeon/guidances/:guidanceId/edit', pigeonScreen('guidance-edit.tsx')),
  route('apps/pigeon/results/:resultId', pigeonScreen('result.tsx')),
  route('apps/pigeon/settings/line', pigeonScreen('line.tsx')),
  route('apps/pigeon/settings/result-retention', retentionScreen),
  route('apps/pigeon/settings/result-retention/edit', retentionEdit),
  redirectRoute('apps/pigeon/settings'),
  redirectRoute('apps/pigeon/tools'),
  route('apps/pigeon/tools/command-generator', pigeonScreen('command-generator.tsx')),
];

export default [
  layoutRoute('shell/layout/default-layout.tsx', [
    ...customRoutes,
    ...genericRoutes(resources, customRoutes, pagesElsewhere),
  ]),
  layoutRoute('shell/layout/card-layout.tsx', [
    route('setup-kroker', 'kroker/screens/setup-kroker.tsx'),
    route('setup-kroker/complete', 'kroker/screens/setup-kroker-complete.tsx'),
    route('authorize', 'signin/authorize.tsx'),
    route('signed-out', 'signin/signed-out.tsx'),
    route('403', 'shell/errors/forbidden.tsx'),
    route('404', 'shell/errors/not-found.tsx'),
    route('error', 'shell/errors/error-page.tsx'),
    route('*', 'shell/errors/not-found.tsx'),
  ]),
  ...['', 'preference/'].flatMap((base) =>
    [
      'cancel',
      'space/*',
      'profile/*',
      'ksocket/create',
      'ksocket/credential',
      'ksocket/ksockets/*',
      'kroker/setup',
    ].map((oldPath) => redirectRoute(base + oldPath)),
  ),
  redirectRoute('sonar/*'),
  redirectRoute('apps/alerthub/scopes/:scopeId/overview'),
  redirectRoute('apps/alerthub/scopes/:scopeId/rules/:ruleId'),
  redirectRoute('apps/alerthub/messages/:messageId/overview'),
  redirectRoute('apps/sonar/networks/:networkId/managed-nodes/:managedNodeId/detail'),
  redirectRoute('apps/sonar/networks/:networkId/snapshots/:snapshotId/nodes/:nodeId/detail'),
  redirectRoute('apps/sonar/networks/:networkId/scan/scan'),
  redirectRoute('sign-in'),
  redirectRoute('sign-in/reset-password'),
  redirectRoute('sign-in/reset-password-requested'),
  route('apps/greac/connect/:sessionId', 'greac/screens/connect.tsx'),
  route('apps/greac/sessions/:sessionId/logs/:kind/:part', 'greac/screens/session-log-file.ts'),
  route('apps/greac/connect/:sessionId/attach', 'greac/screens/attach-session.ts'),
  route('apps/alerthub/tools/:kind/exports/:exportId/file', alerthubScreen('bulk/bulk-export-file.ts')),
  route('apps/alerthub/messages/:messageId/files/:file', alerthubScreen('messages/message-file.ts')),
  route('sign-out', 'signin/sign-out.ts'),
  route('sign-in-again', 'signin/sign-in-again.ts'),
  route('choices', 'shell/preferences/save-preferences.ts'),
  route('find', 'shell/palette/find.ts'),
  route('reference-options/:resource', 'resource/form/reference-options.ts'),
  route('changes', 'shell/live/changes.ts'),
] satisfies UNSAFE_RouteConfig;
