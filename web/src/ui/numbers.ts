interface Signs {
  decimal: string;
  group: string;
  digits: string[];
}

const toPlain = (text: string) => text.normalize('NFKC').replaceAll('’', "'").replace(/\s/g, ' ').trim();

function getSigns(language: string): Signs | null {
  try {
    const format = new Intl.NumberFormat(language);
    const parts = format.formatToParts(12_345.6);
    const sign = (type: 'decimal' | 'group') =>
      toPlain(parts.find((part) => part.type === type)?.value ?? '');
    return {
      decimal: sign('decimal'),
      group: sign('group'),
      digits: Array.from({ length: 10 }, (_, digit) => format.format(digit)),
    };
  } catch {
    return null; // some browsers report invalid language tags, such as en-US@posix
  }
}

const getPageLanguage = () => document.documentElement.lang || 'en';

/** A separator before the last one or two digits is a decimal one, as the last group has three digits. */
const SHORT_DECIMAL = /^(\d+)[.,](\d{1,2})$/;

/** Returns null for an unclear number. Returns text that isn't a number unchanged, for the form to refuse. */
export function readNumber(typed: string): string | null {
  const languages = [getPageLanguage(), navigator.language].map(getSigns).filter((signs) => signs !== null);
  const text = languages.reduce(
    (rest, { digits }) => digits.reduce((each, sign, digit) => each.replaceAll(sign, String(digit)), rest),
    toPlain(typed),
  );
  if (/^\d*$/.test(text) || !/^\d[\d.,'٫٬ ]*$/.test(text)) return text;
  const readings = [SHORT_DECIMAL.exec(text)];
  for (const { decimal, group } of languages) {
    const number = new RegExp(
      `^(\\d+|\\d{1,3}(?:[${group} ]\\d{2,3})*[${group} ]\\d{3})(?:[${decimal}](\\d+))?$`,
    );
    readings.push(number.exec(text));
  }
  const numbers = new Set(
    readings
      .filter((found) => found !== null)
      .map(([, whole = '', fraction]) => [whole.replace(/\D/g, ''), fraction].filter(Boolean).join('.')),
  );
  const [number = null] = numbers;
  return numbers.size === 1 ? number : null;
}

export const writeNumber = (plain: string): string =>
  plain.replace('.', getSigns(getPageLanguage())?.decimal ?? '.');
