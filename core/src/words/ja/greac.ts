import type { greac as en } from '../en/greac.ts';
import type { Same } from '../same.ts';

export const greac: Same<typeof en> = {
  'greac.host': 'ホスト名またはIPアドレスを入力してください（ポート番号は含めません）',
  'greac.remote-path': 'パスは「/」で始め、区切りには「/」だけを使ってください（2,047バイトまで）',
  'greac.not-of-kroker': '選択したKrokerの認証情報ではありません',
  'greac.other-destination': 'セッションの接続先は変更できません',
  'kroker.not-sealed': 'Kroker宛てに暗号化した値を指定してください（JWEコンパクト形式、ECDH-ESとA256GCM）',
  'kroker.wrong-key': '別のKroker、または以前の鍵に宛てて暗号化された値です',
  'kroker.bad-key': 'P-256の公開鍵（JWK）を指定してください',
};
