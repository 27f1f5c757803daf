import { closestLocale, type ProductLocale } from '@meetmark/contracts/locales';
import messageFormat from '@messageformat/core';

// its types name a `default` that the module itself is
const MessageFormat = messageFormat as unknown as typeof messageFormat.default;

/** Messages in ICU MessageFormat, by their names. */
interface Messages {
  [name: string]: string | Messages;
}

type Values = Record<string, string | number>;
type Same<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Same<Texts[Key]> };
type Words<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string ? (values?: Values) => string : Words<Texts[Key]>;
};

/** The texts of mails in each language: the closest to a member's or the community's. English outside of the United States says the same. */
export function catalogue<const Texts extends Messages>(
  english: Texts,
  others: Record<Exclude<ProductLocale, 'en-US' | 'en-GB'>, Same<Texts>>,
): (locale: string) => Words<Texts> {
  const all: Record<ProductLocale, Messages> = { 'en-US': english, 'en-GB': english, ...others };
  const made = new Map<ProductLocale, Words<Texts>>();
  return (tag) => {
    const locale = closestLocale(tag);
    const known = made.get(locale);
    if (known !== undefined) return known;
    // a mail without a word in the midst of a sentence is worse than none
    const format = new MessageFormat(locale, { requireAllArguments: true });
    const words = compiled(format, all[locale]) as Words<Texts>;
    made.set(locale, words);
    return words;
  };
}

function compiled(format: InstanceType<typeof MessageFormat>, messages: Messages): unknown {
  return Object.fromEntries(
    Object.entries(messages).map(([name, message]) => {
      if (typeof message !== 'string') return [name, compiled(format, message)];
      const say = format.compile(message);
      return [name, (values: Values = {}) => say(values)];
    }),
  );
}
