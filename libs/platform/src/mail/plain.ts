// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** Invisible characters that change the direction of the surrounding text. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u;
const ISOLATE = '\u2068';
const END_OF_ISOLATE = '\u2069';

/** Returns one line that can't end an email header or reorder the text around it. */
export function plain(value: string): string {
  const line = value.replaceAll(CONTROLS, ' ').replaceAll(DIRECTION_MARKS, '').trim();
  return RIGHT_TO_LEFT.test(line) ? `${ISOLATE}${line}${END_OF_ISOLATE}` : line;
}

/** Encodes an email address for a mailto link. Otherwise, `a?cc=x@b.co` would add a header. */
export const mailtoAddress = (email: string): string =>
  email.replaceAll(/[^\w.+@~!$'*=-]/g, encodeURIComponent);
