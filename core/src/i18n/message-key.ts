// Keys of the translations and the parameters of each message, as types derived from the English dictionary.
import type { en } from './en/all.ts';

type Dictionary = typeof en;

type PluralBase<Key> = Key extends `${infer Base}_other` ? Base : never;

/** Key of a message. Plural forms (`_one`, `_other`) have the key without the ending. */
export type MessageKey =
  | Exclude<keyof Dictionary, `${string}_one` | `${string}_other`>
  | PluralBase<keyof Dictionary>;

type Placeholders<Sentence> = Sentence extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Names<Key> = Key extends keyof Dictionary
  ? Placeholders<Dictionary[Key]>
  : Key extends string
    ? `${Key}_other` extends keyof Dictionary
      ? Placeholders<Dictionary[`${Key}_other`]> | 'count'
      : never
    : never;

/** Values of the placeholders of a message; for a union of keys, those of one of them. */
type MessageParams<Key> = Key extends string ? { readonly [Name in Names<Key>]: unknown } : never;

/**
 * Parameters after the key: required if each of the possible messages has placeholders, and unchecked for a
 * key that is only known at run time.
 */
export type MessageArguments<Key> = [MessageKey] extends [Key]
  ? [params?: Readonly<Record<string, unknown>>]
  : [Names<Key>] extends [never]
    ? [params?: Readonly<Record<string, never>>]
    : Record<never, never> extends MessageParams<Key>
      ? [params?: MessageParams<Key>]
      : [params: MessageParams<Key>];

/** Groups of keys whose last part comes from data. A test checks that the known values have a text. */
type DataKey =
  | `${'value' | 'label' | 'verb' | 'operator' | 'condition' | 'filter'}.${string}`
  | `why.${'status' | 'text' | 'time' | 'value'}.${string}`
  | `call.${string}.${string}`
  | `audit.${'action' | 'method' | 'resource'}.${string}`
  | `schedule.${'month' | 'ordinal'}.${number}`
  | `bulk.${'column' | 'kind'}.${string}`
  | `bulk.${string}-text`
  | `diagram.type.${string}`
  | `recipe.${string}.${'title' | 'about' | 'setup'}`
  | `users.app-${string}`
  | `cli.${'verb' | 'exports' | 'imports'}.${string}`
  | `tui.${'act' | 'keyname'}.${string}`;

/** The key of a message whose last part is only known at run time. An unknown key is displayed as it is. */
export function dataKey<Key extends DataKey>(key: Key): MessageKey {
  return key as never;
}

/**
 * The key of a stored or received reason. Types ensure that reasons are created with a known key; another
 * version of the program may have stored it.
 */
export function storedKey(word: string): MessageKey {
  return word as MessageKey;
}
