import { DOMParser as DocumentParser } from 'prosemirror-model';
import { schema, toMarkdown } from '../../editor/markdown-document';
import { cleanPasted } from '../../editor/pasted';

const HTML = /<(p|br|div|ul|ol|li|a|b|strong|em|i|h[1-6]|span)\b[^<>]{0,1000}>/i;

interface Description {
  description: string | null;
  isMarkdown: boolean;
}

/** Converts HTML to Markdown, as the editor does with pasted text. Other text stays as it is. */
export function readDescription(text: string | null): Description {
  if (text === null || !HTML.test(text)) return { description: text, isMarkdown: false };
  try {
    const { body } = new DOMParser().parseFromString(cleanPasted(text), 'text/html');
    const markdown = toMarkdown(DocumentParser.fromSchema(schema).parse(body));
    return { description: markdown || null, isMarkdown: markdown !== '' };
  } catch {
    // nested more deeply than the call stack
    return { description: text.replaceAll(/<[^<>]{0,1000}>/g, ' ').trim() || null, isMarkdown: false };
  }
}
