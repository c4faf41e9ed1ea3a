// Which voices are used.
export interface VoiceSettings {
  /** Voice file of open_jtalk, and after a colon its dictionary; found in the usual places if absent. */
  voiceJa?: string | undefined;
  /** HTTP service that speaks, and its bearer token. */
  voiceUrl?: string | undefined;
  voiceToken?: string | undefined;
}
