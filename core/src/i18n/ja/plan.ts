// Translations for plan and apply.
import type { plan as en } from '../en/plan.ts';
import type { SameKeys } from '../same-keys.ts';

export const plan: SameKeys<typeof en> = {
  'plan.about': '設定ファイルとスペースを比較',
  'plan.dir': 'フォルダーまたはファイル (YAML、JSON、CSV)',
  'plan.prune': 'ファイルにある種類のうち、ファイルにない項目を削除',
  'plan.save': 'apply 用に計画を保存',
  'plan.output': 'json',
  'plan.detailed-exitcode': '変更があれば終了コード 2 で終了',
  'plan.twice': 'ファイル内に重複しています',
  'plan.no-parent': '親の {{name}} がありません',
  'plan.bare-secret': '秘密情報はファイルに書けません。{ $env: 変数名 } と書いてください',
  'plan.no-variable': '環境変数 {{variable}} が設定されていません',
  'plan.no-reference': '{{name}} という {{kind}} はありません',
  'plan.unknown-field': 'この種類にない項目です。使える項目: {{fields}}',
  'plan.unknown-kind': '{{kind}} という種類はありません。使える種類: {{kinds}}',
  'plan.not-items': '項目のリストを指定してください',
  'plan.bulk-file': 'これは yagura import 用のファイルです',
  'plan.too-many': 'ファイルまたは項目が多すぎます (上限 {{most}})',
  'plan.no-files': '{{folder}} に YAML、JSON、CSV ファイルがありません',
  'plan.faults': 'ファイルに {{count}} 件の誤りがあります。何も変更していません',
  'plan.nothing': '変更はありません。スペースはファイルのとおりです',
  'plan.counts': '作成 {{create}} 件、変更 {{update}} 件、削除 {{delete}} 件、変更なし {{unchanged}} 件',
  'plan.left-alone': 'ファイルにない {{count}} 件はそのまま残ります (削除するには --prune)',
  'plan.stays': '{{name}} は残ります: {{reason}}',
  'plan.kept-self': '自分自身は削除できません',
  'plan.kept-privileged': '特権ユーザーは計画では削除しません',
  'plan.file-head':
    'yagura plan / apply 用の設定ファイル。参照は名前で指定し、秘密情報は環境変数から渡します。',
  'apply.about': '計画または設定ファイルのとおりにスペースを変更',
  'apply.plan': '計画ファイル、または設定のフォルダーかファイル',
  'apply.rollback': '元に戻すための計画の保存先',
  'apply.ask': '{{origin}} を変更しますか?',
  'apply.other-space': 'この計画は {{origin}} 用です ({{here}} ではありません)',
  'apply.no-plan': '{{source}} は計画ファイルではありません',
  'apply.moved': '計画後にスペースが変更されています ({{count}} 件)。もう一度計画してください',
  'apply.moved-one': '計画後にスペースが変更されています: {{name}}。もう一度計画してください',
  'apply.no-parent': '{{name}} がなくなっています。もう一度計画してください',
  'apply.rollback-saved':
    '元に戻すには yagura apply {{path}} を実行します (削除した項目の秘密情報は含みません)',
  'apply.created': '{{name}} を作成しました',
  'apply.updated': '{{name}} を変更しました',
  'apply.deleted': '{{name}} を削除しました',
  'apply.stopped':
    '{{taken}} 件を実行して停止しました。残り {{left}} 件です。同じコマンドで続きから実行できます',
  'apply.done': '完了: {{taken}} 件を実行、{{skipped}} 件は実行済みでした',
};
