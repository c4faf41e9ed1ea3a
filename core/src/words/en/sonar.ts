// Words of Sonar and Ksocket.
export const sonar = {
  'ksocket.most-tokens': 'A Ksocket has at most {{count}} tokens: remove one first',
  'sonar.snapshot.running': 'The scan is still running: abort it first',
  'sonar.scan.no-network': 'There is no such network',
  'sonar.scan.no-ksocket': 'The network has no Ksocket',
  'sonar.scan.disabled': 'Scanning is disabled for this network and its Ksocket',
  'sonar.scan.too-many-seeds': 'The starting addresses are more than {{count}}',
  'sonar.scan.not-connected': 'The Ksocket of the network is not connected',
  'sonar.scan.running': 'A scan of this network is running already',
  'sonar.scan.aborted': 'The scan was aborted',
  'sonar.scan.start': 'Start a scan',
  'sonar.note.write': 'Write a note',
  'sonar.note.none': 'Nobody has written a note yet',
  'sonar.note.none-detail':
    'Notes keep what scans cannot see: where it stands, whom to call, what was tried.',
  'sonar.note.changed': 'Changed by {{by}}, {{at}}',
  'sonar.search.unknown-field': 'There is no field “{{field}}”. Fields are: {{fields}}',
  'sonar.notice.example': 'This is an example of a notification.',
  'sonar.notice.scan-started': 'The scan of the network “{{network}}” has started.',
  'sonar.notice.scan-failedtostart': 'The scan of the network “{{network}}” could not be started.',
  'sonar.notice.scan-succeeded': 'The scan of the network “{{network}}” has succeeded.',
  'sonar.notice.scan-failed': 'The scan of the network “{{network}}” has failed.',
  'sonar.notice.node-found_one': '{{count}} new node was found in the network “{{network}}”.',
  'sonar.notice.node-found_other': '{{count}} new nodes were found in the network “{{network}}”.',
  'sonar.notice.node-outdated_one': '{{count}} node of the network “{{network}}” has not been seen for long.',
  'sonar.notice.node-outdated_other':
    '{{count}} nodes of the network “{{network}}” have not been seen for long.',
} as const;
