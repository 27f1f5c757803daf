/** What Markdown may be at most, so that no text takes more than some milliseconds to render. */
export const MARKDOWN = {
  /** Lists and quotations within each other. */
  depth: 8,
  /** Lines times characters: 500 lines of a text of 10,000 characters. */
  lines: 5_000_000,
  /** The work of a renderer: for each paragraph its signs that mark, times its characters, added up. */
  work: 400_000,
  /** Spaces, or signs of punctuation, in a row. */
  run: 500,
} as const;

/** Spaces and the marks of quotations and lists with which a line begins. */
const BEGINNING = /^(?:[ \t]|>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))*/;
const LEVELS = />|[-+*]|\d+[.)]/g;
/** An item, unless it continues a paragraph: only a list that goes on has one with a number other than 1. */
const ITEM = /^[ \t]*(?:([-+*]|1[.)])|\d{1,9}[.)])[ \t]+\S/;
const MARKS = /[\\`*_~[\]<@]|!(?=\S)|:\/\/|www\./g;
const LONG_RUN = new RegExp(`[ \\t]{${MARKDOWN.run + 1}}|[?!.,:;*_'"~()&]{${MARKDOWN.run + 1}}`);
const TAB = '    ';
const INDENT = 2;

/**
 * What keeps a text from being shown as Markdown, as it reads after the name of a field; null: nothing. Judged in one pass over the text
 * and without rendering it.
 */
export function markdownFault(text: string): string | null {
  const lines = text.split(/\r\n|[\r\n]/);
  if (lines.length * text.length > MARKDOWN.lines) return 'has too many lines for its length';
  if (lines.some((line) => depthOf(line) > MARKDOWN.depth))
    return `has lists or quotations more than ${MARKDOWN.depth} deep`;
  if (LONG_RUN.test(text)) return `has more than ${MARKDOWN.run} spaces or signs of punctuation in a row`;
  if (workOf(lines) > MARKDOWN.work) return 'has too many formatting signs in long paragraphs';
  return null;
}

function depthOf(line: string): number {
  const [beginning] = BEGINNING.exec(line)!;
  const levels = beginning.match(LEVELS)?.length ?? 0;
  // what is only indented is a paragraph of an item, or code
  return levels === 0 ? 0 : levels + Math.floor(beginning.replaceAll('\t', TAB).search(/\S/) / INDENT);
}

function workOf(lines: string[]): number {
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
