import { cleanup, render, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { KeptHtml } from '../kept-html';
import Markdown from './markdown';

const show = (text: string) => render(<Markdown text={text} heading="h3" />).container;
const htmlOf = (text: string) => show(text).firstElementChild!.innerHTML.trim();

/** Elements and attributes that may come of any text whatever. */
const ELEMENTS = new Set('DIV P BR STRONG EM DEL A UL OL LI H3 BLOCKQUOTE CODE PRE HR'.split(' '));
const ATTRIBUTES = new Set(['href', 'target', 'rel', 'start']);

function foreignIn(container: Element): string[] {
  return [...container.querySelectorAll('*')].flatMap((element) => [
    ...(ELEMENTS.has(element.tagName) ? [] : [element.tagName]),
    ...[...element.attributes]
      .filter(
        ({ name, value }) =>
          !(ATTRIBUTES.has(name) || (element.tagName === 'DIV' && ['class', 'dir'].includes(name))) ||
          (name === 'href' && !/^(https?:\/\/|mailto:)/i.test(value)),
      )
      .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
  ]);
}

const HOSTILE = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '<svg onload=window.pwned=1>',
  '<svg><script>window.pwned=1</script></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<a href="javascript:window.pwned=1">x</a>',
  '[x](javascript:window.pwned=1)',
  '[x](JaVaScRiPt:window.pwned=1)',
  '[x](java\tscript:window.pwned=1)',
  '[x](&#106;avascript:window.pwned=1)',
  '[x](javascript&colon;window.pwned=1)',
  '[x](\u0001javascript:window.pwned=1)',
  '[x](data:text/html,<script>window.pwned=1</script>)',
  '[x](vbscript:msgbox(1))',
  '[x](//evil.example/)',
  '[x]()',
  '<javascript:window.pwned=1>',
  '![x](javascript:window.pwned=1)',
  '![x"onerror="window.pwned=1](https://x/)',
  '[x](https://a.example "onmouseover=window.pwned=1")',
  '[x](https://a.example"onmouseover="window.pwned=1)',
  '[ref]\n\n[ref]: javascript:window.pwned=1',
  '<form action="javascript:window.pwned=1"><button>x</button></form>',
  '<style>@import "https://evil.example/x.css"</style>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<div id=content class=ant-modal style="position:fixed;inset:0">x</div>',
  '<p name="getElementById">x</p>',
  '```html\n<img src=x onerror=window.pwned=1>\n```',
  '`<img src=x onerror=window.pwned=1>`',
  '# <img src=x onerror=window.pwned=1>',
  '- <svg onload=window.pwned=1>',
  '| <img src=x onerror=window.pwned=1> |\n|---|\n| x |',
  '- [ ] <input autofocus onfocus=window.pwned=1>',
  '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">',
  '<template><img src=x onerror=window.pwned=1></template>',
  '&lt;img src=x onerror=window.pwned=1&gt;',
];

describe('Markdown', () => {
  it('shows what organisers need: bold, italic, links, lists, headings below the section', () => {
    expect(htmlOf('Bring **coffee** and *time*')).toBe(
      '<p>Bring <strong>coffee</strong> and <em>time</em></p>',
    );
    expect(htmlOf('# Who\n\nText').replaceAll('\n', '')).toBe('<h3>Who</h3><p>Text</p>');
    expect(htmlOf('- a\n- b').replaceAll('\n', '')).toBe('<ul><li>a</li><li>b</li></ul>');
    expect(htmlOf('3. a\n4. b').replaceAll('\n', '')).toBe('<ol start="3"><li>a</li><li>b</li></ol>');
    expect(htmlOf('One\nTwo')).toBe('<p>One<br>Two</p>');
    expect(htmlOf('[site](https://example.org) and https://example.net')).toBe(
      '<p><a href="https://example.org" target="_blank" rel="noopener noreferrer nofollow">site</a> and ' +
        '<a href="https://example.net" target="_blank" rel="noopener noreferrer nofollow">https://example.net</a></p>',
    );
  });

  it('shows HTML as it was typed', () => {
    expect(show('Use <b>bold</b> & <img src=x>').textContent.trim()).toBe('Use <b>bold</b> & <img src=x>');
  });

  it('shows as it was typed what is nested more deeply than it may be', () => {
    const text = `${'> '.repeat(9)}**deep** <b>`;
    expect(htmlOf(text)).toBe(text.replaceAll('>', '&gt;').replaceAll('<', '&lt;'));
    expect(show(text).querySelector('blockquote')).toBeNull();
  });

  it('is shown as the server made it, with headings below the section', () => {
    const kept = '<h3>Who</h3><p>&lt;h3&gt; <strong>we</strong></p>';
    const shown = (heading: 'h3' | 'h4') =>
      render(<KeptHtml html={kept} heading={heading} />).container.firstElementChild!.innerHTML;
    expect(shown('h3')).toBe(kept);
    expect(shown('h4')).toBe(kept.replace('<h3>', '<h4>').replace('</h3>', '</h4>'));
  });

  it.each(HOSTILE)('leaves nothing of %s', async (text) => {
    const container = show(text);
    expect(foreignIn(container)).toEqual([]);
    container.querySelectorAll<HTMLElement>('*').forEach((element) => element.click());
    await waitFor(() => expect('pwned' in window).toBe(false));
  });

  it('leaves nothing of any mixture of them', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom(...HOSTILE), fc.string(), fc.constantFrom('\n', '**', '`', '[', '](')),
        ),
        (parts) => {
          const holder = show(parts.join(''));
          expect(foreignIn(holder)).toEqual([]);
          cleanup();
        },
      ),
      { numRuns: 200 },
    );
  });
});
