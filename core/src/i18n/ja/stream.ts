import type { stream as en } from '../en/stream.ts';
import type { SameKeys } from '../same-keys.ts';

export const stream: SameKeys<typeof en> = {
  'stream.unreachable': 'ゲートウェイから接続先に到達できません。',
  'stream.refused': '接続先に接続を拒否されました。',
  'stream.timeout': '接続先から応答がありません。',
  'stream.not-allowed': 'ゲートウェイの設定で、この接続先は許可されていません。',
  'stream.host-key-unknown': '接続先のホスト鍵が未登録です。未登録の鍵は拒否する設定になっています。',
  'stream.host-key-changed':
    '接続先のホスト鍵が変わりました。登録済みの鍵を削除する前に、理由を確認してください。',
  'stream.certificate-changed': '接続先の証明書が変わりました。',
  'stream.certificate-unknown': '接続先の証明書が未登録です。未登録の証明書は拒否する設定になっています。',
  'stream.sign-in-failed': '接続先で認証情報が受け付けられませんでした。',
  'stream.credential-unreadable': 'ゲートウェイで認証情報を復号できません。認証情報を再入力してください。',
  'stream.credential-not-for-host': 'この認証情報は、このホストには使用できません。',
  'stream.session-closed': 'セッションは終了しました。',
  'stream.session-conflict': '別の接続がこのデスクトップを引き継いだため、セッションが終了しました。',
  'stream.limit':
    'セッションまたは参加者の数が上限に達しています。セッションを終了してから再試行してください。',
  'stream.recording-failed': '記録できないため、セッションを終了しました。',
  'stream.log-key-not-allowed':
    'ゲートウェイの設定で、スペースの現在のログ鍵が許可されていないか、ログ鍵がありません。',
  'stream.protocol': 'ゲートウェイとこのプログラムのバージョンに互換性がありません。両方を更新してください。',
  'stream.name-not-found': '接続先のホスト名のアドレスがゲートウェイで見つかりません。',
  'stream.connection-closed': 'セッションを開く前に、接続先が接続を切断しました。',
  'stream.no-credential': '接続先に認証情報が設定されていません。接続先の設定で選択してください。',
  'stream.no-password':
    'このプロトコルにはパスワードの認証情報が必要です。接続先には秘密鍵の認証情報が設定されています。',
  'stream.private-key-unreadable':
    '認証情報の秘密鍵が不完全か、対応していない形式です。OpenSSH形式とPEM形式に対応しています。PuTTYの鍵はPuTTYgenで変換してください（Export OpenSSH key）。秘密鍵を再入力してください。',
  'stream.passphrase-missing':
    '認証情報の秘密鍵にはパスフレーズがありますが、認証情報にパスフレーズが設定されていません。両方を再入力してください。',
  'stream.passphrase-wrong': '認証情報のパスフレーズが秘密鍵のものと一致しません。両方を再入力してください。',
  'stream.public-key': '認証情報に秘密鍵ではなく公開鍵が設定されています。秘密鍵を入力してください。',
  'stream.no-common-algorithm':
    '接続先は古い暗号アルゴリズムにのみ対応しています。更新できない場合は、エージェントの設定の ssh.legacyHosts にアドレスを追加してください。',
  'stream.shell-refused': '認証情報は受け付けられましたが、接続先でシェルを開始できません。',
  'stream.no-tls': 'デスクトップがTLSによる暗号化に対応していません。暗号化は必須です。',
  'stream.other-protocol':
    '接続先からの応答がプロトコルに従っていません。接続先のプロトコルとポートを確認してください。',
  'stream.host-key-file':
    'ゲートウェイで登録済みのホスト鍵を読み書きできませんでした。理由はゲートウェイのログを確認してください。',
  'stream.not-accepted': '接続先の新しい鍵が承認されませんでした。',
  'stream.server-error': 'サーバーまたはゲートウェイで内部エラーが発生しました。',
  'stream.forbidden': 'このセッションに参加する権限がなくなりました。',
  'stream.gateway-away': 'ゲートウェイが接続されていません。',
  'stream.untrusted': 'ゲートウェイの新しい鍵が承認されませんでした。',
  'stream.no-kroker':
    'この接続先にはKrokerが設定されていません。セッションを開くには、Krokerを設定してください。',
  'stream.session-failed': 'セッションはエラーで終了しました。',
  'stream.ended': 'セッションが終了しました。',
  'stream.disconnected': '接続先との接続が切れました。',
  'stream.file.not-found': 'ファイルまたはフォルダーがありません。',
  'stream.file.not-allowed': 'ファイルまたはフォルダーへのアクセスが拒否されました。',
  'stream.file.not-in-control': 'アップロードできるのはセッションの操作権を持つユーザーだけです。',
  'stream.file.not-a-file': 'フォルダーまたは特殊ファイルです。ダウンロードできるのはファイルだけです。',
  'stream.file.directory': '同じ名前のフォルダーがあります。',
  'stream.file.too-large': 'ファイルが大きすぎます。',
  'stream.file.not-enabled': 'この接続先ではファイル転送が有効になっていません。',
  'stream.file.connection': 'ゲートウェイからファイル転送の接続を開けません。',
  'stream.file.no-sftp': '接続先がファイル転送（SFTP）に対応していません。',
  'stream.file.no-space': '接続先のディスクに空き容量がありません。',
  'stream.file.read-only': '接続先のディスクは読み取り専用です。',
  'stream.file.source-changed': '送信中にファイルが変更されました。最初からやり直してください。',
  'stream.file.failed': 'ファイルの転送に失敗しました。',
};
