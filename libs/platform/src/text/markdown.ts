import { markdownFault } from '@meetmark/contracts';
import { type MarkedToken, Marked, type Token, type Tokens } from 'marked';

const parser = new Marked({ gfm: true, breaks: true });

/** Null: it was stored before Markdown had a bound, and is shown as it was typed. */
export const tokensOf = (markdown: string): Token[] | null =>
  markdownFault(markdown) === null ? parser.lexer(markdown) : null;

/** Markdown as text, for what shows no markup. HTML in it stays as it was typed. */
export function textOfMarkdown(markdown: string, tokens = tokensOf(markdown)): string {
  return tokens === null ? markdown : blocks(tokens);
}

const blocks = (tokens: Token[]): string =>
  tokens
    .map((token) => block(token as MarkedToken).trimEnd())
    .filter((text) => text !== '')
    .join('\n\n');

function block(token: MarkedToken): string {
  if (token.type === 'list') return token.items.map((item, index) => listed(token, item, index)).join('\n');
  if (token.type === 'blockquote') return blocks(token.tokens);
  if (token.type === 'hr' || token.type === 'space' || token.type === 'def') return '';
  return inline(token);
}

function listed({ ordered, start }: Tokens.List, item: Tokens.ListItem, index: number): string {
  const mark = ordered ? `${Number(start) + index}. ` : '- ';
  const lines = item.tokens.map((token) => block(token as MarkedToken).trimEnd()).join('\n');
  return mark + lines.replaceAll('\n', `\n${' '.repeat(mark.length)}`);
}

/** What follows the words of a link. */
const address = ({ href, text }: Tokens.Link) =>
  href === text || href === `mailto:${text}` || !/^(https?|mailto):/i.test(href) ? '' : ` (${href})`;

function inline(token: MarkedToken): string {
  if (token.type === 'br') return '\n';
  if (token.type === 'html') return token.raw;
  if (token.type === 'image') return token.text;
  const words =
    'tokens' in token && token.tokens !== undefined
      ? token.tokens.map((part) => inline(part as MarkedToken)).join('')
      : 'text' in token
        ? token.text
        : token.raw;
  return token.type === 'link' ? words + address(token) : words;
}
