import fc from 'fast-check';
import { DOMSerializer, type Node } from 'prosemirror-model';
import { htmlOf } from '../events/shared/markdown';
import { documentOf, markdownOf, schema, storedAs } from './markdown-document';

const opened = (markdown: string) => {
  const found = documentOf(markdown);
  if (typeof found === 'string') throw new Error(`not shown: ${found}`);
  return found;
};

/** The same text with the same marks, however elements lie within each other; of lists not whether their items are paragraphs. */
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
  // a paragraph of an item, or its text by itself
  return parts.join('').replaceAll('<LI>¶', '<LI>').replaceAll(/¶+/g, '¶');
}

const page = (markdown: string) => shownBy(htmlOf(markdown, 'h3'));
const editor = (doc: Node) =>
  shownBy(DOMSerializer.fromSchema(schema).serializeFragment(doc.content) as DocumentFragment);

it.each([
  'Bring **coffee** and *time*',
  '# Who\n\nAll of us.',
  '- a\n- b\n  - c',
  '3. a\n4. b',
  'One\nTwo',
  '[site](https://example.org) and https://example.net, a@example.org',
  '> quoted\n\n---\n\n```js\nlet a;\n```',
  '- a\n\n  b\n\n- c',
  '***a* b** and ~~c~~ and `d`',
  'a\n\n\nb\n',
  '',
])('shows and writes %j', (markdown) => {
  const { doc } = opened(markdown);
  expect(editor(doc)).toBe(page(markdown));
  expect(page(markdownOf(doc))).toBe(page(markdown));
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
])('has no place for a %s: %j', (kind, markdown) => {
  expect(documentOf(markdown)).toBe(kind);
});

const text = fc.oneof(
  fc.stringMatching(/^[a-c *_~`#>+\-=|:!&;.()[\]<\\\d"'@/]{1,12}$/),
  fc.constantFrom(
    'word',
    'two words',
    ' spaced ',
    'https://a.example/b_c*d',
    'www.a.example',
    'me@a.example',
    '1. ',
    '- ',
    '# a #',
    '2 * 3',
    'snake_case',
    '&amp;',
    '![x]',
    'é“q”',
    '👍',
    '---',
    '|-|',
    '***',
  ),
);
const styled = fc.tuple(
  fc.uniqueArray(fc.constantFrom('strong', 'em', 'del', 'code', 'link'), { maxLength: 3 }),
  fc.constantFrom('https://a.example', 'https://a.example/(b)_c*', 'mailto:a@b.example'),
);
const runOf = (words: fc.Arbitrary<string>) =>
  fc.tuple(words, styled).map(([word, [names, href]]) =>
    schema.text(
      word,
      names.map((name) => schema.marks[name]!.create(name === 'link' ? { href } : null)),
    ),
  );
const br = schema.nodes.hard_break.create();
/** Whatever a person may leave in a line. */
const untidy = fc.array(
  fc.oneof({ weight: 6, arbitrary: runOf(text) }, { weight: 1, arbitrary: fc.constant(br) }),
  {
    maxLength: 5,
  },
);
/** Words with spaces between them, each with its own marks. */
const neat = fc
  .array(fc.oneof(runOf(fc.constantFrom('word', 'two words', '1.', '(é)', '#')), runOf(fc.constant('👍'))), {
    minLength: 1,
    maxLength: 4,
  })
  .map((runs) => runs.flatMap((run, at) => (at === 0 ? [run] : [at === 2 ? br : schema.text(' '), run])));

function documentsOf(inline: fc.Arbitrary<Node[]>) {
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
    '*i*',
    '***bi***',
    '__b__ _i_',
    '~~d~~',
    '`c`',
    '[l](https://a.example)',
    '<https://a.example>',
    '# H',
    '### H',
    '> q',
    '- i',
    '  - n',
    '* i',
    '1. o',
    '2) o',
    '```\ncode\n```',
    '    indented',
    '---',
    'S\n===',
    '\\*',
    'a  ',
    '- ',
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
/** The same texts each time: SEED=… and RUNS=… look at others. */
const RUNS = { numRuns: Number(process.env.RUNS ?? 120), seed: Number(process.env.SEED ?? 2026) };

it('changes no byte of a text that is opened and not edited, and shows it as the page does', () => {
  let shown = 0;
  fc.assert(
    fc.property(texts, (markdown) => {
      const found = documentOf(markdown);
      if (typeof found === 'string') return;
      shown += 1;
      expect(storedAs(found.doc, found)).toBe(markdown);
      expect(editor(found.doc)).toBe(page(markdown));
      expect(page(markdownOf(found.doc))).toBe(page(markdown));
      expect(page(markdownOf(found.doc, found.sources))).toBe(page(markdown));
    }),
    RUNS,
  );
  // what it refuses is what it would lose, not whatever is difficult
  expect(shown).toBeGreaterThan(RUNS.numRuns / 3);
});

it('writes whatever was edited so that it opens again', () => {
  fc.assert(
    fc.property(documentsOf(untidy), (doc) => {
      const markdown = markdownOf(doc);
      expect(documentOf(markdown)).toEqual(expect.objectContaining({ markdown }));
      expect(page(markdownOf(opened(markdown).doc))).toBe(page(markdown));
      expect(wordsOf(opened(markdown).doc)).toBe(wordsOf(doc));
    }),
    RUNS,
  );
});

it('writes words with all their marks, lists and headings as the page then shows them', () => {
  fc.assert(
    fc.property(documentsOf(neat), (doc) => {
      expect(page(markdownOf(doc))).toBe(editor(doc));
    }),
    RUNS,
  );
});

/** Its words, whatever is marked; without spaces, which lines do not begin or end with. */
const wordsOf = (doc: Node) => doc.textContent.replaceAll(/\s+/g, '');

it('leaves every byte of the paragraphs that were not edited', () => {
  const { doc, ...rest } = opened(
    '* one\n* two\n\nA __bold__ word  \nand\n\nTitle\n===\n\n_next_\n\n\nlast\n',
  );
  const first = schema.nodes.paragraph.create(null, schema.text('first'));
  const edited = doc.copy(doc.content.replaceChild(4, first));
  expect(storedAs(edited, { doc, ...rest })).toBe(
    '* one\n* two\n\nA __bold__ word  \nand\n\nTitle\n===\n\n_next_\n\nfirst',
  );
});
