// The site map: every URL of the console, its screen and its layout. Screens of `resource/` serve any resource and are listed once per URL.
import type { UNSAFE_RouteConfig, UNSAFE_RouteConfigEntry } from '@remix-run/dev';

type Entry = UNSAFE_RouteConfigEntry;

const at = (path: string, file: string, children?: Entry[]): Entry => ({ id: path, path, file, children });
const named = (id: string, path: string, file: string, children: Entry[]): Entry => ({
  id,
  path,
  file,
  children,
});
const index = (id: string, file: string): Entry => ({ id, index: true, file });
const screens = (file: string) => `alerthub/screens/${file}`;
const pigeon = (file: string) => `pigeon/screens/${file}`;
const layout = (file: string, children: Entry[]): Entry => ({ id: file, file, children });

/** A URL that only leads on, as `shell/leads-to.ts` lists it; a disabled parent is not listed there and leads to 404. */
const redirectRoute = (path: string) => at(path, 'shell/redirect.ts');

/** A list inside the screen of the thing that holds its items. */
const nested = (id: string, path: string): Entry => ({ id, path, file: 'sonar/screens/nested-list.tsx' });

/** List, item and forms of one resource below a URL. */
const resource = (url: string, id: string) => [
  at(url, 'resource/list.tsx'),
  at(`${url}/new`, 'resource/create.tsx'),
  at(`${url}/:${id}`, 'resource/item.tsx'),
  at(`${url}/:${id}/edit`, 'resource/edit.tsx'),
];

/** The same of a resource whose list is part of another screen. */
const below = (url: string, id: string) => [redirectRoute(url), ...resource(url, id).slice(1)];

export default [
  layout('shell/default-layout.tsx', [
    index('home', 'home/home.tsx'),

    redirectRoute('preference'),
    at('preference/space', 'resource/item.tsx'),
    at('preference/space/edit', 'resource/edit.tsx'),
    at('preference/profile', 'space/screens/profile.tsx'),
    at('preference/profile/edit', 'resource/edit.tsx'),
    at('apps/devtool/tasks', 'resource/list.tsx'),
    at('apps/devtool/tasks/new', 'resource/create.tsx'),
    at('apps/devtool/tasks/:taskId', 'work/screens/task.tsx'),

    at('preference/ip-restriction', 'space/screens/ip-restriction.tsx'),
    at('preference/cancel-space', 'space/screens/cancel-space.tsx'),
    at('preference/cancel-space/export', 'space/screens/space-export.ts'),
    at('preference/users', 'resource/list.tsx'),
    at('preference/users/new', 'resource/create.tsx'),
    named('user', 'preference/users/:userId', 'space/screens/user.tsx', [
      index('user overview', 'space/screens/user-overview.tsx'),
      at('powers', 'space/screens/user-powers.tsx'),
    ]),
    at('preference/users/:userId/edit', 'resource/edit.tsx'),
    at('preference/user-groups', 'resource/list.tsx'),
    at('preference/user-groups/new', 'resource/create.tsx'),
    at('preference/user-groups/:userGroupId', 'space/screens/user-group.tsx'),
    at('preference/user-groups/:userGroupId/edit', 'resource/edit.tsx'),
    at('preference/api-token', 'resource/list.tsx'),
    at('preference/api-token/new', 'space/api-token-create.tsx'),

    at('preference/audit-records', 'space/screens/audit-records.tsx'),
    at('preference/audit-records/export', 'space/screens/audit-export.ts'),
    at('preference/audit-records/:auditRecordId', 'resource/item.tsx'),
    at('preference/invitations', 'resource/list.tsx'),
    at('preference/invitations/new', 'resource/create.tsx'),
    at('preference/mail-log', 'resource/list.tsx'),
    at('preference/mail-log/:mailId', 'resource/item.tsx'),
    redirectRoute('preference/kroker'),
    at('preference/kroker/list', 'resource/list.tsx'),
    at('preference/kroker/list/new', 'resource/create.tsx'),
    at('preference/kroker/list/:krokerId', 'kroker/screens/kroker.tsx'),
    at('preference/kroker/list/:krokerId/edit', 'resource/edit.tsx'),
    at('preference/kroker/list/:krokerId/credentials', 'resource/list.tsx'),
    at('preference/kroker/list/:krokerId/credentials/new', 'kroker/screens/credential-create.tsx'),
    at('preference/kroker/list/:krokerId/credentials/:credentialId', 'kroker/screens/credential.tsx'),
    at(
      'preference/kroker/list/:krokerId/credentials/:credentialId/edit',
      'kroker/screens/credential-edit.tsx',
    ),
    at('preference/kroker/:krokerId/logs', 'resource/list.tsx'),
    ...resource('preference/kroker/kroker-notification-settings', 'krokerNotificationSettingId'),

    at('preference/tool/credential', 'ksocket/screens/credential-tool.tsx'),
    at('preference/ksocket', 'resource/list.tsx'),
    at('preference/ksocket/new', 'resource/create.tsx'),
    at('preference/ksocket/:ksocketSlotId/edit', 'resource/edit.tsx'),
    at('preference/ksocket/:ksocketSlotId/tokens/new', 'ksocket/screens/token-create.tsx'),
    named('ksocket', 'preference/ksocket/:ksocketSlotId', 'ksocket/screens/slot.tsx', [
      index('ksocket overview', 'sonar/screens/overview.tsx'),
      nested('ksocket tokens', 'tokens'),
    ]),

    redirectRoute('apps/sonar'),
    at('apps/sonar/networks', 'resource/list.tsx'),
    at('apps/sonar/networks/new', 'resource/create.tsx'),
    at('apps/sonar/networks/:networkId/edit', 'resource/edit.tsx'),
    at('apps/sonar/networks/:networkId/scan/edit', 'resource/edit.tsx'),
    named('network', 'apps/sonar/networks/:networkId', 'sonar/screens/network.tsx', [
      index('network overview', 'sonar/screens/overview.tsx'),
      nested('network nodes', 'managed-nodes'),
      nested('network snapshots', 'snapshots'),
      at('diagram', 'sonar/screens/diagram.tsx'),
      at('l2-diagram', 'sonar/screens/l2-diagram.tsx'),
      named('network scan', 'scan', 'sonar/screens/scan.tsx', []),
      at('scan/schedules', 'sonar/screens/schedules.tsx'),
      nested('network notifications', 'scan/notifications'),
    ]),
    at('apps/sonar/networks/:networkId/scan/notifications/new', 'resource/create.tsx'),
    at(
      'apps/sonar/networks/:networkId/scan/notifications/:notificationSettingId',
      'sonar/screens/notification.tsx',
    ),
    at('apps/sonar/networks/:networkId/scan/schedules/new', 'sonar/screens/schedule-create.tsx'),
    at('apps/sonar/networks/:networkId/scan/schedules/:taskScheduleId', 'sonar/screens/schedule.tsx'),
    at('apps/sonar/search/managed-nodes', 'sonar/screens/search.tsx'),
    at('apps/sonar/networks/:networkId/scan/notifications/:notificationSettingId/edit', 'resource/edit.tsx'),
    at('apps/sonar/networks/:networkId/managed-nodes/:managedNodeId/edit', 'resource/edit.tsx'),
    at('apps/sonar/networks/:networkId/managed-nodes/:managedNodeId/tags/edit', 'resource/edit.tsx'),
    at('apps/sonar/networks/:networkId/managed-nodes/:managedNodeId/notes/new', 'resource/create.tsx'),
    at(
      'apps/sonar/networks/:networkId/managed-nodes/:managedNodeId/notes/:noteId/edit',
      'sonar/screens/note-edit.tsx',
    ),
    named(
      'managed node',
      'apps/sonar/networks/:networkId/managed-nodes/:managedNodeId',
      'sonar/screens/managed-node.tsx',
      [
        index('managed node detail', 'sonar/screens/overview.tsx'),
        nested('managed node snapshots', 'snapshots'),
        nested('managed node packages', 'packages'),
        nested('managed node updates', 'windows-updates'),
        at('notes', 'sonar/screens/notes.tsx'),
        named('managed node tags', 'tags', 'sonar/screens/tags.tsx', []),
      ],
    ),
    named('snapshot', 'apps/sonar/networks/:networkId/snapshots/:snapshotId', 'sonar/screens/snapshot.tsx', [
      index('snapshot overview', 'sonar/screens/overview.tsx'),
      nested('snapshot nodes', 'nodes'),
    ]),
    named(
      'node',
      'apps/sonar/networks/:networkId/snapshots/:snapshotId/nodes/:nodeId',
      'sonar/screens/node.tsx',
      [
        index('node detail', 'sonar/screens/overview.tsx'),
        nested('node packages', 'packages'),
        nested('node updates', 'windows-updates'),
      ],
    ),

    redirectRoute('apps/greac'),
    at('apps/greac/destinations', 'resource/list.tsx'),
    at('apps/greac/destinations/new', 'greac/screens/destination-create.tsx'),
    at('apps/greac/destinations/:destinationId', 'greac/screens/destination.tsx'),
    at('apps/greac/destinations/:destinationId/edit', 'greac/screens/destination-edit.tsx'),
    at('apps/greac/sessions', 'resource/list.tsx'),
    at('apps/greac/sessions/new', 'resource/create.tsx'),
    at('apps/greac/sessions/:sessionId', 'greac/screens/session.tsx'),
    at('apps/greac/sessions/:sessionId/edit', 'resource/edit.tsx'),
    at('apps/greac/connect', 'greac/screens/open.ts'),
    at('apps/greac/key-management', 'greac/screens/log-keys.tsx'),
    at('apps/greac/key-management/:keyId', 'greac/screens/log-key.tsx'),

    redirectRoute('apps/alerthub'),
    at('apps/alerthub/receive-slots', 'resource/list.tsx'),
    at('apps/alerthub/receive-slots/new', 'resource/create.tsx'),
    at('apps/alerthub/receive-slots/:receiveSlotId', screens('receive-slot.tsx')),
    at('apps/alerthub/receive-slots/:receiveSlotId/edit', 'resource/edit.tsx'),

    at('apps/alerthub/rules', 'resource/list.tsx'),
    at('apps/alerthub/rules/new', screens('rule-create.tsx')),
    at('apps/alerthub/rules/:ruleId', screens('rule.tsx')),
    at('apps/alerthub/rules/:ruleId/edit', screens('rule-edit.tsx')),

    at('apps/alerthub/actions', 'resource/list.tsx'),
    at('apps/alerthub/actions/new', screens('action-create.tsx')),
    at('apps/alerthub/actions/:actionId', screens('action.tsx')),
    at('apps/alerthub/actions/:actionId/edit', screens('action-edit.tsx')),

    at('apps/alerthub/runbooks', 'resource/list.tsx'),
    at('apps/alerthub/runbooks/new', screens('runbook-create.tsx')),
    at('apps/alerthub/runbooks/:runbookId/edit', screens('runbook-edit.tsx')),
    named('runbook', 'apps/alerthub/runbooks/:runbookId', screens('runbook.tsx'), [
      index('runbook overview', screens('runbook-overview.tsx')),
      at('flow', screens('runbook-flow.tsx')),
      named('runbook records', 'runbook-records', screens('runbook-records.tsx'), []),
    ]),
    at('apps/alerthub/runbooks/:runbookId/runbook-records/:runbookRecordId', screens('runbook-record.tsx')),
    at('apps/alerthub/runbooks/:runbookId/runbook-records/:runbookRecordId/steps', 'shell/redirect.ts'),
    at(
      'apps/alerthub/runbooks/:runbookId/runbook-records/:runbookRecordId/steps/:stepId',
      screens('runbook-record-step.tsx'),
    ),

    at('apps/alerthub/messages', 'resource/list.tsx'),
    named('message', 'apps/alerthub/messages/:messageId', screens('message.tsx'), [
      index('message overview', screens('message-overview.tsx')),
      at('rule-records', screens('message-rule-records.tsx')),
      at('events', screens('message-events.tsx')),
      named('message runbook records', 'runbook-records', screens('message-runbook-records.tsx'), []),
      at('why', screens('message-why.tsx')),
    ]),

    at('apps/alerthub/scopes', 'resource/list.tsx'),
    at('apps/alerthub/scopes/new', 'resource/create.tsx'),
    named('scope', 'apps/alerthub/scopes/:scopeId', screens('scope.tsx'), [
      index('scope overview', screens('scope-overview.tsx')),
      at('rules', screens('scope-rules.tsx')),
      at('triggers', screens('scope-triggers.tsx')),
      at('mute-schedules', screens('scope-mutes.tsx')),
      at('settings', screens('scope-settings.tsx')),
    ]),
    at('apps/alerthub/scopes/:scopeId/mute-schedules/new', screens('mute-create.tsx')),
    at('apps/alerthub/scopes/:scopeId/mute-schedules/:muteScheduleId', 'resource/item.tsx'),
    at('apps/alerthub/scopes/:scopeId/mute-schedules/:muteScheduleId/edit', screens('mute-edit.tsx')),
    at('apps/alerthub/scopes/:scopeId/triggers/new', screens('trigger-create.tsx')),
    at('apps/alerthub/scopes/:scopeId/triggers/:triggerId', screens('trigger.tsx')),
    at('apps/alerthub/scopes/:scopeId/triggers/:triggerId/edit', screens('trigger-edit.tsx')),

    at('apps/alerthub/settings', screens('settings.tsx')),
    redirectRoute('apps/alerthub/settings/retention'),
    at('apps/alerthub/settings/retention/edit', screens('retention-edit.tsx')),
    ...below('apps/alerthub/settings/notification-settings', 'notificationSettingEmailId'),
    ...below('apps/alerthub/settings/email-action-senders', 'emailActionSenderSettingId'),

    at('apps/alerthub/tools', screens('tools.tsx')),
    named('bulk histories', 'apps/alerthub/tools/:kind/histories', screens('bulk-histories.tsx'), [
      index('bulk first history', screens('bulk-first-history.ts')),
      at('imports', screens('bulk-imports.tsx')),
      at('exports', screens('bulk-exports.tsx')),
    ]),
    at('apps/alerthub/tools/:kind/imports/:importId', screens('bulk-import.tsx')),
    at('apps/alerthub/tools/:kind/exports/:exportId', screens('bulk-export.tsx')),

    redirectRoute('apps/devtool'),
    at('apps/devtool/gallery', 'shell/gallery.tsx'),

    redirectRoute('apps/alerthub/events'),
    at('apps/alerthub/events/:eventId', screens('event.tsx')),
    redirectRoute('apps/alerthub/action-records'),
    at('apps/alerthub/action-records/:actionRecordId', screens('action-record.tsx')),

    redirectRoute('apps/pigeon'),
    at('apps/pigeon/contacts', 'resource/list.tsx'),
    at('apps/pigeon/contacts/new', 'resource/create.tsx'),
    at('apps/pigeon/contacts/:contactId', pigeon('contact.tsx')),
    at('apps/pigeon/contacts/:contactId/edit', 'resource/edit.tsx'),
    at('apps/pigeon/callflows', 'resource/list.tsx'),
    at('apps/pigeon/callflows/new', pigeon('callflow-create.tsx')),
    at('apps/pigeon/callflows/:callflowId', 'resource/item.tsx'),
    at('apps/pigeon/callflows/:callflowId/edit', pigeon('callflow-edit.tsx')),
    at('apps/pigeon/guidances', 'resource/list.tsx'),
    at('apps/pigeon/guidances/new', pigeon('guidance-create.tsx')),
    at('apps/pigeon/guidances/:guidanceId', pigeon('guidance.tsx')),
    at('apps/pigeon/guidances/:guidanceId/edit', pigeon('guidance-edit.tsx')),
    at('apps/pigeon/results', 'resource/list.tsx'),
    at('apps/pigeon/results/:resultId', pigeon('result.tsx')),
    redirectRoute('apps/pigeon/settings'),
    ...resource('apps/pigeon/settings/notification-settings', 'notificationSettingId'),
    redirectRoute('apps/pigeon/tools'),
    at('apps/pigeon/tools/command-generator', pigeon('command-generator.tsx')),
  ]),
  layout('shell/card-layout.tsx', [
    at('setup-kroker', 'kroker/screens/setup-kroker.tsx'),
    at('setup-kroker/complete', 'kroker/screens/setup-kroker-complete.tsx'),
    at('authorize', 'signin/authorize.tsx'),
    at('signed-out', 'signin/signed-out.tsx'),
    at('403', 'shell/forbidden.tsx'),
    at('404', 'shell/not-found.tsx'),
    at('error', 'shell/error-page.tsx'),
    at('*', 'shell/not-found.tsx'),
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
    ].map((old) => redirectRoute(base + old)),
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
  at('apps/greac/connect/:sessionId', 'greac/screens/connect.tsx'),
  at('apps/alerthub/tools/:kind/exports/:exportId/file', screens('bulk-export-file.ts')),
  at('apps/alerthub/messages/:messageId/files/:file', screens('message-file.ts')),
  at('sign-out', 'signin/sign-out.ts'),
  at('sign-in-again', 'signin/sign-in-again.ts'),
  at('choices', 'shell/choices.ts'),
  at('find', 'shell/find.ts'),
  at('changes', 'shell/changes.ts'),
] satisfies UNSAFE_RouteConfig;
