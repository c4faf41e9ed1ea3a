// The rules as zod pieces. Every custom check names its word in the issue's params; reason.ts turns it into a sentence.
import { z } from 'zod';
import { isDate } from './date.ts';
import { isEmail } from './email.ts';
import { isFilled } from './filled.ts';
import { isFuture } from './future.ts';
import { isIp, isIpOrCidr } from './ip.ts';
import { isIpv4, isIpv4Cidr, isIpv4OrCidr } from './ipv4.ts';
import { isIso8601 } from './iso8601.ts';
import { checkKeys, type KeyValueRow, keyValuesOf } from './key-values.ts';
import { firstListRefusal, type ListTextLimits } from './list-text.ts';
import { isEmptyOrInteger, isIntegerText, isJsonNumberText, isNumberText } from './number-text.ts';
import { isPassword } from './password.ts';
import { checkPattern, checkPatternSyntax, compilePattern } from './pattern.ts';
import { isPhone } from './phone.ts';
import type { Refusal } from './refusal.ts';
import { isRfc3339 } from './rfc3339.ts';
import { checkTextLength } from './text-length.ts';
import { isTime } from './time.ts';
import { isTimeZone, isUtcOffset } from './time-zone.ts';
import { isUrl, isUrlOrHost } from './url.ts';
import { checkWeekDays, type WeekDay } from './week-day.ts';
import { checkWideTime, type WideTimeLimits } from './wide-time.ts';

/** A piece from a plain yes-or-no check and its word. */
function text(word: string, check: (value: string) => boolean) {
  return () => z.string().refine(check, { params: { word } });
}

/** A piece from a plain check that says why it refuses. */
function refusing<S extends z.ZodType>(schema: S, check: (value: z.output<S>) => Refusal | undefined): S {
  return schema.check((context) => {
    const refusal = check(context.value as z.output<S>);
    if (refusal) context.issues.push({ code: 'custom', input: context.value, params: refusal });
  }) as S;
}

export const filledText = /* @__PURE__ */ text('rule.required', isFilled);
export const emailText = /* @__PURE__ */ text('rule.email', isEmail);
export const urlText = /* @__PURE__ */ text('rule.url', isUrl);
export const urlOrHostText = /* @__PURE__ */ text('rule.urlOrHost', isUrlOrHost);
export const iso8601Text = /* @__PURE__ */ text('rule.iso8601', isIso8601);
export const rfc3339Text = /* @__PURE__ */ text('rule.rfc3339', isRfc3339);
export const dateText = /* @__PURE__ */ text('rule.date', isDate);
export const timeText = /* @__PURE__ */ text('rule.time', isTime);
export const timeZoneText = /* @__PURE__ */ text('rule.timeZone', isTimeZone);
export const utcOffsetText = /* @__PURE__ */ text('rule.utcOffset', isUtcOffset);
export const ipv4Text = /* @__PURE__ */ text('rule.ipv4', isIpv4);
export const ipv4CidrText = /* @__PURE__ */ text('rule.cidr', isIpv4Cidr);
export const ipv4OrCidrText = /* @__PURE__ */ text('rule.ipv4OrCidr', isIpv4OrCidr);
export const ipText = /* @__PURE__ */ text('rule.ip', isIp);
export const ipOrCidrText = /* @__PURE__ */ text('rule.ipOrCidr', isIpOrCidr);
export const numberText = /* @__PURE__ */ text('rule.number', isNumberText);
export const integerText = /* @__PURE__ */ text('rule.integer', isIntegerText);
export const jsonNumberText = /* @__PURE__ */ text('rule.jsonNumber', isJsonNumberText);
export const passwordText = /* @__PURE__ */ text('rule.password', isPassword);
export const phoneText = /* @__PURE__ */ text('rule.phone', isPhone);

/** A date or date-time after the clock's present (epoch milliseconds), read in the zone. */
export const futureText = (clock: () => number, timeZone: string) =>
  text('rule.future', (value) => isFuture(value, clock(), timeZone))();

/** Text by characters that a person sees. */
export const lengthText = (limits: { min?: number; max?: number }) =>
  refusing(z.string(), (value) => checkTextLength(value, limits));

/** Text in which an RE2 pattern is found. Throws PatternError at once for a pattern that RE2 refuses. */
export const patternText = (pattern: string) => {
  compilePattern(pattern);
  return refusing(z.string(), (value) => checkPattern(value, pattern));
};

/** Text that is itself an RE2 pattern. */
export const patternSyntaxText = () => refusing(z.string(), checkPatternSyntax);

/** Empty text, or an integer of at least `min`. */
export const emptyOrIntegerText = (min: number) =>
  z
    .string()
    .refine((value) => isEmptyOrInteger(value, min), { params: { word: 'rule.emptyOrInteger', min } });

/** A wide time within its limits. */
export const wideTimeText = (limits: WideTimeLimits = {}) =>
  refusing(z.string(), (value) => checkWideTime(value, limits));

/** At least one day of the week, each once. */
export const weekDayList = () =>
  refusing(z.array(z.string()), checkWeekDays) as unknown as z.ZodType<WeekDay[]>;

/** The items of a list-valued field. Throws PatternError at once for a pattern that RE2 refuses. */
export const listItems = (limits: ListTextLimits = {}) => {
  if (limits.pattern !== undefined) compilePattern(limits.pattern);
  return refusing(z.array(z.string()), (items) => firstListRefusal(items, limits));
};

/** The rows of a key/value editor, each key once, as an object. */
export const keyValueList = () =>
  z
    .array(z.object({ key: z.string(), value: z.string() }))
    .check((context) => {
      checkKeys(context.value as KeyValueRow[]).forEach((refusal, index) => {
        if (refusal) {
          context.issues.push({
            code: 'custom',
            input: context.value,
            path: [index, 'key'],
            params: refusal,
          });
        }
      });
    })
    .transform((rows) => keyValuesOf(rows) ?? {});

/** An object whose field `name` must equal its field `other`; `label` is how people call the other field. */
export const withEqual = <S extends z.ZodObject>(schema: S, name: string, other: string, label: string) =>
  schema.refine((value) => Object.is(value[name], value[other]), {
    path: [name],
    params: { word: 'rule.equal', field: label },
  });
