import type { agent as en } from '../en/agent.ts';
import type { SameKeys } from '../same-keys.ts';

export const agent: SameKeys<typeof en> = {
  'agent.about':
    '拠点内のネットワークのスキャン、リクエストの送信、リモートセッションの接続を行うYaguraのエージェントです。',
  'agent.help.after': `
環境変数:
  YAGURA_AGENT_SETTINGS   設定ファイル（デフォルト: /etc/yagura-agent/agent.toml）
  YAGURA_LANG             en または ja（デフォルト: ロケールに従う）

終了コード: 0 成功、1 失敗、2 無効なコマンド、130 中断。
`,
  'agent.option.settings': '設定ファイル（デフォルト: /etc/yagura-agent/agent.toml）',
  'agent.option.json': 'JSONで出力',
  'agent.setup': 'このエージェントの設定を作成',
  'agent.setup.url': 'スペースのURL（例: https://ops.example.com）',
  'agent.setup.token-file': 'Ksocketトークンのファイル（- は標準入力）',
  'agent.setup.allow': 'スキャンを許可するネットワーク、または none',
  'agent.setup.state-folder': '未完了の処理のフォルダー（デフォルト: /var/lib/yagura-agent）',
  'agent.setup.replace': '既存の設定を置き換え',
  'agent.setup.ask-url': 'スペースのURL:',
  'agent.setup.ask-token': 'Ksocketトークン:',
  'agent.setup.ask-networks':
    'スキャンを許可するネットワーク（カンマ区切り。yes で{{networks}}、none で許可なし）:',
  'agent.setup.exists': '{{file}} はすでに存在します。設定を作り直すには --replace を付けてください。',
  'agent.setup.network': 'IPv4アドレスまたはネットワークではありません: {{network}}',
  'agent.setup.done': '設定を {{file}} に保存しました',
  'agent.setup.allowed': 'スキャンを許可するネットワーク: {{networks}}',
  'agent.setup.nothing-allowed':
    'スキャンを許可するネットワークがありません。{{file}} の allowed に追加してください。',
  'agent.gateway': 'リモートセッションのゲートウェイ（Kroker）を設定',
  'agent.gateway.setup': 'このマシンをスペースのKrokerとして登録',
  'agent.gateway.allow': 'セッションを許可するネットワーク（なしの場合は none）',
  'agent.gateway.ask-networks':
    'セッションを許可するネットワーク（カンマ区切り。yes で{{networks}}、none で許可なし）:',
  'agent.gateway.exists':
    '{{file}} にはすでにゲートウェイの設定があります。鍵を作り直すには --replace を付けてください。',
  'agent.gateway.allowed': 'セッションを許可するネットワーク: {{networks}}',
  'agent.gateway.nothing-allowed':
    'まだどのセッションも許可されていません。{{file}} の sessions.allowed にネットワークを追加してください。',
  'agent.gateway.refused': 'スペースがこのマシンを受け付けませんでした: {{reason}}',
  'agent.gateway.key-file':
    '{{file}} はKrokerの鍵ファイルではありません。yagura-agent gateway setup を実行してください。',
  'agent.gateway.other-space': '{{file}} はスペース {{url}} のものです。設定の url を修正してください。',
  'agent.gateway.forget': '承認したsshホスト鍵を削除（ホストを再インストールした場合など）',
  'agent.gateway.host': 'ホスト名またはアドレスではありません: {{host}}',
  'agent.gateway.port': 'ポートではありません: {{port}}。1〜65535の整数を入力してください。',
  'agent.gateway.no-host-key': '{{host}}のポート{{port}}のホスト鍵は保存されていません',
  'agent.gateway.forgotten': '{{host}}のポート{{port}}のホスト鍵を削除しました',
  'agent.run': 'サーバーに接続し、停止するまで指示を実行',
  'agent.doctor': 'サーバーへの接続を確認し、認証情報ファイルごとに最後の結果を表示',
  'agent.doctor.good': '正常',
  'agent.doctor.attention': '注意',
  'agent.doctor.bad': '問題あり',
  'agent.doctor.settings': '設定',
  'agent.doctor.reach': '接続',
  'agent.doctor.encryption': '暗号化',
  'agent.doctor.certificate': '証明書',
  'agent.doctor.clock': '時計',
  'agent.doctor.token': 'トークン',
  'agent.doctor.gateway-token': 'ゲートウェイのトークン',
  'agent.doctor.credential': '認証情報',
  'agent.doctor.credential-opened_one': '{{count}}台にサインイン（最後: {{address}}、{{at}}）',
  'agent.doctor.credential-opened_other': '{{count}}台にサインイン（最後: {{address}}、{{at}}）',
  'agent.doctor.credential-refused_one': '{{count}}台で失敗（最後: {{address}}、{{at}}、{{code}}）',
  'agent.doctor.credential-refused_other': '{{count}}台で失敗（最後: {{address}}、{{at}}、{{code}}）',
  'agent.doctor.credential-unused': '未使用',
  'agent.doctor.credential-check': 'yagura-agent check で詳細を確認してください',
  'agent.doctor.credential-remedy':
    'この認証情報を受け付けたホストがありません。値と includes を確認してください。',
  'agent.doctor.reach-remedy': '設定の url、ネームサーバー、ファイアウォールを確認してください',
  'agent.doctor.encryption-remedy': '接続が暗号化されていません。httpsのURLを使用してください。',
  'agent.doctor.clock-remedy': 'このマシンの時計を合わせてください',
  'agent.doctor.token-remedy':
    'トークンが削除されたか、有効期限が切れています。コンソールで作成し直してください。',
  'agent.doctor.blocked-remedy': 'スペースのIPアドレス制限でこのマシンが許可されていません',
  'agent.doctor.server-remedy': 'このURLはYaguraのサーバーではありません',
  'agent.doctor.redirect-remedy':
    '別のURLに転送されましたが、エージェントは転送に従いません。転送先のURLを設定に入力してください。',
  'agent.doctor.answer-remedy':
    'Yaguraのサーバーの応答ではありません。サーバーと、その手前のプロキシがWebSocket接続を通すことを確認してください。',
  'agent.check': '設定、トークン、認証情報ファイルを確認（何も送信しません）',
  'agent.check.url': 'スペース',
  'agent.check.scan': 'スキャン',
  'agent.check.addresses_one': '{{count}}アドレス',
  'agent.check.addresses_other': '{{count}}アドレス',
  'agent.check.ports': 'ポート',
  'agent.check.pace': '速度',
  'agent.check.pace-value': '毎秒{{packetsPerSecond}}パケット、同時{{parallelHosts}}台',
  'agent.check.requests': 'リクエスト',
  'agent.check.gateway': 'ゲートウェイ',
  'agent.check.sessions': 'セッション',
  'agent.check.session-ports': 'セッションのポート',
  'agent.check.log-key': 'ログ鍵',
  'agent.check.no-sessions':
    'どのセッションも許可されていません。{{file}} の sessions.allowed にネットワークを追加してください。',
  'agent.check.credential': '認証情報',
  'agent.check.ignored':
    '使用されません: {{file}}。認証情報ファイルは、ssh、winrm、snmp フォルダーに 名前.toml として置いてください。',
  'agent.check.nothing':
    'スキャンを許可するネットワークがありません。{{file}} の scan.allowed に追加してください。',
  'agent.state.locked':
    '別のエージェント（プロセス{{pid}}）が状態フォルダー {{folder}} を使用しています。停止するか、stateFolder を変更してください。',
  'agent.hosts': 'サインインしたホストの鍵',
  'agent.hosts.list': '保存した鍵の一覧を表示',
  'agent.hosts.forget': 'アドレスの鍵を削除（次のサインインで新しい鍵を保存）',
  'agent.hosts.address': 'IPv4アドレスではありません: {{address}}',
  'agent.hosts.forgotten': '削除しました: {{address}}（{{protocol}}、ポート{{port}}）、{{fingerprint}}',
  'agent.hosts.unknown': '保存された鍵がありません: {{addresses}}',
  'agent.scan': 'スキャンの対象を表示',
  'agent.scan.dry-run': 'スキャンを見積もり、対象を表示（何も送信しません）',
  'agent.scan.only-dry': 'スキャンはコンソールから開始します。見積もりには --dry-run を付けてください。',
  'agent.scan.estimate': '{{addresses}}アドレス、{{packets}}パケット、約{{seconds}}秒',
  'agent.scan.target': '対象',
  'agent.scan.excluded': '対象外',
  'agent.excluded.SPECIAL_ADDRESS':
    'ループバックやメタデータなどの特殊なアドレス（エージェントの設定での明示が必要）',
  'agent.excluded.NOT_ALLOWED_BY_SITE': 'エージェントの設定で許可されていません',
  'agent.excluded.FORBIDDEN_BY_SITE': 'エージェントの設定で禁止されています',
  'agent.excluded.NOT_ALLOWED_BY_SERVER': 'スキャン設定で許可されていません',
  'agent.excluded.FORBIDDEN_BY_SERVER': 'スキャン設定で禁止されています',
  'agent.rule.origin': 'https://ops.example.com のような、パスのないURLを入力してください',
  'agent.token-format': '{{file}} にKsocketトークンがありません。トークン全体をコピーしてください。',
  'agent.file.unreadable': '{{file}} を読み取れません: {{reason}}',
  'agent.file.unwritable': '{{file}} に書き込めません: {{reason}}',
  'agent.file.not-regular': '{{file}} は通常のファイルではありません',
  'agent.file.not-folder': '{{file}} はフォルダーではありません',
  'agent.file.open': '{{file}} にほかのユーザーがアクセスできます。chmod 600 を実行してください。',
  'agent.file.writable': 'フォルダー {{file}} にほかのユーザーが書き込めます。chmod 700 を実行してください。',
  'agent.file.owner': '{{file}} の所有者は別のユーザーです。そのユーザーで yagura-agent を実行してください。',
  'agent.file.large': '{{file}} が{{maxBytes}}バイトを超えています',
  'agent.file.encoding': '{{file}} はUTF-8のテキストではありません',
  'agent.file.key': '{{file}}: {{path}} の鍵をこのパスフレーズで読み取れません',
  'agent.file.signing-key': '{{file}} に署名鍵がありません。作り直すには、このファイルを削除してください。',
  'agent.file.toml': '{{file}} はTOMLとして読み取れません: {{line}}行{{column}}列',
  'agent.file.invalid': '{{file}} に無効な値があります:',
};
