import type { watch as en } from '../en/watch.ts';
import type { SameKeys } from '../same-keys.ts';

export const watch: SameKeys<typeof en> = {
  'watch.unwatched':
    '受信は監視していません。スロットが無効か、ハートビートも普段との比較も設定されていません。',
  'watch.heartbeat': '{{interval}}に1件以上の受信を想定しています。',
  'watch.beat': '通常は{{usual}}ごとに受信しており、過去4週間で最も長い間隔は{{longest}}でした。',
  'watch.week': '過去{{weeks}}週間の同じ時間帯（{{window}}）には、{{least}}～{{most}}件を受信していました。',
  'watch.overdue': '{{reason}}今回は受信していません。',
  'watch.learning': '利用期間が短く、まだ普段の受信傾向を判断できません。',
  'watch.irregular': '過去4週間の受信が不規則なため、次の受信の時期を想定できません。',
  'watch.silent-slots': '受信が途絶したスロット',
  'watch.subject-overdue': '受信の途絶',
  'watch.subject-returned': '受信の再開',
  'watch.intro': 'スペース「{{space}}」の受信スロットについてお知らせします。',
  'watch.never': '{{name}}: まだ1件も受信していません（期限 {{due}}）。',
  'watch.silent': '{{name}}: {{last}} を最後に受信していません（期限 {{due}}）。',
  'watch.returned': '{{name}}: 受信が再開しました（最終受信 {{last}}）。',
  'watch.link': '受信スロット: {{url}}',
  'watch.more': '（ほか {{count}} 件の受信スロット）',
  'watch.outro':
    '途絶と再開は、それぞれ1回だけお知らせします。想定する受信は各スロットの画面で設定できます。',
  'retention.shorter': 'メッセージの保存日数以上にしてください',
  'retention.about':
    '保存期間を過ぎたものは1時間ごとに削除します。空欄の場合は無期限に保存します。時間・日・月ごとの件数、監査ログ、設定は残ります。処理の完了を待っているものと、各深刻度の最後のイベントも残ります。',
  'retention.for-ever': '無期限',
  'retention.message-hint':
    'メッセージ本体、添付ファイル、判定の記録が対象です。リプレイで遡れるのもこの期間までです。',
  'retention.history-hint':
    'イベント、アクション記録、ランブック記録が対象です。メッセージより短くはできません。',
};
