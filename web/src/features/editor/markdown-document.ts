import { markdownFault } from '@meetmark/contracts/markdown';
import { type MarkedToken, Marked, type Token, type Tokens } from 'marked';
import { type Attrs, Fragment, type Mark, type Node, Schema } from 'prosemirror-model';
import { renderHtml } from '../events/shared/markdown';

export const SAFE_ADDRESS = /^(https?:\/\/|mailto:)/i;
export const HEADING = 3;

const parseLink = (element: HTMLElement) => {
  const href = (element.getAttribute('href') ?? '').trim();
  return SAFE_ADDRESS.test(href) ? { href } : false;
};

const headingRules = [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } }));

/** Supports the page's Markdown except images and tables. */
export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { group: 'block', content: 'inline*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    heading: {
      group: 'block',
      content: 'text*',
      defining: true,
      attrs: { level: { default: HEADING } },
      parseDOM: [
        { tag: '[data-level]', getAttrs: ({ dataset }) => ({ level: Number(dataset.level) || HEADING }) },
        ...headingRules,
      ],
      toDOM: ({ attrs }) => ['h4', { 'data-level': attrs.level }, 0],
    },
    blockquote: {
      group: 'block',
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
    bullet_list: {
      group: 'block',
      content: 'list_item+',
      attrs: { tight: { default: true } },
      parseDOM: [{ tag: 'ul' }],
      toDOM: () => ['ul', 0],
    },
    ordered_list: {
      group: 'block',
      content: 'list_item+',
      attrs: { order: { default: 1 }, tight: { default: true } },
      parseDOM: [
        {
          tag: 'ol',
          getAttrs: (list) => ({
            order: Math.min(Math.max(0, (list as HTMLOListElement).start), 99_999) || 1,
          }),
        },
      ],
      toDOM: ({ attrs }) => (attrs.order === 1 ? ['ol', 0] : ['ol', { start: attrs.order }, 0]),
    },
    list_item: {
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'li' }],
      toDOM: () => ['li', 0],
    },
    code_block: {
      group: 'block',
      content: 'text*',
      marks: '',
      code: true,
      defining: true,
      attrs: { info: { default: '' } },
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
      toDOM: () => ['pre', ['code', 0]],
    },
    horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
    hard_break: {
      group: 'inline',
      inline: true,
      selectable: false,
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
    text: { group: 'inline' },
  },
  marks: {
    link: {
      attrs: { href: {} },
      inclusive: false,
      parseDOM: [{ tag: 'a[href]', getAttrs: parseLink }],
      toDOM: ({ attrs }) => ['a', { href: attrs.href as string, rel: 'noopener noreferrer nofollow' }, 0],
    },
    strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0] },
    em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
    del: { parseDOM: [{ tag: 'del' }, { tag: 's' }], toDOM: () => ['del', 0] },
    code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
  },
});

const { nodes, marks } = schema;
// the same options as in the page's renderer
const parser = new Marked({ gfm: true, breaks: true });

export type Unshown = 'table' | 'picture' | 'html' | 'other';

class UnshownError extends Error {
  constructor(readonly kind: Unshown) {
    super(kind);
  }
}

export interface MarkdownDocument {
  markdown: string;
  doc: Node;
  sources: WeakMap<Node, string>;
}

export function parseDocument(markdown: string): MarkdownDocument | Unshown {
  if (markdownFault(markdown) !== null) return 'other';
  try {
    const sources = new WeakMap<Node, string>();
    const doc = parsed(markdown, sources);
    const again = toMarkdown(doc);
    return parsed(again).eq(doc) && shown(again) === shown(markdown) ? { markdown, doc, sources } : 'other';
  } catch (error) {
    if (error instanceof UnshownError) return error.kind;
    throw error;
  }
}

const shown = (markdown: string) => renderHtml(markdown, 'h3').replaceAll(/\n+/g, '\n').trim();

function parsed(markdown: string, sources?: WeakMap<Node, string>): Node {
  const content: Node[] = [];
  for (const token of parser.lexer(markdown))
    for (const node of parseBlock(token as MarkedToken)) {
      sources?.set(node, token.raw.replace(/\n+$/, ''));
      content.push(node);
    }
  return nodes.doc.create(null, orEmpty(content));
}

const orEmpty = (content: Node[]) => (content.length === 0 ? [nodes.paragraph.create()] : content);
const parseBlocks = (tokens: Token[] = []) => tokens.flatMap((token) => parseBlock(token as MarkedToken));

function parseBlock(token: MarkedToken): Node[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'hr':
      return [nodes.horizontal_rule.create()];
    case 'heading':
      return [textBlock('heading', { level: token.depth }, token.tokens)];
    case 'blockquote':
      return [nodes.blockquote.create(null, orEmpty(parseBlocks(token.tokens)))];
    case 'list':
      return [parseList(token)];
    case 'code':
      return [
        nodes.code_block.create({ info: token.lang ?? '' }, token.text ? schema.text(token.text) : null),
      ];
    case 'text':
      return [textBlock('paragraph', null, token.tokens ?? [token])];
    case 'paragraph':
      return [textBlock('paragraph', null, token.tokens)];
    default:
      throw new UnshownError(getKind(token));
  }
}

const getKind = ({ type }: MarkedToken): Unshown =>
  type === 'image' ? 'picture' : type === 'table' || type === 'html' ? type : 'other';

function parseList({ items, loose, ordered, start }: Tokens.List): Node {
  if (items.some(({ task }) => task)) throw new UnshownError('other');
  const children = items.map(({ tokens }) => nodes.list_item.create(null, orEmpty(parseBlocks(tokens))));
  return ordered
    ? nodes.ordered_list.create({ order: Number(start), tight: !loose }, children)
    : nodes.bullet_list.create({ tight: !loose }, children);
}

function textBlock(type: 'heading' | 'paragraph', attrs: Attrs | null, tokens: Token[]): Node {
  const content = Fragment.fromArray(parseInline(tokens, []));
  // the editor supports no line breaks in headings
  if (!nodes[type].validContent(content)) throw new UnshownError('other');
  return nodes[type].create(attrs, content);
}

const REFERENCE = /&(#|[a-z])[a-z\d]*;/i;

const parseInline = (tokens: Token[], on: readonly Mark[]): Node[] =>
  tokens.flatMap((token) => parseRun(token as MarkedToken, on));

function parseRun(token: MarkedToken, on: readonly Mark[]): Node[] {
  switch (token.type) {
    case 'text':
      if (token.tokens) return parseInline(token.tokens, on);
      // refuses character references such as `&amp;`, which the page and emails render differently
      if (REFERENCE.test(token.text)) throw new UnshownError('other');
      return token.text ? [schema.text(token.text, on)] : [];
    case 'escape':
      return [schema.text(token.text, on)];
    case 'br':
      return [nodes.hard_break.create(null, null, on)];
    case 'codespan':
      return [schema.text(token.text, marks.code.create().addToSet(on))];
    case 'strong':
    case 'em':
    case 'del':
      return parseInline(token.tokens, marks[token.type].create().addToSet(on));
    case 'link': {
      const { href, title, tokens } = token;
      if (!SAFE_ADDRESS.test(href) || title || tokens.length === 0) throw new UnshownError('other');
      return parseInline(tokens, marks.link.create({ href }).addToSet(on));
    }
    default:
      throw new UnshownError(getKind(token));
  }
}

export const storedAs = (doc: Node, opened: MarkdownDocument): string =>
  doc.eq(opened.doc) ? opened.markdown : toMarkdown(doc, opened.sources);

/** Writes a document as Markdown. Blocks in `sources` keep their original Markdown. */
export const toMarkdown = (doc: Node, sources?: WeakMap<Node, string>): string =>
  joined(doc.children, { sources });

interface Place {
  sources?: WeakMap<Node, string>;
  tight?: boolean;
  inside?: boolean;
}

function joined(blocks: readonly Node[], { sources, tight = false, inside = false }: Place): string {
  const parts: string[] = [];
  let before: string | undefined;
  for (const node of blocks) {
    const source = sources?.get(node);
    // adjacent lists with the same marker would merge, and indented text would become part of the list before
    // it
    const mayStay = before === undefined || getMarker(source ?? '', node) !== before;
    const kept = source !== undefined && /^\S/.test(source) && mayStay;
    const part = kept ? source : blockText(node, inside, before);
    if (part === '') continue;
    before = getMarker(part, node);
    parts.push(part);
  }
  return parts.join(tight ? '\n' : '\n\n');
}

function getMarker(markdown: string, { type }: Node): string | undefined {
  if (type === nodes.bullet_list) return markdown[0];
  return type === nodes.ordered_list ? /^\d+(.)/.exec(markdown)?.[1] : undefined;
}

function blockText(node: Node, inside: boolean, before: string | undefined): string {
  switch (node.type) {
    case nodes.heading: {
      const text = inlineText(node);
      return text && `${'#'.repeat(node.attrs.level as number)} ${text}`;
    }
    case nodes.blockquote:
      return quoted(joined(node.children, { inside: true }));
    case nodes.code_block:
      return codeText(node);
    case nodes.horizontal_rule:
      // in a list item, Markdown would read the marker and `---` as one line (`- ---`)
      return inside ? '___' : '---';
    case nodes.bullet_list:
    case nodes.ordered_list:
      return listText(node, before);
    default:
      return inlineText(node);
  }
}

const lines = (text: string) => text.split('\n');

const quoted = (text: string) =>
  text &&
  lines(text)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

function codeText({ textContent, attrs }: Node): string {
  const longest = Math.max(2, ...[...textContent.matchAll(/`+/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return textContent.trim() === '' ? '' : `${fence}${attrs.info as string}\n${textContent}\n${fence}`;
}

function listText(list: Node, before: string | undefined): string {
  const tight = list.attrs.tight === true && list.children.every(isTight);
  const ordered = list.type === nodes.ordered_list;
  const sign = ordered ? (before === '.' ? ')' : '.') : before === '-' ? '*' : '-';
  return list.children
    .map((item) => joined(item.children, { tight, inside: true }))
    .filter((item) => item !== '')
    .map((item, at) => {
      const mark = ordered ? `${(list.attrs.order as number) + at}${sign} ` : `${sign} `;
      return mark + item.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`);
    })
    .join(tight ? '\n' : '\n\n');
}

const isFilled = (node: Node): boolean =>
  node.type === nodes.horizontal_rule || node.textContent.trim() !== '' || node.children.some(isFilled);

/** A list item is tight if it has one block, or a paragraph and a list that may interrupt paragraphs. */
function isTight({ children }: Node): boolean {
  const [first, list, ...others] = children.filter(isFilled);
  return (
    list === undefined ||
    (first!.type === nodes.paragraph &&
      others.length === 0 &&
      (list.type === nodes.bullet_list || (list.type === nodes.ordered_list && list.attrs.order === 1)))
  );
}

interface Sign {
  char: string;
  on: readonly Mark[];
}

interface Run {
  text: string;
  on: readonly Mark[];
}

interface Way {
  em: '*' | '_';
  bare: boolean;
}

/** Ways to write marks, from the most readable to the most robust. */
const WAYS: Way[] = [true, false].flatMap((bare) => (['*', '_'] as const).map((em) => ({ em, bare })));

const known = new WeakMap<Node, string>();

function inlineText(block: Node): string {
  let text = known.get(block);
  if (text === undefined) known.set(block, (text = writeInline(block)));
  return text;
}

function writeInline(block: Node): string {
  const signs = listSigns(block);
  let text = '';
  // Markdown can't express some marks, such as one next to a quotation mark within a word, so this tries
  // fewer
  for (const fewer of [
    signs,
    offEdges(signs, /[\p{P}\p{S}]/u),
    onlyWith(signs, [marks.link, marks.code]),
    onlyWith(signs, [marks.link]),
    onlyWith(signs, []),
  ].map(tidy))
    for (const way of WAYS) {
      text = written(groupRuns(fewer), way);
      if (block.type === nodes.heading) text = text.replace(/(?<=^|[ \t])#+$/, '\\$&');
      if (readsAs(text, fewer, block)) return text;
    }
  return text;
}

const listSigns = (block: Node): Sign[] =>
  block.children.flatMap((node) =>
    node.type === nodes.hard_break
      ? [{ char: '\n', on: node.marks }]
      : [...node.text!.replaceAll(/[\r\n]+/g, ' ')].map((char) => ({ char, on: node.marks })),
  );

const isCode = ({ on }: Sign | Run) => on.some(({ type }) => type === marks.code);
const onlyWith = (signs: Sign[], kept: Mark['type'][]): Sign[] =>
  signs.map(({ char, on }) => ({ char, on: on.filter(({ type }) => kept.includes(type)) }));

/**
 * Drops what Markdown can't express: spaces at the ends of lines, blank lines at the start and end of a
 * block, and marks on outer spaces.
 */
function tidy(signs: Sign[]): Sign[] {
  const isSpace = (sign: Sign | undefined) => sign !== undefined && /[ \t]/.test(sign.char) && !isCode(sign);
  const isEnd = (sign: Sign | undefined) => sign === undefined || sign.char === '\n';
  const forward: Sign[] = [];
  for (const sign of signs) if (!(isSpace(sign) && isEnd(forward.at(-1)))) forward.push(sign);
  const backward: Sign[] = [];
  for (const sign of forward.reverse()) if (!(isSpace(sign) && isEnd(backward.at(-1)))) backward.push(sign);
  const trimmed = backward.reverse();
  while (trimmed[0]?.char === '\n') trimmed.shift();
  while (trimmed.at(-1)?.char === '\n') trimmed.pop();
  return offEdges(trimmed, /\s/);
}

/** Removes marks from the characters at their start and end that match `edge`. Leaves code unchanged. */
function offEdges(signs: Sign[], edge: RegExp): Sign[] {
  const all = new Set(signs.flatMap(({ on }) => on));
  const result = signs.map((sign) => ({ ...sign }));
  for (const mark of all) {
    if (mark.type === marks.code) continue;
    for (const ordered of [result, result.toReversed()]) {
      let inside = false;
      for (const sign of ordered) {
        if (!mark.isInSet(sign.on)) inside = false;
        else if (!inside && edge.test(sign.char) && !isCode(sign)) sign.on = mark.removeFromSet(sign.on);
        else inside = true;
      }
    }
  }
  return result;
}

function groupRuns(signs: Sign[]): Run[] {
  const runs: Run[] = [];
  for (const { char, on } of signs) {
    const last = runs.at(-1);
    if (last && sameMarks(last.on, on)) last.text += char;
    else runs.push({ text: char, on });
  }
  return runs;
}

const sameMarks = (some: readonly Mark[], others: readonly Mark[]) =>
  some.length === others.length && some.every((mark) => mark.isInSet(others));

const isBare = ({ text, on }: Run) =>
  on.length === 1 &&
  on[0]!.type === marks.link &&
  [text, `http://${text}`, `mailto:${text}`].includes(on[0]!.attrs.href as string);

const heard = (signs: Sign[]) =>
  JSON.stringify(
    groupRuns(signs)
      .map((run) => (isBare(run) ? { ...run, on: [] } : run))
      .reduce<[string, string][]>((all, { text, on }) => {
        const names = JSON.stringify(on);
        const last = all.at(-1);
        if (last?.[1] === names) last[0] += text;
        else all.push([text, names]);
        return all;
      }, []),
  );

function readsAs(text: string, signs: Sign[], block: Node): boolean {
  if (text === '') return signs.length === 0;
  const source = block.type === nodes.heading ? `${'#'.repeat(block.attrs.level as number)} ${text}` : text;
  try {
    const [first, ...others] = parsed(source).children;
    return others.length === 0 && first!.type === block.type && heard(listSigns(first!)) === heard(signs);
  } catch (error) {
    if (error instanceof UnshownError) return false;
    throw error;
  }
}

const MARKED = { strong: '**', del: '~~' } as const;

function written(runs: Run[], { em, bare }: Way): string {
  let result = '';
  let open: Mark[] = [];
  const getLength = (mark: Mark, at: number) => {
    const end = runs.findIndex(({ on }, place) => place > at && !mark.isInSet(on));
    return end === -1 ? runs.length : end;
  };
  const sign = ({ type }: Mark) => (type === marks.em ? em : MARKED[type.name as keyof typeof MARKED]);
  const close = (from: number) => {
    for (const mark of open.slice(from).reverse())
      result += mark.type === marks.link ? `](${formatUrl(mark)})` : sign(mark);
    open = open.slice(0, from);
  };
  for (const [at, run] of runs.entries()) {
    const on = run.on.filter(({ type }) => type !== marks.code);
    const other = open.findIndex((mark) => !mark.isInSet(on));
    if (other !== -1) close(other);
    if (bare && isBare(run)) {
      result += run.text;
      continue;
    }
    const news = on.filter((mark) => !mark.isInSet(open));
    news.sort((one, two) => getLength(two, at) - getLength(one, at));
    for (const mark of news) {
      result += mark.type === marks.link ? '[' : sign(mark);
      open.push(mark);
    }
    if (isCode(run)) result += codeSpan(run.text);
    else {
      const isLink = open.some(({ type }) => type === marks.link);
      const next = runs[at + 1]?.on.some(({ type }) => type === marks.link) === true;
      const isFirst = result === '' || result.endsWith('\n');
      result += escapedText(run.text, { isLink, beforeLink: next && !isLink, isFirst, bare });
    }
  }
  close(0);
  return result;
}

const formatUrl = ({ attrs: { href } }: Mark) => {
  const address = href as string;
  return /^[^\s<>()\\*_`[\]&]*$/.test(address)
    ? address
    : `<${address.replaceAll(/\s/g, '%20').replaceAll('<', '%3C').replaceAll('>', '%3E')}>`;
};

function codeSpan(text: string): string {
  const used = new Set([...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  let length = 1;
  while (used.has(length)) length += 1;
  const pad = /^`|`$|^\s.*\S.*\s$/s.test(text) ? ' ' : '';
  return '`'.repeat(length) + pad + text + pad + '`'.repeat(length);
}

interface Around {
  isLink: boolean;
  beforeLink: boolean;
  isFirst: boolean;
  bare: boolean;
}

const ADDRESS = /(?:https?:\/\/|www\.)[^\s<]+|[\w.+-]+@[\w-]+\.[\w.-]+/gi;

/**
 * Matches URLs that end at the same character in all renderers. Other URLs are escaped, because the page
 * might include the following text in the link.
 */
const PLAIN_ADDRESS = /^[\w.\-/:@%+=?&#]*[\w/]$/;

function escapedText(text: string, { isLink, beforeLink, isFirst, bare }: Around): string {
  const escaped = lines(text)
    .map((line, at) => {
      let [result, end] = ['', 0];
      if (!isLink)
        for (const { 0: address, index } of line.matchAll(ADDRESS)) {
          result += escapedSigns(line, end, index, isLink);
          result +=
            bare && PLAIN_ADDRESS.test(address)
              ? address
              : escapedSigns(address, 0, address.length, isLink).replaceAll(/:|@|(?<=www)\./gi, '\\$&');
          end = index + address.length;
        }
      result += escapedSigns(line, end, line.length, isLink);
      return isFirst || at > 0 ? escapedBeginning(result) : result;
    })
    .join('\n')
    .replaceAll(/(?<=\n)(?=\n)/g, '\\');
  return beforeLink ? escaped.replace(/!$/, '\\!') : escaped;
}

function escapedSigns(line: string, from: number, to: number, isLink: boolean): string {
  return line.slice(from, to).replaceAll(/[\\`*_[\]<~&]/g, (sign, index: number) => {
    const [before, after] = [line[from + index - 1] ?? '', line[from + index + 1] ?? ''];
    if (sign === ']' && !isLink) return sign;
    if (sign === '*' && before === ' ' && after === ' ') return sign;
    if (sign === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)) return sign;
    if (sign === '&' && line.slice(from + index).search(REFERENCE) !== 0) return sign;
    return `\\${sign}`;
  });
}

/** Escapes characters that would start a list, heading, quotation, line or table. */
const escapedBeginning = (line: string) =>
  line
    .replace(/^(?=(?:[-+*]|#{1,6})(?:[ \t]|$)|>|=+[ \t]*$|[|:-][-:| \t]*$)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](?:[ \t]|$))/, '$1\\');
