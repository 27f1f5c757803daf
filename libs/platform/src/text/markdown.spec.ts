import { setTimeout as pause } from 'node:timers/promises';
import { markdownFault } from '@meetmark/contracts';
import { markdown } from '../mail/blocks.js';
import { htmlOfMarkdown, textOfMarkdown } from './markdown.js';

describe('textOfMarkdown', () => {
  it.each([
    ['Two\nlines\n\nand a paragraph', 'Two\nlines\n\nand a paragraph'],
    ['**Bold**, *italic* and `code`', 'Bold, italic and code'],
    ['### Agenda\n\n- one\n- **two**\n  - three\n', 'Agenda\n\n- one\n- two\n  - three'],
    ['3. third\n4. fourth', '3. third\n4. fourth'],
    ['[slides](https://slides.example/1) here', 'slides (https://slides.example/1) here'],
    ['https://slides.example/1', 'https://slides.example/1'],
    ['[press](javascript:alert(1))', 'press'],
    ['![a cat](https://cats.example/1.png)', 'a cat'],
    ['> quoted\n\n---\n\nend', 'quoted\n\nend'],
    ['1 < 2 & 3 > 2 \\*not bold\\*', '1 < 2 & 3 > 2 *not bold*'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a <b onclick="x">b</b>', 'a <b onclick="x">b</b>'],
    ['', ''],
  ])('converts %j to text', (markdown, text) => {
    expect(textOfMarkdown(markdown)).toBe(text);
  });

  it('leaves Markdown unchanged when it is too complex', () => {
    const typed = `${'> '.repeat(9)}**deep**\nand <b>`;
    const { html, text } = markdown(typed);
    expect([textOfMarkdown(typed), text]).toEqual([typed, typed]);
    expect(html.source).toContain('&gt; &gt; **deep**\nand &lt;b&gt;');
  });
});

describe('htmlOfMarkdown', () => {
  it.each([
    ['Two\nlines\n\nand a paragraph', '<p>Two<br>lines</p><p>and a paragraph</p>'],
    [
      '**Bold**, *italic*, ~~gone~~ and `a<b`',
      '<p><strong>Bold</strong>, <em>italic</em>, <del>gone</del> and <code>a&lt;b</code></p>',
    ],
    [
      '# Agenda\n\n- one\n- **two**\n  - three',
      '<h3>Agenda</h3><ul><li>one</li><li><strong>two</strong><ul><li>three</li></ul></li></ul>',
    ],
    ['3. third\n4. fourth', '<ol start="3"><li>third</li><li>fourth</li></ol>'],
    ['> quoted\n\n---', '<blockquote><p>quoted</p></blockquote><hr>'],
    ['```\n<b>\n```', '<pre><code>&lt;b&gt;</code></pre>'],
    ['![a "cat"](https://cats.example/1.png)', '<p>a &quot;cat&quot;</p>'],
    [
      '[slides](https://slides.example/?a=1&b="2")',
      '<p><a href="https://slides.example/?a=1&amp;b=&quot;2&quot;" target="_blank" rel="noopener noreferrer nofollow">slides</a></p>',
    ],
    ['', ''],
  ])('converts %j to HTML', (markdown, html) => {
    expect(htmlOfMarkdown(markdown)).toBe(html);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror="alert(1)">',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](//evil.example/)',
    '[x](https://a.example "onmouseover=alert(1)")',
    '[x](https://a.example"onmouseover="alert(1))',
    '[<img src=x onerror=alert(1)>](https://a.example)',
    '![x"onerror="alert(1)](https://x/)',
    '[ref]\n\n[ref]: javascript:alert(1)',
    '`<img src=x onerror=alert(1)>`',
    '```html"><script>alert(1)</script>\n<b>\n```',
    '| <img src=x onerror=alert(1)> |\n|---|\n| x |',
    '- [ ] <input autofocus onfocus=alert(1)>',
    '&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62;',
    '<a@b.example> <https://x.example/<script>>',
  ])('renders only allowed elements for %j', (markdown) => {
    const html = htmlOfMarkdown(markdown)!;
    const rest = html
      .replaceAll(
        /<a href="(https?:\/\/|mailto:)[^"<>]*" target="_blank" rel="noopener noreferrer nofollow">/g,
        '',
      )
      .replaceAll(/<\/?(p|br|strong|em|del|a|ul|ol|li|h3|blockquote|code|pre|hr)>/g, '')
      .replaceAll(/<ol start="\d+">/g, '');
    expect(rest).not.toMatch(/[<>"]/);
  });

  it('returns null for Markdown that is too complex', () => {
    expect(htmlOfMarkdown('> '.repeat(9))).toBeNull();
  });
});

const HOSTILE = [
  ...['>', '[', '*', '- ', '`', '<', '_a', '![', '\n#', '_a_', '|\n|-\n', '!', 'a__', '- a\n', "*'"],
  ...['*a ', '[a](', '~~a', 'a@', 'http://', 'www.', '**a *_', '[x] ', '\n1. ', '\n- [ ] a', '***a'],
  ...['\n\na_', ' ', '.', 'http://a/.', '- *\n'],
];
const BETWEEN = ['', 'a', '$', '👍', 'aaaa aaaa ', '_a'];
const LENGTH = 20_000;

/**
 * Returns a text of full length. It repeats both parts as often as the limits allow and is padded with
 * letters.
 */
function worst(part: string, between: string): string {
  const made = (count: number) => (part + between).repeat(count).padEnd(LENGTH, 'a').slice(0, LENGTH);
  let [taken, refused] = [0, Math.ceil(LENGTH / part.length) + 1];
  while (refused - taken > 1) {
    const middle = (taken + refused) >> 1;
    if (markdownFault(made(middle)) === null) taken = middle;
    else refused = middle;
  }
  return made(taken);
}

const ORDINARY = 'Talks about search, tea, and time for questions. '.repeat(LENGTH).slice(0, LENGTH);
/**
 * Maximum processor time of the worst text, relative to ordinary text. The worst known text takes 20 times as
 * long.
 */
const AT_MOST = 400;

/**
 * Returns the processor time in milliseconds. It is the minimum of up to twenty runs, because other programs
 * can only slow a run down. Stops after the first run below `enough`.
 */
async function cost(text: string, enough = 0): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < 20 && least >= enough; run += 1) {
    if (run > 0) await pause(20);
    const before = process.cpuUsage();
    markdown(text);
    least = Math.min(least, process.cpuUsage(before).user / 1_000);
  }
  return least;
}

describe('the processor time of accepted Markdown', () => {
  let budget: number;
  beforeAll(async () => {
    expect(markdownFault(ORDINARY)).toBeNull();
    // At least 200 ms, because a shared process may also collect garbage of other specs meanwhile.
    budget = AT_MOST * Math.max(0.5, await cost(ORDINARY));
  });

  it.each(HOSTILE)('stays below 400 times that of ordinary text when repeating %j', async (part) => {
    for (const between of BETWEEN)
      expect([between, (await cost(worst(part, between), budget)) < budget]).toEqual([between, true]);
  });
});
