import fc from 'fast-check';
import { DOMSerializer, type Node, DOMParser as Reader } from 'prosemirror-model';
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { renderHtml } from '../events/shared/markdown';
import { parseDocument, toMarkdown, schema, storedAs } from './markdown-document';
import { renderScreen } from '../../testing/render-screen';
import { MarkdownField } from './markdown-field';
import { cleanPasted } from './pasted';

const opened = (markdown: string) => {
  const found = parseDocument(markdown);
  if (typeof found === 'string') throw new Error(`not shown: ${found}`);
  return found;
};

/** Returns the text with its marks. Ignores how elements are nested and whether list items are paragraphs. */
function shownBy(html: string | DocumentFragment): string {
  const holder = document.createElement('div');
  if (typeof html === 'string') holder.innerHTML = html;
  else holder.append(html);
  for (const code of holder.querySelectorAll('pre > code'))
    code.replaceWith(code.textContent!.replace(/\n$/, ''));
  const parts: string[] = [];
  const visit = (element: Element, marks: string[]) => {
    for (const child of element.childNodes) {
      if (child.nodeType === 3) {
        const text = child.textContent!;
        const isBetween =
          /^\n\s*$/.test(text) &&
          element.querySelector(':scope > :is(p, ul, ol, li, h3, h4, pre, hr, blockquote)');
        if (!isBetween && element.tagName !== 'UL' && element.tagName !== 'OL')
          parts.push(...[...text].map((char) => `${char}${[...marks].sort().join()}`));
      } else {
        const { tagName } = child as Element;
        const name = { H4: 'H3', B: 'STRONG' }[tagName] ?? tagName;
        if (['STRONG', 'EM', 'DEL', 'A', 'CODE'].includes(name)) {
          const href = (child as Element).getAttribute('href');
          const isBare =
            href !== null &&
            ['', 'http://', 'mailto:']
              .map((before) => before + child.textContent!)
              .some((address) => [address, encodeURI(address).replaceAll('%25', '%')].includes(href));
          visit(child as Element, isBare ? marks : [...new Set([...marks, name + (href ?? '')])]);
        } else if (name === 'P') {
          if (child.textContent!.trim() || (child as Element).querySelector('br')) {
            parts.push('¶');
            visit(child as Element, marks);
          }
        } else {
          parts.push(`<${name}${(child as Element).getAttribute('start') ?? ''}>`);
          visit(child as Element, marks);
          parts.push(`</${name}>`);
        }
      }
    }
  };
  visit(holder, []);
  return parts.join('').replaceAll('<LI>¶', '<LI>').replaceAll(/¶+/g, '¶');
}

const pages = new Map<string, string>();
/** Remembers its results, because sanitising is slow in jsdom. */
function page(markdown: string): string {
  if (!pages.has(markdown)) pages.set(markdown, shownBy(renderHtml(markdown, 'h3')));
  return pages.get(markdown)!;
}
const editor = (doc: Node) =>
  shownBy(DOMSerializer.fromSchema(schema).serializeFragment(doc.content) as DocumentFragment);

it.each([
  '3. a\n4. b',
  '[site](https://example.org) and https://example.net, a@example.org',
  '> quoted\n\n---\n\n```js\nlet a;\n```',
  '- a\n\n  b\n\n- c',
  '***a* b** and ~~c~~ and `d`',
  '',
])('the editor shows %j like the page, before and after writing it', (markdown) => {
  const { doc } = opened(markdown);
  expect(editor(doc)).toBe(page(markdown));
  expect(page(toMarkdown(doc))).toBe(page(markdown));
});

it.each([
  ['table', '| a | b |\n|---|---|\n| c | d |'],
  ['picture', 'a ![b](https://example.org/c.png)'],
  ['html', 'a <b>c</b>'],
  ['html', '<div>a</div>'],
  ['other', '- [ ] a'],
  ['other', '[a][b]\n\n[b]: https://example.org'],
  ['other', '[a](https://example.org "title")'],
  ['other', '[a](javascript:alert)'],
  ['other', 'a &amp; b'],
])('does not open unsupported Markdown (%s): %j', (kind, markdown) => {
  expect(parseDocument(markdown)).toBe(kind);
});

const text = fc.oneof(
  fc.stringMatching(/^[a-c *_~`#>+\-=|:!&;.()[\]<\\\d"'@/]{1,12}$/),
  fc.constantFrom(
    'word',
    ' spaced ',
    'https://a.example/b_c*d',
    'www.a.example',
    'me@a.example',
    '2 * 3',
    'snake_case',
    '&amp;',
    '![x]',
    'é“q”',
    '👍',
  ),
);
const styled = fc.tuple(
  fc.uniqueArray(fc.constantFrom('strong', 'em', 'del', 'code', 'link'), { maxLength: 3 }),
  fc.constantFrom('https://a.example', 'https://a.example/(b)_c*', 'mailto:a@b.example'),
);
const generateRun = (words: fc.Arbitrary<string>) =>
  fc.tuple(words, styled).map(([word, [names, href]]) =>
    schema.text(
      word,
      names.map((name) => schema.marks[name]!.create(name === 'link' ? { href } : null)),
    ),
  );
const br = schema.nodes.hard_break.create();
const runOrBreak = fc.oneof(
  { weight: 6, arbitrary: generateRun(text) },
  { weight: 1, arbitrary: fc.constant(br) },
);
const untidy = fc.array(runOrBreak, { maxLength: 5 });
/** Generates words with single spaces, each word with its own marks. */
const neat = fc
  .array(generateRun(fc.constantFrom('word', 'two words', '1.', '(é)', '#', '👍')), {
    minLength: 1,
    maxLength: 4,
  })
  .map((runs) => runs.flatMap((run, at) => (at === 0 ? [run] : [at === 2 ? br : schema.text(' '), run])));

function generateDocuments(inline: fc.Arbitrary<Node[]>) {
  const { block } = fc.letrec<{ block: Node; item: Node; items: Node[] }>((tie) => ({
    item: fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map((blocks) => schema.nodes.list_item.create(null, blocks)),
    items: fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
    block: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      inline.map((content) => schema.nodes.paragraph.create(null, content)),
      fc.tuple(fc.integer({ min: 1, max: 6 }), inline).map(([level, content]) =>
        schema.nodes.heading.create(
          { level },
          content.map((node) => (node.isText ? node : schema.text(' '))),
        ),
      ),
      fc.constant(schema.nodes.horizontal_rule.create()),
      fc
        .stringMatching(/^[a-z`~ <&#]{0,12}$/)
        .map((code) => schema.nodes.code_block.create(null, schema.text(`a\n${code}b`))),
      fc
        .array(tie('block'), { minLength: 1, maxLength: 2 })
        .map((blocks) => schema.nodes.blockquote.create(null, blocks)),
      fc
        .tuple(fc.boolean(), tie('items'))
        .map(([tight, items]) => schema.nodes.bullet_list.create({ tight }, items)),
      fc
        .tuple(fc.boolean(), fc.integer({ min: 0, max: 99 }), tie('items'))
        .map(([tight, order, items]) => schema.nodes.ordered_list.create({ tight, order }, items)),
    ),
  }));
  return fc
    .array(block, { minLength: 1, maxLength: 4 })
    .map((blocks) => schema.nodes.doc.create(null, blocks));
}

const snippet = fc.oneof(
  text,
  fc.constantFrom(
    '**b**',
    '***bi***',
    '__b__ _i_',
    '~~d~~',
    '`c`',
    '[l](https://a.example)',
    '<https://a.example>',
    '### H',
    '> q',
    '- i',
    '  - n',
    '2) o',
    '```\ncode\n```',
    '    indented',
    '---',
    'S\n===',
    '\\*',
    'a  ',
    '| a | b |\n|---|---|',
    '<b>',
    '![p](https://a.example)',
    '&lt;',
    '[r]: https://a.example',
  ),
);
const texts = fc
  .array(fc.tuple(snippet, fc.constantFrom('', ' ', '\n', '\n\n', '\r\n', '\n\n\n')), { maxLength: 8 })
  .map((parts) => parts.flat().join(''));
/** Every run tests the same inputs. Set SEED and RUNS to test others. */
const RUNS = { numRuns: Number(process.env.RUNS ?? 60), seed: Number(process.env.SEED ?? 2026) };

it('keeps unedited Markdown byte for byte and shows it like the page', () => {
  let shown = 0;
  fc.assert(
    fc.property(texts, (markdown) => {
      const found = parseDocument(markdown);
      if (typeof found === 'string') return;
      shown += 1;
      expect(storedAs(found.doc, found)).toBe(markdown);
      expect(editor(found.doc)).toBe(page(markdown));
      expect(page(toMarkdown(found.doc))).toBe(page(markdown));
      expect(page(toMarkdown(found.doc, found.sources))).toBe(page(markdown));
    }),
    RUNS,
  );
  // the editor refuses some texts, so this checks that it accepted enough of them
  expect(shown).toBeGreaterThan(RUNS.numRuns / 3);
});

it('writes edited documents as Markdown that it can open again', () => {
  fc.assert(
    fc.property(generateDocuments(untidy), (doc) => {
      const markdown = toMarkdown(doc);
      expect(parseDocument(markdown)).toEqual(expect.objectContaining({ markdown }));
      expect(page(toMarkdown(opened(markdown).doc))).toBe(page(markdown));
      expect(getText(opened(markdown).doc)).toBe(getText(doc));
    }),
    RUNS,
  );
});

it('writes Markdown that the page shows like the editor', () => {
  fc.assert(
    fc.property(generateDocuments(neat), (doc) => {
      expect(page(toMarkdown(doc))).toBe(editor(doc));
    }),
    RUNS,
  );
});

/** Returns the text without marks and spaces, because Markdown drops spaces at the ends of lines. */
const getText = (doc: Node) => doc.textContent.replaceAll(/\s+/g, '');

it('keeps unedited paragraphs byte for byte when another one is edited', () => {
  const { doc, ...rest } = opened(
    '* one\n* two\n\nA __bold__ word  \nand\n\nTitle\n===\n\n_next_\n\n\nlast\n',
  );
  const first = schema.nodes.paragraph.create(null, schema.text('first'));
  const edited = doc.copy(doc.content.replaceChild(4, first));
  expect(storedAs(edited, { doc, ...rest })).toBe(
    '* one\n* two\n\nA __bold__ word  \nand\n\nTitle\n===\n\n_next_\n\nfirst',
  );
});

function Form() {
  const [value, setValue] = useState('As it was');
  return (
    <>
      <MarkdownField label="Message" value={value} onChange={setValue} />
      <button>Next</button>
    </>
  );
}

const field = () => screen.getByRole('textbox', { name: 'Message' });
const arrival = async () => {
  await import('./rich-text');
  await new Promise((resolve) => setTimeout(resolve));
};

describe('The rich-text editor', () => {
  beforeAll(() => {
    const descriptor = { value: false, configurable: true };
    Object.defineProperty(HTMLElement.prototype, 'isContentEditable', descriptor);
  });
  afterAll(() => void Reflect.deleteProperty(HTMLElement.prototype, 'isContentEditable'));

  it('does not replace the Markdown field while it has the focus', async () => {
    renderScreen(<Form />, { user: null });
    const typed = field();
    expect(typed).toBeInstanceOf(HTMLTextAreaElement);
    await act(async () => {
      await arrival();
      typed.focus();
    });
    expect(field()).toBe(typed);
    await act(async () => {
      screen.getByRole('button', { name: 'Next' }).focus();
      await arrival();
    });
    expect(field()).not.toBeInstanceOf(HTMLTextAreaElement);
    expect(field().textContent).toBe('As it was');
  });
});

function pasted(html: string): string {
  const holder = document.createElement('div');
  holder.innerHTML = cleanPasted(html);
  return toMarkdown(Reader.fromSchema(schema).parse(holder));
}

const item = (level: number, sign: string, words: string) =>
  `<p class=MsoListParagraph style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
  style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span
  style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`;

it('keeps headings, marks, links and lists pasted from Word', () => {
  const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15">
    <style><!-- p.MsoNormal {margin:0cm} --></style><!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]--></head>
    <body lang=DE><!--StartFragment--><h1><b>Programm<o:p></o:p></b></h1>
    <p class=MsoNormal>Wir <b style='mso-bidi-font-weight:normal'>lernen</b> <i>viel</i>,&nbsp;siehe <a
    href="https://example.org/a">hier</a>.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>
    ${item(1, '·', 'Kaffee')}${item(2, 'o', 'mit Milch')}${item(1, '·', 'Tee')}
    <p class=MsoNormal>Danach:</p>${item(1, '1.', 'Vortrag')}${item(1, '2.', 'Fragen')}<!--EndFragment--></body></html>`;
  expect(pasted(html)).toBe(
    '# Programm\n\nWir **lernen** *viel*, siehe [hier](https://example.org/a).\n\n- Kaffee\n  - mit Milch\n- Tee\n\nDanach:\n\n1. Vortrag\n2. Fragen',
  );
});

it('keeps headings, marks and lists pasted from Google Docs, but not its bold wrapper', () => {
  const html = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1a2b"><h2 dir="ltr" style="line-height:1.38"><span
    style="font-size:16pt;font-weight:400">Agenda</span></h2><p dir="ltr"><span style="font-size:11pt;font-weight:400;font-style:normal">A </span><span
    style="font-weight:700">bold</span><span style="font-weight:400"> and </span><span style="font-style:italic">slanted</span><span> word</span></p>
    <ul style="margin-top:0"><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation"><span
    style="font-weight:400">one</span></p></li><li dir="ltr"><p dir="ltr"><span>two</span></p></li></ul></b><br class="Apple-interchange-newline">`;
  expect(pasted(html)).toBe('## Agenda\n\nA **bold** and *slanted* word\n\n- one\n- two');
});

it.each([
  ['a script', 'a<script>window.pwned = 1</script>b', 'ab'],
  ['a style', '<style>*{display:none}</style><p style="position:fixed" onclick="window.pwned=1">a</p>', 'a'],
  ['a tracking pixel', '<p>a<img src="https://track.example/p.gif" width=1 height=1></p>', 'a'],
  ['an image with a script', '<img src=x onerror="window.pwned=1"><p>a</p>', 'a'],
  ['an SVG with a script', '<svg onload=window.pwned=1><script>window.pwned=1</script></svg><p>a</p>', 'a'],
  ['an iframe', '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe><p>a</p>', 'a'],
  ['hidden text', '<p>a<span style="display:none">secret</span></p>', 'a'],
  [
    'a link with a script',
    '<p><a href="javascript:window.pwned=1">a</a> <a href=" JaVaScRiPt:x">b</a> <a href="data:text/html,x">c</a></p>',
    'a b c',
  ],
  ['a form', '<form action="https://evil.example"><p>a</p><input value=b><button>c</button></form>', 'a'],
  [
    'markup that escapes the parser',
    '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>"></noscript><p>a</p>',
    'a',
  ],
  ['escaped HTML', '<p>&lt;img src=x onerror=window.pwned=1&gt;</p>', '\\<img src=x onerror=window.pwned=1>'],
])('makes %s harmless when pasted', (_, html, markdown) => {
  const clean = cleanPasted(html);
  expect(clean).not.toMatch(
    /<(script|style|img|svg|iframe|input|button)|\son\w+=(?![^<]*&gt;)|style=|evil|track/i,
  );
  expect(pasted(html).replace(/^">\n\n/, '')).toBe(markdown);
  expect(window).not.toHaveProperty('pwned');
});
