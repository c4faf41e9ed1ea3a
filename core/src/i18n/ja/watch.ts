import type { watch as en } from '../en/watch.ts';
import type { SameKeys } from '../same-keys.ts';

export const watch: SameKeys<typeof en> = {
  'watch.unwatched':
    '受信を監視していません。スロットが無効か、ハートビート間隔と受信途絶の通知のどちらも設定されていません。',
  'watch.heartbeat': '{{interval}}に1件以上の受信を想定しています。',
  'watch.beat': '通常は{{usual}}ごとに受信しており、過去4週間で最も長い間隔は{{longest}}でした。',
  'watch.week': '過去{{weeks}}週間の同じ時間帯（{{window}}）には、{{least}}〜{{most}}件を受信していました。',
  'watch.overdue': '{{reason}}今回は受信していません。',
  'watch.learning': '履歴が少なく、このスロットの通常の受信頻度をまだ判断できません。',
  'watch.irregular': '過去4週間の受信が不規則なため、次の受信を予測できません。',
  'watch.silent-slots': '受信が途絶したスロット',
  'watch.subject-overdue': '受信の途絶',
  'watch.subject-returned': '受信の再開',
  'watch.intro': 'スペース「{{space}}」の受信スロットについてお知らせします。',
  'watch.never': '{{name}}: まだメッセージを受信していません（期限: {{due}}）。',
  'watch.silent': '{{name}}: {{last}} 以降、メッセージを受信していません（期限: {{due}}）。',
  'watch.returned': '{{name}}: 受信が再開しました（最終受信: {{last}}）。',
  'watch.link': '受信スロット: {{url}}',
  'watch.more': '（ほか{{count}}件の受信スロット）',
  'watch.outro':
    '途絶と再開は、それぞれ1回だけ通知します。想定する受信間隔は、各スロットの画面で変更できます。',
  'retention.shorter': 'メッセージの保存日数以上にしてください',
  'retention.about':
    '保存期間を過ぎたデータは1時間ごとに削除します。空欄の場合は無期限に保存します。件数、監査ログ、設定、処理待ちの項目、各深刻度の最新のイベントは削除しません。',
  'retention.for-ever': '無期限',
  'retention.days-hint': '1〜3,650日で指定します。空欄の場合は無期限に保存します。',
  'retention.about-logs':
    '終了したセッションのログは、終了からこの日数が過ぎると削除します。セッション自体は、参加者や日時とともに残ります。',
  'retention.about-snapshots':
    'スナップショットは、スキャンの開始からこの日数が過ぎると削除します。各ネットワークで最後に成功したスナップショットと、管理ノード（メモ、タグ、パッケージを含む）は削除しません。',
  'retention.about-results':
    '通話結果は、終了からこの日数が過ぎると、電話番号や通話の経過とともに削除します。',
  'retention.message-hint':
    'メッセージ、添付ファイル、判定の経緯が対象です。リプレイできるのもこの期間までです。',
  'retention.history-hint':
    'イベント、アクション記録、ランブック記録が対象です。メッセージの保存日数以上にしてください。',
};
