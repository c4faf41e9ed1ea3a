// Names of the fields of a replay that travel beside those of the form around it.
export const replayFields = { intent: 'intent', days: 'replayDays', id: 'replayId' } as const;
