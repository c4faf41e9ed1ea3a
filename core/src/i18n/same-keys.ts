// Type of a translated dictionary: exactly the keys of the English one.
export type SameKeys<T> = { readonly [K in keyof T]: string };
