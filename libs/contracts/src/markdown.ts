/** Limits that keep rendering within a few milliseconds. */
export const MARKDOWN = {
  depth: 8,
  /** Lines multiplied by characters. */
  lines: 5_000_000,
  /** Sum over all paragraphs and list items: markup characters multiplied by length. */
  work: 400_000,
  /** Maximum number of consecutive spaces or punctuation characters. */
  run: 500,
} as const;

const BEGINNING = /^(?:[ \t]|>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))*/;
const LEVELS = />|[-+*]|\d+[.)]/g;
/** Group 1 is set for markers that can start a list inside a paragraph (CommonMark). */
const ITEM = /^[ \t]*(?:([-+*]|1[.)])|\d{1,9}[.)])[ \t]+\S/;
const MARKS = /[\\`*_~[\]<@]|!(?=\S)|:\/\/|www\./g;
const LONG_RUN = new RegExp(`[ \\t]{${MARKDOWN.run + 1}}|[?!.,:;*_'"~()&]{${MARKDOWN.run + 1}}`);
const TAB = '    ';
const INDENT = 2;

/**
 * Checks a text without rendering it. Returns null, or a reason that completes a sentence starting with the
 * field's name.
 */
export function markdownFault(text: string): string | null {
  const lines = text.split(/\r\n|[\r\n]/);
  if (lines.length * text.length > MARKDOWN.lines) return 'has too many lines';
  if (lines.some((line) => getDepth(line) > MARKDOWN.depth))
    return `has lists or quotes nested more than ${MARKDOWN.depth} levels deep`;
  if (LONG_RUN.test(text)) return `has more than ${MARKDOWN.run} spaces or punctuation marks in a row`;
  if (estimateWork(lines) > MARKDOWN.work) return 'has too many formatting characters in long paragraphs';
  return null;
}

function getDepth(line: string): number {
  const [beginning] = BEGINNING.exec(line)!;
  const levels = beginning.match(LEVELS)?.length ?? 0;
  // A line without markers adds no level, even if it is indented. It belongs to an item or is code.
  return levels === 0 ? 0 : levels + Math.floor(beginning.replaceAll('\t', TAB).search(/\S/) / INDENT);
}

function estimateWork(lines: string[]): number {
  let work = 0;
  let [characters, marks, inList] = [0, 0, false];
  for (const line of lines) {
    const item = ITEM.exec(line);
    const begins = item !== null && (inList || item[1] !== undefined);
    if (begins || line.trim() === '') {
      work += characters * marks;
      [characters, marks, inList] = [0, 0, begins];
    }
    characters += line.length + 1;
    marks += line.match(MARKS)?.length ?? 0;
  }
  return work + characters * marks;
}
