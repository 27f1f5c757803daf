import { markdownFault } from '@meetmark/contracts';
import { type MarkedToken, Marked, type Token, type Tokens } from 'marked';

const parser = new Marked({ gfm: true, breaks: true });

/**
 * Returns null for Markdown beyond the limits, which is shown as entered. It was stored before the limits
 * existed.
 */
export const parseTokens = (markdown: string): Token[] | null =>
  markdownFault(markdown) === null ? parser.lexer(markdown) : null;

export function textOfMarkdown(markdown: string, tokens = parseTokens(markdown)): string {
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

/**
 * Version of the output. Increase it when `htmlOfMarkdown` or `textOfMarkdown` changes, so that stored output
 * is rendered again.
 */
export const RENDERER = 1;

/**
 * Returns HTML with only these elements: p br strong em del a ul ol li h3 blockquote code pre hr. Images
 * become their alt text, and HTML becomes text. Null if the text should be shown as entered.
 */
export function htmlOfMarkdown(markdown: string, tokens = parseTokens(markdown)): string | null {
  return tokens === null ? null : htmlBlocks(tokens);
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const htmlBlocks = (tokens: Token[] = []): string =>
  tokens.map((token) => htmlBlock(token as MarkedToken)).join('');

function htmlBlock(token: MarkedToken): string {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return '';
    case 'hr':
      return '<hr>';
    case 'heading':
      return `<h3>${htmlRuns(token.tokens)}</h3>`;
    case 'blockquote':
      return `<blockquote>${htmlBlocks(token.tokens)}</blockquote>`;
    case 'list': {
      const items = token.items.map(({ tokens }) => `<li>${htmlBlocks(tokens)}</li>`).join('');
      return token.ordered
        ? `<ol${token.start === 1 ? '' : ` start="${Number(token.start)}"`}>${items}</ol>`
        : `<ul>${items}</ul>`;
    }
    case 'code':
      return `<pre><code>${escaped(token.text)}</code></pre>`;
    case 'text':
      return htmlRuns(token.tokens ?? [token]);
    case 'paragraph':
      return `<p>${htmlRuns(token.tokens)}</p>`;
    default:
      return `<p>${escaped(token.raw.trim())}</p>`;
  }
}

const SAFE_ADDRESS = /^(https?:\/\/|mailto:)/i;
const ELEMENTS = { strong: 'strong', em: 'em', del: 'del' } as const;

const htmlRuns = (tokens: Token[] = []): string =>
  tokens.map((token) => htmlRun(token as MarkedToken)).join('');

function htmlRun(token: MarkedToken): string {
  switch (token.type) {
    case 'br':
      return '<br>';
    case 'strong':
    case 'em':
    case 'del':
      return `<${ELEMENTS[token.type]}>${htmlRuns(token.tokens)}</${ELEMENTS[token.type]}>`;
    case 'codespan':
      return `<code>${escaped(token.text)}</code>`;
    case 'link': {
      const words = htmlRuns(token.tokens);
      return SAFE_ADDRESS.test(token.href)
        ? `<a href="${escaped(token.href)}" target="_blank" rel="noopener noreferrer nofollow">${words}</a>`
        : words;
    }
    case 'html':
      return escaped(token.raw);
    case 'checkbox':
      return '';
    default:
      return escaped('text' in token ? token.text : token.raw);
  }
}
