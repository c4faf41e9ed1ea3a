export const why = {} as const;
