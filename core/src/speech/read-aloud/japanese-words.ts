// English words of operations in katakana, as they are said in Japanese.

const table = `
access アクセス / account アカウント / action アクション / active アクティブ / address アドレス / admin アドミン / agent エージェント / alarm アラーム
alert アラート / alerthub アラートハブ / alerts アラート / amazon アマゾン / and アンド / apache アパッチ / api エーピーアイ / app アプリ / application アプリケーション
auth オース / azure アジュール / backend バックエンド / backup バックアップ / batch バッチ / boot ブート / bridge ブリッジ / build ビルド / bus バス / cache キャッシュ
center センター / certificate サーティフィケート / change チェンジ / check チェック / clear クリア / client クライアント / cloud クラウド / cluster クラスター
com コム / connection コネクション / console コンソール / container コンテナ / control コントロール / controller コントローラー / core コア / count カウント
crit クリティカル / critical クリティカル / cron クロン / data データ / database データベース / datacenter データセンター / day デイ / dead デッド / default デフォルト
delay ディレイ / deploy デプロイ / dev デブ / device デバイス / disk ディスク / docker ドッカー / domain ドメイン / down ダウン / drive ドライブ / edge エッジ
email イーメール / emergency エマージェンシー / end エンド / engine エンジン / error エラー / errors エラー / event イベント / example エグザンプル / exporter エクスポーター
fail フェイル / failed フェイルド / failover フェイルオーバー / failure フェイラー / fan ファン / fatal フェイタル / file ファイル / filesystem ファイルシステム
fire ファイア / firewall ファイアウォール / firing 発生中 / free フリー / frontend フロントエンド / full フル / gateway ゲートウェイ / github ギットハブ / google グーグル
grafana グラファナ / group グループ / health ヘルス / heartbeat ハートビート / high ハイ / home ホーム / host ホスト / hour アワー / idle アイドル / in イン
incident インシデント / info インフォ / instance インスタンス / interface インターフェイス / internal インターナル / internet インターネット / is イズ / java ジャバ
job ジョブ / kernel カーネル / key キー / kubernetes クバネティス / lab ラボ / large ラージ / latency レイテンシー / limit リミット / link リンク / linux リナックス
list リスト / load ロード / local ローカル / localhost ローカルホスト / location ロケーション / log ログ / login ログイン / logs ログ / loss ロス / low ロー / mail メール
main メイン / major メジャー / manager マネージャー / master マスター / max マックス / memory メモリー / message メッセージ / micro マイクロ / middle ミドル
min ミン / minor マイナー / mode モード / monitor モニター / monitoring モニタリング / mount マウント / mysql マイエスキューエル / nagios ナギオス / name ネーム
net ネット / network ネットワーク / new ニュー / nginx エンジンエックス / node ノード / normal ノーマル / not ノット / notice ノーティス / number ナンバー / of オブ
off オフ / office オフィス / offline オフライン / ok オーケー / on オン / online オンライン / open オープン / oracle オラクル / order オーダー / org オルグ / out アウト
over オーバー / packet パケット / panic パニック / partition パーティション / password パスワード / ping ピング / point ポイント / pool プール / port ポート
postgres ポストグレス / postgresql ポストグレスキューエル / power パワー / print プリント / printer プリンター / problem プロブレム / process プロセス / prod プロド
production プロダクション / prometheus プロメテウス / proxy プロキシ / python パイソン / queue キュー / rack ラック / raid レイド / random ランダム / read リード / ready レディー
reboot リブート / recovery リカバリー / redis レディス / release リリース / remote リモート / report レポート / request リクエスト / reset リセット / resolved 解消
response レスポンス / restart リスタート / root ルート / router ルーター / rule ルール / run ラン / running ランニング / samba サンバ / scan スキャン / security セキュリティー
sensor センサー / server サーバー / service サービス / session セッション / severity シビアリティー / shop ショップ / shutdown シャットダウン / site サイト / slack スラック
slow スロー / space スペース / spare スペア / srv サーバー / staging ステージング / start スタート / status ステータス / stop ストップ / stopped ストップド / storage ストレージ
store ストア / stream ストリーム / success サクセス / support サポート / svr サーバー / swap スワップ / switch スイッチ / sync シンク / system システム / task タスク
temperature テンパラチャー / terminal ターミナル / test テスト / the ザ / threshold スレッショルド / time タイム / timeout タイムアウト / to トゥー / token トークン / tokyo トーキョー
osaka オーサカ / total トータル / traffic トラフィック / trap トラップ / trigger トリガー / trouble トラブル / ubuntu ウブントゥ / under アンダー / unit ユニット
unknown アンノウン / unreachable アンリーチャブル / up アップ / update アップデート / usage ユーセージ / used ユーズド / user ユーザー / version バージョン / video ビデオ
virtual バーチャル / volume ボリューム / warn ワーニング / warning ワーニング / web ウェブ / website ウェブサイト / windows ウィンドウズ / wireless ワイヤレス
worker ワーカー / write ライト / yagura ヤグラ / zabbix ザビックス / zone ゾーン / closed クローズド / accepted アクセプテッド / refused リフューズド / denied ディナイド
abuse アビューズ / blue ブルー / green グリーン / red レッド / yellow イエロー / hello ハロー / call コール / phone フォン / line ライン / drill ドリル / sonar ソナー
pigeon ピジョン / kroker クローカー / greac グリーク / ksocket ケーソケット / wiki ウィキ / blog ブログ / git ギット / dash ダッシュ / board ボード / dashboard ダッシュボード
`;

export const japaneseWords: ReadonlyMap<string, string> = new Map(
  table
    .split(/[\n/]/)
    .map((entry) => entry.trim().split(' ') as [string, string])
    .filter(([word]) => word !== ''),
);
