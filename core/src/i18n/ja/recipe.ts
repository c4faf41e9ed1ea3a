import type { recipe as en } from '../en/recipe.ts';
import type { SameKeys } from '../same-keys.ts';

export const recipe: SameKeys<typeof en> = {
  'recipe.anything.title': 'その他',
  'recipe.title': 'レシピから受信スロットを作成',
  'recipe.from': 'レシピから作成',
  'recipe.choose': 'メッセージの送信元を選択してください。受信スロット、ルール、送信元の設定例を作成します。',
  'recipe.search': 'レシピを検索',
  'recipe.none': '一致するレシピはありません',
  'recipe.sender': '送信元',
  'recipe.scope-missing': 'スコープを選択するか、新しいスコープの名前を入力してください',
  'recipe.scope-hint': 'スコープを選択しない場合に使用します。',
  'recipe.setup': '送信元の設定',
  'recipe.snippet': '送信元の設定例',
  'recipe.waiting': '最初のメッセージを待っています…',
  'recipe.arrived': '最初のメッセージを受信しました',
  'recipe.open-slot': '受信スロットを開く',
  'recipe.undone': '何も作成されていません。',
  'recipe.left': '次の項目を削除できませんでした: {{items}}。',
  'recipe.unknown': 'レシピ「{{name}}」はありません。一覧: yagura alerthub receive-slots recipes',
  'recipe.cli-list': '送信元の種類に合わせて受信スロットを設定するレシピを一覧表示',
  'recipe.cli-recipe': 'ルールも作成し、送信元の設定例を表示するレシピ',
  'recipe.cli-scope': '--recipe と併用: ルールのスコープの名前またはID。その名前のスコープがなければ作成',
  'recipe.alertmanager.about':
    'PrometheusのアラートをAlertmanagerから1件ずつ、またはグループで受信します。ラベル「severity」で警告と異常を判定します。',
  'recipe.alertmanager.setup': '次の内容をalertmanager.ymlに追加し、Alertmanagerを再読み込みしてください。',
  'recipe.grafana.about':
    'Grafana Alertingのアラートを受信します。ラベル「severity」で警告と異常を判定します。',
  'recipe.grafana.setup':
    '次の内容をprovisioning/alertingフォルダーに保存してGrafanaを再起動するか、このURLでWebhookのコンタクトポイントを作成してください。その後、通知ポリシーで選択してください。',
  'recipe.zabbix.about':
    'Zabbix 6.0以降の障害を受信します。深刻度が「軽度の障害」以上の場合は異常と判定します。',
  'recipe.zabbix.setup':
    '次のファイルを［通知］の［メディアタイプ］（6.4より前は［管理］の［メディアタイプ］）にインポートし、ホストの読み取り権限を持つユーザーに割り当ててください（［送信先］は任意の文字列）。そのユーザーに通知するトリガーアクションを、復旧時と更新時の実行内容も含めて有効にしてください。',
  'recipe.datadog.about': 'DatadogのモニターをWebhooksインテグレーションから受信します。',
  'recipe.datadog.setup':
    '次のコマンドでWebhookを作成し、モニターのメッセージに @webhook-yagura を記述してください。サイトがdatadoghq.com以外の場合はDD_SITEを設定してください。',
  'recipe.cloudwatch.about': 'CloudWatchのアラームをSNSトピックから受信します。',
  'recipe.cloudwatch.setup':
    'トピックのARNを指定して次のコマンドを実行してください。サブスクリプションは受信スロットが自動で承認します。承認されない場合は、受信スロットのページの「拒否したリクエスト」を確認してください。',
  'recipe.mackerel.about': 'Mackerelのアラートを受信します。手動でクローズしたものも反映します。',
  'recipe.mackerel.setup':
    '次のコマンドを実行するか、このURLでWebhookのチャンネルを作成し、通知グループに追加してください。',
  'recipe.azure-monitor.about':
    'Azure Monitorのアラートを共通アラートスキーマで受信します。Sev0とSev1は異常と判定します。',
  'recipe.azure-monitor.setup':
    '次のコマンドを実行し、アラートルールでアクショングループを選択してください。',
  'recipe.google-cloud-monitoring.about': 'Google Cloud Monitoringのインシデントを受信します。',
  'recipe.google-cloud-monitoring.setup':
    '次のコマンドを実行し、アラートポリシーでチャンネルを選択してください。',
  'recipe.pagerduty-events.about':
    'PagerDutyにイベントを送信できるプログラムから受信します。イベントにはdedup_keyが必要です。',
  'recipe.pagerduty-events.setup':
    'プログラムに設定したPagerDuty Events APIのURLを、このURLに変更してください。ルーティングキーは任意の文字列で構いません。',
  'recipe.nagios-mail.about': 'Nagiosの通知メールを、サンプル設定の形式で受信します。',
  'recipe.nagios-mail.setup':
    '次の連絡先を設定に追加し、連絡先グループに含めてください。ダウンタイム中に解決した障害も終了させるには、ホストとサービスのnotification_optionsにsを追加してください。',
  'recipe.icinga-mail.about': 'Icinga 2の通知メールを、付属スクリプトの形式で受信します。',
  'recipe.icinga-mail.setup':
    '次のユーザーをusers.confと通知のユーザーに追加し、Icingaを再読み込みしてください。',
  'recipe.monit-mail.about':
    'Monitのメールを受信します。サービスが動作していない場合は異常、その他の問題は警告と判定します。Monitが再通知しない問題は24時間後に終了します。',
  'recipe.monit-mail.setup':
    '次の内容をmonitrcの「set mailserver」の後に追加し、Monitを再読み込みしてください。',
  'recipe.disk-mail.about':
    'LinuxのディスクとRAIDアレイの障害を知らせるメールを受信します。終了は通知されないため、最後のメールの25時間後に終了します。',
  'recipe.disk-mail.setup':
    '各ファイルの該当する行を次の内容に置き換え、両方のサービスを再起動してください。送信にはmailコマンドとsendmailコマンドが使用されます。mdadmに繰り返し通知させるには、mdmonitor-oneshot.timerを有効にしてください。',
  'recipe.cron-mail.about':
    'コマンドの出力を知らせるcronのメールを受信します。警告となり、最後のメールの25時間後に終了します。',
  'recipe.cron-mail.setup': '次の行をcrontabの先頭に追加してください。',
  'recipe.netdata.about': 'Netdataエージェントのアラートをカスタム通知から受信します。',
  'recipe.netdata.setup':
    '次の内容をhealth_alarm_notify.confの末尾に追加してください。定義を変更したアラートの終了もNetdataから通知するには、「systemctl edit netdata」で[Service]に Environment=clear_alarm_always=YES を追加し、Netdataを再起動してください。',
  'recipe.uptime-kuma.about': 'Uptime Kumaの監視を受信します。',
  'recipe.uptime-kuma.setup': '次の値で、種類がWebhookの通知を作成してください。',
  'recipe.anything.about': '名前とステータスをJSONで送信できるスクリプトやプログラムから受信します。',
  'recipe.anything.setup': '次のようなメッセージを送信してください。',
};
