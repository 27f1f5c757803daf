import { DOMParser as DocumentParser } from 'prosemirror-model';
import { schema, toMarkdown } from '../../editor/markdown-document';
import { cleanPasted } from '../../editor/pasted';
import { cleanText } from './read-file';

const HTML = /<(p|br|div|ul|ol|li|a|b|strong|em|i|h[1-6]|span)\b[^<>]{0,1000}>/i;
const NESTED = /<(ul|ol|blockquote)\b/gi;
/** Converting lists inside lists takes a time that grows with the third power of their depth. */
const MOST_NESTED = 100;

interface Description {
  description: string | null;
  isMarkdown: boolean;
}

/** Converts HTML to Markdown, as the editor does with pasted text. Other text stays as it is. */
export function readDescription(text: string | null): Description {
  if (text === null || !HTML.test(text)) return { description: text, isMarkdown: false };
  if ((text.match(NESTED)?.length ?? 0) <= MOST_NESTED)
    try {
      const { body } = new DOMParser().parseFromString(cleanPasted(text), 'text/html');
      // again, because entities can contain control characters, and escaping makes the text longer
      const description = cleanText(toMarkdown(DocumentParser.fromSchema(schema).parse(body)));
      return { description, isMarkdown: description !== null };
    } catch {
      // nested more deeply than the call stack
    }
  return { description: cleanText(text.replaceAll(/<[^<>]{0,1000}>/g, ' ')), isMarkdown: false };
}
