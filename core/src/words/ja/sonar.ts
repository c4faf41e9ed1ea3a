import type { sonar as en } from '../en/sonar.ts';
import type { Same } from '../same.ts';

export const sonar: Same<typeof en> = {
  'ksocket.most-tokens':
    '1つのKsocketに登録できるトークンは{{count}}個までです。先に不要なトークンを削除してください',
  'sonar.snapshot.running': 'スキャンを実行中です。先に中止してください',
  'sonar.scan.no-network': 'ネットワークが見つかりません',
  'sonar.scan.no-ksocket': 'ネットワークにKsocketが設定されていません',
  'sonar.scan.disabled': 'このネットワークまたはKsocketのスキャンは無効になっています',
  'sonar.scan.too-many-seeds': '開始アドレスが{{count}}個を超えています',
  'sonar.scan.not-connected': 'ネットワークのKsocketが接続されていません',
  'sonar.scan.running': 'このネットワークはすでにスキャンを実行中です',
  'sonar.scan.aborted': 'スキャンは中止されました',
  'sonar.scan.start': 'スキャンを開始',
  'sonar.note.write': 'メモを書く',
  'sonar.note.none': 'メモはまだありません',
  'sonar.note.none-detail': '設置場所、連絡先、試した対処など、スキャンではわからないことを残せます。',
  'sonar.note.changed': '{{at}} {{by}}が変更',
  'sonar.diagram.no-element': 'ダイアグラムにこの要素はありません',
  'sonar.search.unknown-field': '「{{field}}」という項目はありません。使える項目: {{fields}}',
  'sonar.notice.example': 'これは通知の例です。',
  'sonar.notice.scan-started': 'ネットワーク「{{network}}」のスキャンを開始しました。',
  'sonar.notice.scan-failedtostart': 'ネットワーク「{{network}}」のスキャンを開始できませんでした。',
  'sonar.notice.scan-succeeded': 'ネットワーク「{{network}}」のスキャンが完了しました。',
  'sonar.notice.scan-failed': 'ネットワーク「{{network}}」のスキャンに失敗しました。',
  'sonar.notice.node-found_one': 'ネットワーク「{{network}}」で新しいノードを{{count}}台検出しました。',
  'sonar.notice.node-found_other': 'ネットワーク「{{network}}」で新しいノードを{{count}}台検出しました。',
  'sonar.notice.node-outdated_one':
    'ネットワーク「{{network}}」で長期間検出されていないノードが{{count}}台あります。',
  'sonar.notice.node-outdated_other':
    'ネットワーク「{{network}}」で長期間検出されていないノードが{{count}}台あります。',
};
